"""Hidden Markov models of symbols with a belief about their parameters."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, gammaln

from margin.core import Card, atomic, check, threads
from margin.core.random import generator
from margin.core.types import Floats, Places
from margin.distributions import Categorical, Dirichlet
from margin.inference import Expectation, chain_smooth, expectation_maximisation
from margin.sequence.hidden_markov._answers import HiddenChain
from margin.sequence.hidden_markov._data import Observed, observed
from margin.sequence.hidden_markov._emission import SymbolEmission
from margin.sequence.hidden_markov._learning import Parameters


@dataclass(frozen=True)
class _Beliefs:
    """Concentrations of Dirichlet beliefs about start, transitions and emissions."""

    start: Floats
    transition: Floats
    emission: Floats


class VariationalCategoricalHMM(HiddenChain):
    r"""Hidden Markov model of symbols by variational Bayes (sequence.16).

    .. math:: \log p(v) \ge \sum_n \log \tilde Z_n - \mathrm{KL}(q(\theta), p(\theta)), \qquad
              \tilde\theta = \exp E_q[\log \theta]

    Beliefs about start, transitions and emissions are Dirichlet; the messages run on their expected
    logarithms. With small priors, states that are not needed lose their mass: the number of
    states may be chosen generously.

    Parameters
    ----------
    n_states : int
    n_symbols : int, optional
        As many as are seen by default.
    start_prior, transition_prior, emission_prior : float
        Concentrations of the prior, above 0.
    decoding : {"viterbi", "posterior"}
    n_init, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_, transition_, emission_probabilities_ : ndarray
        Posterior means.
    start_posterior_, transition_posterior_, emission_posterior_ : Dirichlet
    lower_bound_ : float
        Of the log evidence.
    fit_report_ : FitReport

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = [np.repeat(rng.integers(0, 2, 10), 8) for _ in range(5)]
    >>> model = VariationalCategoricalHMM(4, transition_prior=0.1, random_state=0).fit(x)
    >>> model.lower_bound_ < model.log_prob(x).sum()
    np.True_
    """

    card = Card(tasks=("density",), input="sequences", search_space={"n_states": [2, 4, 8]})

    def __init__(
        self,
        n_states: int = 2,
        *,
        n_symbols: int | None = None,
        start_prior: float = 1.0,
        transition_prior: float = 1.0,
        emission_prior: float = 1.0,
        decoding: str = "viterbi",
        n_init: int = 3,
        max_iter: int = 500,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_states = n_states
        self.n_symbols = n_symbols
        self.start_prior = start_prior
        self.transition_prior = transition_prior
        self.emission_prior = emission_prior
        self.decoding = decoding
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _groups(self) -> Places:
        return np.arange(self.n_states)

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None) -> Self:
        """Learn from sequences of symbols; ``y`` is not used."""
        check.params(
            self,
            count="n_states n_init max_iter",
            nonnegative="tol",
            positive="start_prior transition_prior emission_prior",
            one_of={"decoding": ("viterbi", "posterior")},
        )
        data = observed(self, X, lengths)
        if data.rows.shape[1] != 1:
            raise check.fail(self, "X", "one symbol for each step", f"{data.rows.shape[1]} columns")
        emission = SymbolEmission(n_symbols=self.n_symbols).checked(self, data.rows)
        assert emission.n_symbols is not None
        k, m = self.n_states, emission.n_symbols
        prior = _Beliefs(
            np.full(k, float(self.start_prior)),
            np.full((k, k), float(self.transition_prior)),
            np.full((k, m), float(self.emission_prior)),
        )
        n_threads = threads.count(self.n_jobs)
        solution = expectation_maximisation(
            lambda at: _expect(data, at, prior, n_threads),
            lambda counts, _: _Beliefs(
                prior.start + counts[0], prior.transition + counts[1], prior.emission + counts[2]
            ),
            _starts(prior, self.n_init, len(data.rows), generator(self.random_state)),
            tol=self.tol,
            max_iter=self.max_iter,
            solver="variational Bayes",
        )
        found: _Beliefs = solution.x
        self.fit_report_ = check.report(self, solution)
        self.lower_bound_ = -solution.objective
        self.start_posterior_ = Dirichlet(found.start)
        self.transition_posterior_ = Dirichlet(found.transition)
        self.emission_posterior_ = Dirichlet(found.emission)
        self.start_ = found.start / found.start.sum()
        self.transition_ = found.transition / found.transition.sum(axis=1, keepdims=True)
        laws = Categorical(found.emission / found.emission.sum(axis=1, keepdims=True))
        self._parameters = Parameters(self.start_, self.transition_, laws)
        self._learned = emission
        self.n_features_in_, self.n_iter_ = 1, solution.n_iter
        return self

    @property
    def emission_probabilities_(self) -> ArrayLike:
        """Expected probability of every symbol in every state."""
        return np.asarray(self.emission_.probabilities)


def _expect(data: Observed, at: _Beliefs, prior: _Beliefs, n_threads: int) -> Expectation[Any]:
    tables = [_expected_logs(a) for a in (at.start, at.transition, at.emission)]
    codes = data.rows[:, 0]
    seen = ~np.isnan(codes)
    table = np.zeros((len(codes), len(at.start)))
    table[seen] = tables[2].T[codes[seen].astype(np.intp)]
    found = chain_smooth(
        table, data.offsets, np.exp(tables[0]), np.exp(tables[1]), normalised=False,
        n_threads=n_threads,
    )  # fmt: skip
    begin = data.offsets[:-1][data.lengths > 0]
    shown = np.zeros_like(at.emission)
    for k in range(len(at.start)):
        shown[k] = np.bincount(
            codes[seen].astype(np.intp), found.posterior[seen, k], minlength=shown.shape[1]
        )
    divergence = (
        _divergence(at.start, prior.start, tables[0])
        + _divergence(at.transition, prior.transition, tables[1])
        + _divergence(at.emission, prior.emission, tables[2])
    )
    bound = float(found.log_likelihood.sum()) - divergence
    return Expectation(bound, (found.posterior[begin].sum(axis=0), found.counts, shown))


def _expected_logs(a: Floats) -> Floats:
    return np.asarray(digamma(a) - digamma(a.sum(axis=-1, keepdims=True)))


def _divergence(a: Floats, prior: Floats, logs: Floats) -> float:
    """From beliefs to priors, summed over rows."""
    value = gammaln(a.sum(axis=-1)) - gammaln(prior.sum(axis=-1))
    value = value + (gammaln(prior) - gammaln(a) + (a - prior) * logs).sum(axis=-1)
    return float(np.sum(value))


def _starts(prior: _Beliefs, n: int, steps: int, rng: np.random.Generator) -> Iterator[_Beliefs]:
    for _ in range(n):
        size = steps / prior.start.size
        yield _Beliefs(
            prior.start + rng.random(prior.start.shape),
            prior.transition + size * rng.dirichlet(np.ones(len(prior.start)), len(prior.start)),
            prior.emission
            + size * rng.dirichlet(np.ones(prior.emission.shape[1]), len(prior.start)),
        )
