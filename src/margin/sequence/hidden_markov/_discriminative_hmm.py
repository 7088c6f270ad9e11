"""Hidden Markov models trained for their answers, not for the data."""

from typing import Any, Self

import numpy as np

from margin.core import Card, atomic, check, threads
from margin.core.types import Floats, Places
from margin.distributions import Categorical
from margin.inference import chain_smooth
from margin.optim import LBFGS, Function, minimise
from margin.sequence.hidden_markov._answers import HiddenChain
from margin.sequence.hidden_markov._data import Observed, allowed_states, observed
from margin.sequence.hidden_markov._learning import Parameters
from margin.sequence.hidden_markov._mass import hard_counts
from margin.sequence.hidden_markov.emissions._emission import SymbolEmission


class DiscriminativeHMM(HiddenChain):
    r"""Hidden Markov model of symbols, trained to tell the states (sequence.22).

    .. math:: \max_\theta \sum_n \big[\log p_\theta(h^n, v^n) - \log p_\theta(v^n)\big]
              - \tfrac\alpha2 \|\theta\|^2

    The conditional likelihood of known states: parameters are logits of start, transitions and
    emissions. The gradient is the counts along the known states less those expected given the
    symbols. Better tagging than counting where the model is not the truth, and a worse density.

    Parameters
    ----------
    n_states : int
    n_symbols : int, optional
        As many as are seen by default.
    alpha : float
        Strength of the penalty.
    decoding : {"viterbi", "posterior"}
    max_iter, tol : int, float
    random_state : None, int or Generator
        For :meth:`sample`.
    n_jobs : int or None

    Attributes
    ----------
    start_, transition_, emission_probabilities_ : ndarray
    fit_report_ : FitReport

    Examples
    --------
    >>> x, states = [[0, 0, 1, 2, 2, 1]], [[0, 0, 0, 1, 1, 1]]
    >>> model = DiscriminativeHMM(2).fit(x, states)
    >>> model.predict(x)[0]
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    """

    card = Card(tasks=("classification",), input="sequences", on_request=True)

    def __init__(
        self,
        n_states: int = 2,
        *,
        n_symbols: int | None = None,
        alpha: float = 1e-2,
        decoding: str = "viterbi",
        max_iter: int = 500,
        tol: float = 1e-5,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_states = n_states
        self.n_symbols = n_symbols
        self.alpha = alpha
        self.decoding = decoding
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _groups(self) -> Places:
        return np.arange(self.n_states)

    @atomic
    def fit(self, X: Any, y: Any, *, lengths: Any = None) -> Self:
        """Learn from sequences of symbols and their states, all of them known."""
        check.params(
            self,
            count="n_states max_iter",
            nonnegative="alpha",
            positive="tol",
            one_of={"decoding": ("viterbi", "posterior")},
        )
        data = observed(self, X, lengths)
        emission = SymbolEmission(n_symbols=self.n_symbols).checked(self, data.rows)
        allowed = allowed_states(self, y, data, self.n_states)
        if allowed is None or not (allowed.sum(axis=1) == 1).all():
            raise check.fail(self, "y", "a known state for every step", "unknown ones")
        if data.rows.shape[1] != 1:
            raise check.fail(self, "X", "one symbol for each step", f"{data.rows.shape[1]} columns")
        assert emission.n_symbols is not None
        k, m = self.n_states, emission.n_symbols
        n_threads = threads.count(self.n_jobs)
        known = _known(data, allowed.argmax(axis=1), k, m)

        def objective(flat: Floats) -> tuple[float, Floats]:
            return _objective(flat, data, known, k, float(self.alpha), n_threads)

        solution = minimise(
            Function(objective, known.size), LBFGS(self.tol, self.max_iter), x0=np.zeros(known.size)
        )
        self.fit_report_ = check.report(self, solution)
        tables = [np.exp(t) for t in _tables(solution.x, k, m)]
        self.start_, self.transition_ = tables[0], tables[1]
        self._parameters = Parameters(tables[0], tables[1], Categorical(tables[2]))
        self._learned = emission
        self.n_features_in_, self.n_iter_ = 1, solution.n_iter
        return self

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Share of the steps whose state is told right."""
        data = observed(self, X, lengths)
        allowed = allowed_states(self, y, data, self.n_states)
        if allowed is None:
            raise check.fail(self, "y", "the states", None)
        path = self.predict(data.rows, lengths=data.lengths)
        return float(allowed[np.arange(len(path)), path].mean())

    @property
    def emission_probabilities_(self) -> Floats:
        """Probability of every symbol in every state."""
        return np.asarray(self.emission_.probabilities)


def _known(data: Observed, path: Places, k: int, m: int) -> Floats:
    """Counts of start, transitions and emissions along known states, one after the other."""
    share, pairs = hard_counts(path, data.offsets, k)
    first = share[data.offsets[:-1][data.lengths > 0]].sum(axis=0)
    return np.concatenate([first, pairs.ravel(), _shown(data, share, m).ravel()])


def _shown(data: Observed, share: Floats, m: int) -> Floats:
    codes = data.rows[:, 0]
    seen = ~np.isnan(codes)
    at = codes[seen].astype(np.intp)
    return np.array([np.bincount(at, column, minlength=m) for column in share[seen].T])


def _tables(flat: Floats, k: int, m: int) -> list[Floats]:
    """Log probabilities of start, transitions and emissions out of logits."""
    logs = [p - p.max(axis=-1, keepdims=True) for p in _parts(flat, k, m)]
    return [p - np.log(np.exp(p).sum(axis=-1, keepdims=True)) for p in logs]


def _objective(
    flat: Floats, data: Observed, known: Floats, k: int, alpha: float, n_threads: int
) -> tuple[float, Floats]:
    m = (flat.size - k - k * k) // k
    tables = _tables(flat, k, m)
    codes = data.rows[:, 0]
    seen = ~np.isnan(codes)
    table = np.zeros((len(codes), k))
    table[seen] = tables[2].T[codes[seen].astype(np.intp)]
    smoothed = chain_smooth(
        table, data.offsets, np.exp(tables[0]), np.exp(tables[1]), n_threads=n_threads
    )
    first = smoothed.posterior[data.offsets[:-1][data.lengths > 0]].sum(axis=0)
    shown = _shown(data, smoothed.posterior, m)
    flat_logs = np.concatenate([t.ravel() for t in tables])
    value = float(known @ flat_logs) - float(smoothed.log_likelihood.sum())
    gap = known - np.concatenate([first, smoothed.counts.ravel(), shown.ravel()])
    slope = []
    for part, logs in zip(_parts(gap, k, m), tables, strict=True):
        slope.append((part - np.exp(logs) * part.sum(axis=-1, keepdims=True)).ravel())
    return -value + 0.5 * alpha * float(flat @ flat), -np.concatenate(slope) + alpha * flat


def _parts(flat: Floats, k: int, m: int) -> list[Floats]:
    return [flat[:k], flat[k : k + k * k].reshape(k, k), flat[k + k * k :].reshape(k, m)]
