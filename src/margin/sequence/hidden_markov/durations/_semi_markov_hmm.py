"""Hidden Markov models with explicit durations."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, atomic, check, threads
from margin.core.random import generator
from margin.core.types import Floats
from margin.inference import expectation_maximisation
from margin.sequence._step_laws import horizon
from margin.sequence._times import asked
from margin.sequence.hidden_markov._data import (
    Observed,
    counted_sequences,
    observed,
    refuse_unseen,
)
from margin.sequence.hidden_markov._forecast import mixed_steps
from margin.sequence.hidden_markov._learning import Learning
from margin.sequence.hidden_markov._mass import hard_counts
from margin.sequence.hidden_markov._starts import begun_shares, given_probabilities
from margin.sequence.hidden_markov.durations._segment_ages import AgedChain
from margin.sequence.hidden_markov.durations._segment_learning import Segmented, SegmentLearning
from margin.sequence.hidden_markov.emissions._emission import Emission
from margin.sequence.hidden_markov.emissions._named_emission import named_emission


class SemiMarkovHMM(BaseEstimator):
    r"""Hidden Markov model whose states last as long as they like (sequence.23).

    .. math:: p(v, \text{segments}) = \prod_s p(k_s \mid k_{s-1})\, p(d_s \mid k_s)
              \prod_{t \in s} p(v_t \mid k_s)

    A plain chain leaves a state with the same probability at every step: its durations are
    geometric. Here every state has its own table of durations 1, …, D. The last segment is cut
    by the end of the sequence and may last on.

    Parameters
    ----------
    n_states : int
        At least 2 for sequences longer than ``max_duration``.
    max_duration : int
        Longest duration ``D``.
    emission : "gaussian", "categorical" or family
        What the states show.
    duration_prior : float
        Pseudo-count of every duration.
    min_covar : float
        As in :class:`GaussianHMM`, for normal vectors.
    start_init, transition_init, duration_init : array-like of shape (K,), (K, K), (K, D), optional
        Where to start; zeros are structural and stay (rows sum to one). The diagonal of
        ``transition_init`` is zero.
    n_init, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_, transition_ : ndarray of shape (K,), (K, K)
        The diagonal of ``transition_`` is zero.
    duration_ : ndarray of shape (K, D)
        Entry (k, d - 1) is the probability that state k lasts d steps.
    emission_ : distribution
    fit_report_ : FitReport

    Notes
    -----
    :math:`O(T K (D + K))` for an iteration.

    Examples
    --------
    >>> import numpy as np
    >>> level = np.tile(np.repeat([0.0, 5.0], [4, 7]), 12)
    >>> x = level + np.random.default_rng(0).normal(size=len(level))
    >>> model = SemiMarkovHMM(2, 12, random_state=0).fit(x)
    >>> np.sort(model.duration_.argmax(axis=1) + 1)
    array([4, 7])
    """

    card = Card(tasks=("density",), input="sequences", search_space={"n_states": [2, 3, 4]})

    def __init__(
        self,
        n_states: int = 2,
        max_duration: int = 50,
        *,
        emission: Any = "gaussian",
        duration_prior: float = 1e-2,
        min_covar: float = 1e-3,
        start_init: ArrayLike | None = None,
        transition_init: ArrayLike | None = None,
        duration_init: ArrayLike | None = None,
        n_init: int = 1,
        max_iter: int = 200,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_states = n_states
        self.max_duration = max_duration
        self.emission = emission
        self.duration_prior = duration_prior
        self.min_covar = min_covar
        self.start_init = start_init
        self.transition_init = transition_init
        self.duration_init = duration_init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(
        self, X: Any, y: Any = None, *, lengths: Any = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn from sequences by expectation maximisation.

        Parameters
        ----------
        X, y, lengths, sample_weight
            As in :meth:`GaussianHMM.fit`: states may be known in part, sequences may count
            several times.
        """
        check.params(
            self,
            count="n_states max_duration n_init max_iter",
            nonnegative="tol duration_prior min_covar",
        )
        data = observed(self, X, lengths)
        kept, allowed, weight = counted_sequences(self, data, y, sample_weight, self.n_states)
        refuse_unseen(self, kept)
        each = None if weight is None else np.repeat(weight, kept.lengths)
        emission = named_emission(self, self.emission, min_covar=self.min_covar)
        emission = emission.checked(self, kept.rows, each)
        problem = replace(self._problem(kept, emission), allowed=allowed, weight=weight)
        solution = expectation_maximisation(
            problem.expect,
            problem.maximise,
            self._starts(problem, generator(self.random_state)),
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self.fit_report_ = check.report(self, solution)
        self._found: Segmented = solution.x
        self._learned = problem.emission
        self.start_, self.transition_ = self._found.start, self._found.transition
        self.duration_ = self._found.duration
        self.n_features_in_, self.n_iter_ = data.rows.shape[1], solution.n_iter
        self._last = replace(data.last(), rows=data.last().rows.copy())
        return self

    def _problem(self, data: Observed, emission: Emission) -> SegmentLearning:
        return SegmentLearning(
            emission,
            data.rows,
            data.offsets,
            float(self.duration_prior),
            threads.count(self.n_jobs),
        )

    def _starts(self, problem: SegmentLearning, rng: np.random.Generator) -> Iterator[Segmented]:
        k = self.n_states
        if k == 1 and np.diff(problem.offsets).max() > self.max_duration:
            longest = int(np.diff(problem.offsets).max())
            raise check.fail(
                self, "max_duration", f"at least {longest}, the longest sequence", self.max_duration
            )
        task = Learning(
            problem.emission, problem.rows, problem.offsets, problem.allowed, problem.weight,
            np.arange(k), n_threads=problem.n_threads,
        )  # fmt: skip
        start = given_probabilities(self, "start_init", self.start_init, (k,))
        shape = (k, self.max_duration)
        duration = given_probabilities(self, "duration_init", self.duration_init, shape)
        steps = self._given_transition()
        for _ in range(self.n_init):
            share = begun_shares(task, "kmeans", k, rng)
            if problem.allowed is None:
                share = 0.9 * share + 0.1 * rng.dirichlet(np.ones(k), len(share))
            _, pairs = hard_counts(share.argmax(axis=1), problem.offsets, k, problem.weight)
            leaves = np.where(np.eye(k) > 0, 0.0, pairs + 1.0)
            transition = leaves / np.maximum(leaves.sum(axis=1, keepdims=True), 1e-300)
            share = share * task.row_weight()[:, None]
            stats = problem.emission.statistics(None, problem.rows, share, problem.n_threads)
            yield Segmented(
                np.full(k, 1.0 / k) if start is None else start,
                (np.zeros((1, 1)) if k == 1 else transition) if steps is None else steps,
                np.full(shape, 1.0 / self.max_duration) if duration is None else duration,
                problem.emission.fit(stats),
            )

    def _given_transition(self) -> Floats | None:
        k = self.n_states
        if self.transition_init is None or k == 1:
            return None
        table = given_probabilities(self, "transition_init", self.transition_init, (k, k))
        assert table is not None
        if np.diagonal(table).any():
            wanted = "zero on its diagonal: a segment ends by going to another state"
            raise check.fail(self, "transition_init", wanted, self.transition_init)
        return table

    def _asked(self, X: Any, lengths: Any) -> tuple[Observed, SegmentLearning]:
        check_is_fitted(self)
        data = observed(self, X, lengths, n_features=self.n_features_in_)
        return data, self._problem(data, self._learned)

    @property
    def emission_(self) -> Any:
        """What each state shows."""
        check_is_fitted(self)
        return self._learned.members(self._found.laws)

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log likelihood of every sequence; minus infinity where it is impossible."""
        _, problem = self._asked(X, lengths)
        return problem.smooth(self._found)[3]

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log likelihood per step, all sequences together."""
        data, problem = self._asked(X, lengths)
        return float(problem.smooth(self._found)[3].sum() / len(data.rows))

    def posterior(self, X: Any, *, lengths: Any = None) -> Any:
        """Probability of every state at every step given the whole sequence."""
        data, problem = self._asked(X, lengths)
        share, _, _, values = problem.smooth(self._found)
        self._refuse(values)
        return data.returned(share)

    def predict(self, X: Any, *, lengths: Any = None) -> Any:
        """The most probable states, jointly with their durations."""
        data, problem = self._asked(X, lengths)
        path, values = problem.decode(self._found)
        self._refuse(values)
        return data.returned(path)

    def filter(self, X: Any, *, lengths: Any = None) -> Any:
        """Probability of every state given what was seen up to the step."""
        data, problem = self._asked(X, lengths)
        return data.returned(self._followed(data, problem)[0])

    def query(self, X: Any, times: ArrayLike, *, lengths: Any = None) -> Floats:
        """States at given times of every sequence, given all of it; later ones are predicted.

        Parameters
        ----------
        X, lengths
            As in :meth:`fit`.
        times : array-like of int
            Steps from 0; from the length on they lie in the future.

        Returns
        -------
        ndarray of shape (n_sequences, len(times), n_states)
        """
        data, problem = self._asked(X, lengths)
        at = asked(self, times, 0, beyond=True)
        share, _, _, values = problem.smooth(self._found)
        self._refuse(values)
        answer = np.empty((data.n, len(at), self.n_states))
        _, ahead = self._followed(data, problem)
        for s, (first, last) in enumerate(pairwise(data.offsets)):
            later = int(at.max(initial=0)) - int(last - first) + 1
            whole = [share[first:last], self._aged().expected(ahead[s], max(later, 0))]
            answer[s] = np.concatenate(whole)[at]
        return answer

    def forecast(self, h: int = 1, X: Any = None, *, lengths: Any = None) -> Any:
        """Laws of the next ``h`` observations, a mixture over the states for each step.

        How long the last segment has lasted already is taken into account.

        Parameters
        ----------
        h : int
        X : as in :meth:`fit`, optional
            What came before; the last sequence of the training data by default.
        lengths : array-like of int, optional

        Returns
        -------
        distribution with a member for each step, or a list of them
            A list where a list of sequences was given.
        """
        check_is_fitted(self)
        steps, data = horizon(self, h), self._last
        problem = self._problem(data, self._learned)
        if X is not None:
            data, problem = self._asked(X, lengths)
        answers = [
            mixed_steps(self._aged().expected(belief, steps), self.emission_)
            for belief in self._followed(data, problem)[1]
        ]
        return answers[0] if data.given == "one" else answers

    def _aged(self) -> AgedChain:
        return AgedChain(self.start_, self.transition_, self.duration_)

    def _followed(self, data: Observed, problem: SegmentLearning) -> tuple[Floats, list[Floats]]:
        """Filtered states, and the belief about state and age a step after each sequence."""
        states, ahead = self._aged().filtered(problem.log_emission(self._found), data.offsets)
        dead = [s for s, last in enumerate(data.offsets[1:]) if last and not states[last - 1].any()]
        if dead:
            raise check.fail(self, "X", "possible under the model", f"sequence {dead[0]}")
        return states, ahead

    @property
    def n_parameters_(self) -> int:
        """Free parameters: those of the laws, and probabilities that are not structurally zero."""
        check_is_fitted(self)
        free = sum(
            max(int((table > 0).sum()) - len(table), 0)
            for table in (self.start_[None], self.transition_, self.duration_)
        )
        return free + self._learned.n_parameters(self._found.laws)

    def aic(self, X: Any, *, lengths: Any = None) -> float:
        """Akaike's criterion on these sequences; lower is better."""
        return 2.0 * self.n_parameters_ - 2.0 * float(self.log_prob(X, lengths=lengths).sum())

    def bic(self, X: Any, *, lengths: Any = None) -> float:
        """Schwarz's criterion on these sequences, a step being an observation; lower is better."""
        data, problem = self._asked(X, lengths)
        value = float(problem.smooth(self._found)[3].sum())
        return float(self.n_parameters_ * np.log(len(data.rows)) - 2.0 * value)

    def sample(
        self, n: int = 1, length: int = 100, *, random_state: Any = None
    ) -> tuple[Sequences, Sequences]:
        """``n`` sequences drawn from the model, and the states behind them."""
        check_is_fitted(self)
        rng = generator(self.random_state if random_state is None else random_state)
        laws, shown, paths = self.emission_, [], []
        for _ in range(n):
            path: list[int] = []
            k = int(rng.choice(self.n_states, p=self.start_))
            while len(path) < length:
                path += [k] * (1 + int(rng.choice(self.max_duration, p=self.duration_[k])))
                if self.n_states > 1:
                    k = int(rng.choice(self.n_states, p=self.transition_[k]))
            states = np.array(path[:length], dtype=np.int32)
            rows = [np.ravel(laws[int(s)].sample(1, rng)) for s in states]
            paths.append(states)
            shown.append(np.array(rows))
        return Sequences(shown), Sequences(paths)

    def _refuse(self, values: Floats) -> None:
        bad = np.flatnonzero(values == -np.inf)
        if len(bad):
            raise check.fail(self, "X", "possible under the model", f"sequence {bad[0]}")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.two_d_array = False
        return tags
