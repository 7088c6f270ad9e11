"""The two steps of Baum and Welch, for any emission."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from margin.core import FitError, Solution, check
from margin.core.types import Bools, Floats, Indices, Places
from margin.distributions import StateCounts
from margin.inference import (
    Expectation,
    Piece,
    Repaired,
    chain_smooth,
    chain_smooth_pieces,
    chain_viterbi,
    expectation_maximisation,
)
from margin.sequence.hidden_markov._emission import Emission

_NO_MASS = 1e-7  # share of all steps below which a state has lost its mass


@dataclass(frozen=True)
class Parameters:
    """Of a hidden Markov model.

    Parameters
    ----------
    start, transition : ndarray of shape (K,), (K, K)
    laws : Any
        Of the emission, one for each group of states that share it.
    reseeded : tuple of int
        States that were given a second start; there is no third.
    idle : tuple of int
        States without mass, which show the law of all rows.
    """

    start: Floats
    transition: Floats
    laws: Any
    reseeded: tuple[int, ...] = ()
    idle: tuple[int, ...] = ()


class Counts(NamedTuple):
    """Expected statistics of a pass over the data: what the M step needs; they add up."""

    first: Floats
    pairs: Floats
    visits: Floats
    laws: Any
    lost: tuple[int, ...] = ()

    def __add__(self, other: "Counts") -> "Counts":  # type: ignore[override]
        """Statistics of the sequences of both."""
        return Counts(
            self.first + other.first,
            self.pairs + other.pairs,
            self.visits + other.visits,
            self.laws + other.laws,
        )


@dataclass(frozen=True)
class Learning:
    """Data and settings of a fit: the problem.

    Parameters
    ----------
    emission : Emission
    rows, offsets : ndarray
        The sequences.
    allowed : ndarray of shape (T, K) or None
        States that a row may be in.
    weight : ndarray of shape (n,) or None
        Of the sequences.
    groups : ndarray of shape (K,)
        Which law each state shows.
    start_prior, transition_prior : float
        Dirichlet concentrations; 1 is maximum likelihood.
    fixed : tuple of str
        Which of "start", "transition", "emission" are not learned.
    hard : bool
        Viterbi training: the best path in the place of all.
    low_memory : bool
        Smooth piece by piece, sequence by sequence.
    n_threads : int
    """

    emission: Emission
    rows: Floats
    offsets: Indices
    allowed: Bools | None
    weight: Floats | None
    groups: Places
    start_prior: float = 1.0
    transition_prior: float = 1.0
    fixed: tuple[str, ...] = ()
    hard: bool = False
    low_memory: bool = False
    n_threads: int = 1

    def expect(self, at: Parameters) -> Expectation[Counts]:
        """The E step: log likelihood (of the best paths, if hard) and expected counts."""
        if self.low_memory and not self.hard:
            return self._in_pieces(at)
        if self._counts_alone:
            return self._counted(at)
        table = self.log_emission(at)
        values, share, pairs = (self._best if self.hard else self._smoothed)(table, at)
        _refuse_impossible(values)
        total = float(values.sum() if self.weight is None else self.weight @ values)
        first = share[self.offsets[:-1][np.diff(self.offsets) > 0]].sum(axis=0)
        # Every step but the last of a sequence is left by a transition.
        visits = pairs.sum(axis=1) + share[self.offsets[1:][np.diff(self.offsets) > 0] - 1].sum(
            axis=0
        )
        lost = _without_mass(visits)
        if len(lost):
            # The law of all rows: a second start, and never a fit to nothing.
            share = share.copy()
            share[:, lost] = visits.sum() / visits.size / len(share)
        laws = self.emission.statistics(at.laws, self.rows, self._grouped(share), self.n_threads)
        counts = Counts(first, pairs, visits, laws, tuple(lost.tolist()))
        return Expectation(total + self.log_prior(at), counts)

    @property
    def _counts_alone(self) -> bool:
        """Whether the emission can go from rows to statistics without a table of posteriors."""
        plain = self.allowed is None and not self.hard
        return plain and self.emission.counts_alone(self.rows, len(self.groups))

    def _counted(self, at: Parameters) -> Expectation[Counts]:
        """The same for symbols and few states: counts alone."""
        sums = self.emission.counted(
            at.laws, self.groups, self.rows, self.offsets, at.start, at.transition, self.weight,
            self.n_threads,
        )  # fmt: skip
        values, visits = sums.log_likelihood, sums.visits
        _refuse_impossible(values)
        total = float(values.sum() if self.weight is None else self.weight @ values)
        lost, shown = _without_mass(visits), sums.shown
        if len(lost):
            shown = shown.copy()
            shown[:, lost] = (shown.sum(axis=1) / visits.size / len(self.rows))[:, None]
        laws = StateCounts(np.ascontiguousarray(self._grouped(shown).T))
        counts = Counts(sums.first, sums.pairs, visits, laws, tuple(lost.tolist()))
        return Expectation(total + self.log_prior(at), counts)

    def log_emission(self, at: Parameters) -> Floats:
        """Log likelihood of every row in every state that it may be in."""
        table = self.emission.log_prob(at.laws, self.rows, self.n_threads)
        if not np.array_equal(self.groups, np.arange(table.shape[1])):
            table = np.ascontiguousarray(table[:, self.groups])
        return table if self.allowed is None else np.where(self.allowed, table, -np.inf)

    def maximise(self, counts: Counts, before: Parameters) -> Parameters | Repaired[Parameters]:
        """The M step; a state without mass is seeded anew, once."""
        start, transition, laws = before.start, before.transition, before.laws
        if "start" not in self.fixed:
            start = _shares(counts.first[None], start[None], self.start_prior)[0]
        if "transition" not in self.fixed:
            transition = _shares(counts.pairs, transition, self.transition_prior)
        if "emission" not in self.fixed:
            laws = self.emission.fit(counts.laws)
        new = tuple(k for k in counts.lost if k not in before.reseeded)
        idle = tuple(k for k in counts.lost if k not in new)
        after = Parameters(start, transition, laws, before.reseeded + new, idle)
        told = tuple(
            f"state {k} had lost all its mass and was seeded again with the law of all rows"
            for k in new
        )
        told += tuple(
            f"state {k} lost all its mass again and is left with the law of all rows"
            for k in idle
            if k not in before.idle
        )
        if not told or self.fixed:
            return after
        return Repaired(_reseeded(after, new), told)

    def log_prior(self, at: Parameters) -> float:
        """Of all parameters, up to a constant; structural zeros have none."""
        value = self.emission.log_prior(at.laws)
        for prior, table in ((self.start_prior, at.start), (self.transition_prior, at.transition)):
            if prior != 1.0:
                value += (prior - 1.0) * float(np.log(table[table > 0]).sum())
        return value

    def _in_pieces(self, at: Parameters) -> Expectation[Counts]:
        """The same with memory in proportion to the root of the longest sequence."""
        k, total, values = len(at.start), None, []
        for s, (first, last) in enumerate(zip(self.offsets[:-1], self.offsets[1:], strict=True)):
            if first == last:
                continue
            weight = 1.0 if self.weight is None else float(self.weight[s])

            def table(a: int, b: int, first: int = first) -> Floats:
                return self._part(first + a, first + b).log_emission(at)

            def consume(piece: Piece, first: int = first, weight: float = weight) -> Counts:
                part = self._part(first + piece.first, first + piece.last)
                share = weight * piece.posterior
                made = part.emission.statistics(
                    at.laws, part.rows, self._grouped(share + 1e-12), self.n_threads
                )
                begin = share[0] if piece.first == 0 else np.zeros(k)
                return Counts(begin, np.zeros((k, k)), share.sum(axis=0), made)

            swept = chain_smooth_pieces(table, int(last - first), at.start, at.transition, consume)
            values.append(swept.log_likelihood)
            _refuse_impossible(np.array(values))
            values[-1] *= weight
            own = swept.total._replace(pairs=weight * swept.counts)
            total = own if total is None else total + own
        assert total is not None  # there is a step somewhere
        return Expectation(float(np.sum(values)) + self.log_prior(at), total)

    def _part(self, first: int, last: int) -> "Learning":
        allowed = None if self.allowed is None else self.allowed[first:last]
        return replace(self, rows=self.rows[first:last], allowed=allowed)

    def _smoothed(self, table: Floats, at: Parameters) -> tuple[Floats, Floats, Floats]:
        found = chain_smooth(
            table, self.offsets, at.start, at.transition, weight=self.weight,
            n_threads=self.n_threads,
        )  # fmt: skip
        return found.log_likelihood, found.posterior, found.counts

    def _best(self, table: Floats, at: Parameters) -> tuple[Floats, Floats, Floats]:
        path, values = chain_viterbi(
            table, self.offsets, at.start, at.transition, n_threads=self.n_threads
        )
        return (values, *hard_counts(path, self.offsets, len(at.start), self.weight))

    def _grouped(self, share: Floats) -> Floats:
        n_groups = int(self.groups.max()) + 1
        if n_groups == len(self.groups):
            return share
        return np.ascontiguousarray(share @ np.eye(n_groups)[self.groups])


def learn(
    owner: object,
    problem: Learning,
    starts: Any,
    *,
    tol: float,
    max_iter: int,
    callback: Any = None,
) -> Solution:
    """Climb from every start, the best is kept; a start that is none names the owner."""
    try:
        return expectation_maximisation(
            problem.expect,
            problem.maximise,
            starts,
            tol=tol,
            max_iter=max_iter,
            solver="Viterbi training" if problem.hard else "Baum–Welch",
            callback=callback,
        )
    except FitError as error:
        raise FitError(f"{check.named(owner)}: {error}") from error


def hard_counts(
    path: Any, offsets: Indices, n_states: int, weight: Floats | None = None
) -> tuple[Floats, Floats]:
    """Shares (T, K) and counts of transitions (K, K) of known paths.

    Examples
    --------
    >>> import numpy as np
    >>> hard_counts(np.array([0, 1, 1]), np.array([0, 2, 3]), 2)[1]
    array([[0., 1.],
           [0., 0.]])
    """
    each = np.ones(len(path)) if weight is None else np.repeat(weight, np.diff(offsets))
    share = np.zeros((len(path), n_states))
    share[np.arange(len(path)), path] = each
    inner = np.ones(len(path), dtype=bool)
    inner[offsets[1:][np.diff(offsets) > 0] - 1] = False
    at = np.flatnonzero(inner)
    codes = np.asarray(path, dtype=np.int64)[at] * n_states + path[at + 1]
    pairs = np.bincount(codes, each[at], minlength=n_states**2).reshape(n_states, n_states)
    return share, pairs.astype(np.float64)


def _shares(counts: Floats, before: Floats, prior: float) -> Floats:
    """Rows that sum to one: counts plus the prior, zeros kept, rows without any as they were."""
    more = np.where(before > 0, np.maximum(counts + (prior - 1.0), 0.0), 0.0)
    total = more.sum(axis=1, keepdims=True)
    return np.where(total > 0, more / np.where(total > 0, total, 1.0), before)


def _reseeded(at: Parameters, states: tuple[int, ...]) -> Parameters:
    """A little mass for states that had none, wherever the structure lets it."""
    start, transition = at.start.copy(), at.transition.copy()
    for k in states:
        start[k] = max(start[k], 0.01)
        transition[:, k] = np.where(transition[:, k] > 0, np.maximum(transition[:, k], 0.01), 0.0)
    start /= start.sum()
    transition /= transition.sum(axis=1, keepdims=True)
    return replace(at, start=start, transition=transition)


def _without_mass(visits: Floats) -> Places:
    return np.flatnonzero(visits <= _NO_MASS * max(visits.sum(), 1e-300))


def _refuse_impossible(values: Floats) -> None:
    bad = np.flatnonzero(~(values > -np.inf))
    if len(bad):
        raise FitError(
            f"sequence {bad[0]} has probability 0 under the parameters ({len(bad)} of "
            f"{len(values)} sequences); give start, transition or emission fewer zeros"
        )
