"""What all hidden Markov models share: checking and learning."""

from abc import abstractmethod
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Solution, Status, atomic, check, threads
from margin.core.random import generator
from margin.core.types import Bools, Floats, Places
from margin.inference import Repaired, chain_filter_last, chain_log_likelihood
from margin.sequence.hidden_markov._answers import HiddenChain
from margin.sequence.hidden_markov._data import (
    Observed,
    counted_sequences,
    observed,
    refuse_unseen,
)
from margin.sequence.hidden_markov._learning import Counts, Learning, Parameters, learn
from margin.sequence.hidden_markov._parts import divided
from margin.sequence.hidden_markov._starts import METHODS, Given, given_probabilities, starts
from margin.sequence.hidden_markov.emissions._emission import Emission

_PARTS = ("start", "transition", "emission")


class HiddenMarkovBase(HiddenChain):
    """The shared face; a subclass says what its states show."""

    groups: Any
    _online: tuple[Counts, int]
    start_init: Any
    transition_init: Any
    start_prior: Any
    transition_prior: Any
    fixed: Any
    init: Any
    n_init: Any
    algorithm: Any
    low_memory: Any
    max_iter: Any
    tol: Any

    def _log_prob(self, data: Observed) -> Floats:
        """Log likelihood of every sequence, without a table of all rows if memory counts."""
        if not self.low_memory:
            return super()._log_prob(data)
        rows, values = self._rows(data), np.zeros(data.n)
        n_threads = threads.count(self.n_jobs)
        for some in divided(data.offsets):
            first, last = int(data.offsets[some.start]), int(data.offsets[some.stop])
            if some.stop - some.start == 1:
                values[some.start] = chain_filter_last(
                    partial(self._piece, rows[first:last], n_threads), last - first, *self._chain()
                )[1]
            else:
                table = self._shown(rows[first:last], n_threads)
                places = data.offsets[some.start : some.stop + 1] - first
                values[some] = chain_log_likelihood(
                    table, places, *self._chain(), n_threads=n_threads
                )
        return values

    def _piece(self, rows: Floats, n_threads: int, first: int, last: int) -> Floats:
        return self._shown(rows[first:last], n_threads)

    @abstractmethod
    def _emission(self, n_features: int) -> Emission:
        """Settings of the emission, not yet completed by data."""

    @abstractmethod
    def _given_laws(self, emission: Any, n_groups: int, n_features: int) -> Any:
        """Laws that the parameters give to start from, or None."""

    def _check(self) -> None:
        check.params(
            self,
            count="n_states n_init max_iter",
            nonnegative="tol",
            flag="low_memory",
            one_of={
                "init": METHODS,
                "algorithm": ("em", "viterbi"),
                "decoding": ("viterbi", "posterior"),
            },
        )
        check.params(self, positive="start_prior transition_prior")
        for name in ("start_prior", "transition_prior"):
            value = getattr(self, name)
            if value < 1:
                raise check.fail(self, name, "a number of at least 1", value)
        if isinstance(self.fixed, str) or not set(self.fixed) <= set(_PARTS):
            raise check.fail(self, "fixed", f"some of {_PARTS}", self.fixed)
        if self.low_memory and self.algorithm == "viterbi":
            wanted = "False with algorithm='viterbi', which keeps a way back for every step"
            raise check.fail(self, "low_memory", wanted, self.low_memory)

    def _groups(self) -> Places:
        if self.groups is None:
            return np.arange(self.n_states)
        groups = np.asarray(self.groups)
        wanted = f"{self.n_states} integers that name laws 0, 1, … without gaps"
        if groups.shape != (self.n_states,) or groups.dtype.kind not in "iu":
            raise check.fail(self, "groups", wanted, self.groups)
        if not np.array_equal(np.unique(groups), np.arange(groups.max() + 1)):
            raise check.fail(self, "groups", wanted, self.groups)
        return groups.astype(np.intp)

    def _problem(self, data: Observed, allowed: Bools | None, weight: Floats | None) -> Learning:
        rows, k = self._rows(data), self.n_states
        each = None if weight is None else np.repeat(weight, data.lengths)
        start = given_probabilities(self, "start_init", self.start_init, (k,))
        transition = given_probabilities(self, "transition_init", self.transition_init, (k, k))
        return Learning(
            emission=self._emission(data.rows.shape[1]).checked(self, rows, each),
            rows=rows,
            offsets=data.offsets,
            allowed=allowed,
            weight=weight,
            groups=self._groups(),
            start_prior=float(self.start_prior),
            transition_prior=float(self.transition_prior),
            fixed=tuple(self.fixed),
            hard=self.algorithm == "viterbi",
            low_memory=bool(self.low_memory),
            open_start=np.ones(k, dtype=bool) if start is None else start > 0,
            open_transition=np.ones((k, k), dtype=bool) if transition is None else transition > 0,
            n_threads=threads.count(self.n_jobs),
        )

    @atomic
    def fit(
        self, X: Any, y: Any = None, *, lengths: Any = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn from sequences by expectation maximisation.

        Parameters
        ----------
        X : list of arrays of shape (T, d), Sequences, or array of shape (total, d)
            The sequences; NaN means unobserved. One array without ``lengths`` is one sequence.
        y : list of arrays of shape (T,), optional
            States that are known; -1 or NaN where they are not. With all of them known the answer
            is that of counting.
        lengths : array-like of int, optional
            Lengths of the sequences in one array.
        sample_weight : array-like of shape (n_sequences,), optional
            How often each sequence counts.
        """
        self._check()
        data = observed(self, X, lengths)
        kept, allowed, weight = counted_sequences(self, data, y, sample_weight, self.n_states)
        refuse_unseen(self, kept)
        problem = self._problem(kept, allowed, weight)
        rng = generator(self.random_state)
        given = self._given(problem, data.rows.shape[1])
        begin = starts(problem, self.init, self.n_states, self.n_init, given, rng)

        solution = learn(self, problem, begin, tol=self.tol, max_iter=self.max_iter)

        self.fit_report_ = check.report(self, solution)
        self._store(problem, solution.x, data)
        self._online = (solution.extras["statistics"]._replace(lost=()), 1)
        self.n_iter_ = solution.n_iter
        return self

    @atomic
    def partial_fit(
        self, X: Any, y: Any = None, *, lengths: Any = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        r"""One step of online expectation maximisation with further sequences.

        Statistics of the t-th call get the weight :math:`t`, a step of :math:`2 / (t + 1)`, so that
        those of early and bad parameters fade. The first call decides on the start; after ``fit``
        its statistics are those of the first call.

        Parameters
        ----------
        X, y, lengths, sample_weight
            As in :meth:`fit`.
        """
        self._check()
        data = observed(self, X, lengths, n_features=getattr(self, "n_features_in_", None))
        kept, allowed, weight = counted_sequences(self, data, y, sample_weight, self.n_states)
        problem = self._problem(kept, allowed, weight)
        if hasattr(self, "_online"):
            self._learned.checked(self, problem.rows)  # refuses what it cannot show
            problem = replace(problem, emission=self._learned)
            at, before, step = self._parameters, self._online[0], self._online[1] + 1
        else:
            refuse_unseen(self, kept)
            given = self._given(problem, data.rows.shape[1])
            begin = starts(
                problem, self.init, self.n_states, 1, given, generator(self.random_state)
            )
            at, before, step = next(iter(begin)), None, 1
        faster = replace(problem, weight=step * (np.ones(kept.n) if weight is None else weight))
        value, visits = faster.expect(at, None if before is None else before.visits)
        total: Counts = visits if before is None else before + visits
        after = problem.maximise(total._replace(lost=visits.lost), at)
        solution = Solution(
            np.empty(0),
            Status.CONVERGED,
            step,
            -value / step,
            solver="online Baum–Welch",
            repairs=after.repairs if isinstance(after, Repaired) else (),
        )
        self.fit_report_ = check.report(self, solution)
        self._store(problem, after, data)
        self._online, self.n_iter_ = (total._replace(lost=()), step), step
        return self

    def _given(self, problem: Learning, n_features: int) -> Given:
        k = self.n_states
        return Given(
            given_probabilities(self, "start_init", self.start_init, (k,)),
            given_probabilities(self, "transition_init", self.transition_init, (k, k)),
            self._given_laws(problem.emission, int(problem.groups.max()) + 1, n_features),
        )

    def _store(self, problem: Learning, at: Any, data: Observed) -> None:
        self._parameters: Parameters = getattr(at, "parameters", at)
        self._learned: Emission = problem.emission
        self.start_, self.transition_ = self._parameters.start, self._parameters.transition
        self.n_features_in_ = data.rows.shape[1]
        self._next = self._continued(data)
