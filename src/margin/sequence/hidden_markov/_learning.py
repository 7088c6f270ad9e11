"""The two steps of Baum and Welch, for any emission."""

from collections.abc import Iterator
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
from margin.sequence.hidden_markov._mass import (
    hard_counts,
    lost_told,
    refuse_impossible,
    shares_of,
    with_mass,
    without_mass,
)
from margin.sequence.hidden_markov._parts import divided, part_size
from margin.sequence.hidden_markov.emissions._emission import Emission


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
    open_start, open_transition : ndarray of shape (K,), (K, K) or None
        What may be above zero; by default what is.
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
    open_start: Bools | None = None
    open_transition: Bools | None = None
    n_threads: int = 1

    def expect(self, at: Parameters, before: Floats | None = None) -> Expectation[Counts]:
        """The E step: log likelihood (of the best paths, if hard) and expected counts.

        ``before`` are visits of the states by other data, which keep a state from being lost.
        """
        values, counts = self._in_parts(at) if self.low_memory else self._sums(at)
        total = float(values.sum() if self.weight is None else self.weight @ values)
        return Expectation(total + self.log_prior(at), self._mended(counts, at, before))

    def _sums(self, at: Parameters) -> tuple[Floats, Counts]:
        """Log likelihoods and counts, all sequences at once."""
        if self._counts_alone:
            return self._counted(at)
        table = self.log_emission(at)
        values, share, pairs = (self._best if self.hard else self._smoothed)(table, at)
        refuse_impossible(values)
        some = np.diff(self.offsets) > 0
        first = share[self.offsets[:-1][some]].sum(axis=0)
        # Every step but the last of a sequence is left by a transition.
        visits = pairs.sum(axis=1) + share[self.offsets[1:][some] - 1].sum(axis=0)
        laws = self.emission.statistics(at.laws, self.rows, self._grouped(share), self.n_threads)
        return values, Counts(first, pairs, visits, laws)

    @property
    def _counts_alone(self) -> bool:
        """Whether the emission can go from rows to statistics without a table of posteriors."""
        plain = self.allowed is None and not self.hard
        return plain and self.emission.counts_alone(self.rows, len(self.groups))

    def _counted(self, at: Parameters) -> tuple[Floats, Counts]:
        """The same for symbols and few states: counts alone."""
        sums = self.emission.counted(
            at.laws, self.groups, self.rows, self.offsets, at.start, at.transition, self.weight,
            self.n_threads,
        )  # fmt: skip
        refuse_impossible(sums.log_likelihood)
        laws = StateCounts(np.ascontiguousarray(self._grouped(sums.shown).T))
        return sums.log_likelihood, Counts(sums.first, sums.pairs, sums.visits, laws)

    def _mended(self, counts: Counts, at: Parameters, before: Floats | None) -> Counts:
        """The law of all rows for a state without mass: a second start, never a fit to nothing."""
        visits = counts.visits if before is None else counts.visits + before
        lost = without_mass(visits)
        if not len(lost):
            return counts
        kept = np.delete(np.arange(len(visits)), lost)
        gone = np.setdiff1d(self.groups[lost], self.groups[kept])  # laws that no other state shows
        laws = counts.laws
        if len(gone) and "emission" not in self.fixed:
            mass = counts.visits.sum() / len(visits)
            for part in self.parts():
                share = np.zeros((len(part.rows), int(self.groups.max()) + 1))
                share[:, gone] = (mass / self._steps * part.row_weight())[:, None]
                laws = laws + part.emission.statistics(at.laws, part.rows, share, self.n_threads)
        return counts._replace(laws=laws, lost=tuple(lost.tolist()))

    @property
    def _steps(self) -> float:
        lengths = np.diff(self.offsets)
        return float(lengths.sum() if self.weight is None else self.weight @ lengths)

    def row_weight(self) -> Floats:
        """How often each row counts."""
        if self.weight is None:
            return np.ones(len(self.rows))
        return np.repeat(self.weight, np.diff(self.offsets))

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
            start = shares_of(counts.first[None], start[None], self.start_prior)[0]
        if "transition" not in self.fixed:
            transition = shares_of(counts.pairs, transition, self.transition_prior)
        if "emission" not in self.fixed:
            laws = self.emission.fit(counts.laws)
        new = tuple(k for k in counts.lost if k not in before.reseeded)
        idle = tuple(k for k in counts.lost if k not in new)
        after = Parameters(start, transition, laws, before.reseeded + new, idle)
        told = lost_told(new, tuple(k for k in idle if k not in before.idle), self.fixed)
        if not told:
            return after
        return Repaired(self._reseeded(after, before, new), told)

    def _reseeded(self, at: Parameters, before: Parameters, new: tuple[int, ...]) -> Parameters:
        """A little mass for states that had none, wherever the structure lets it."""
        if "emission" in self.fixed:
            return at
        start, transition = at.start, at.transition
        if "start" not in self.fixed:
            free = before.start > 0 if self.open_start is None else self.open_start
            start = with_mass(start[None], free[None], new)[0]
        if "transition" not in self.fixed:
            free = before.transition > 0 if self.open_transition is None else self.open_transition
            transition = with_mass(transition, free, new)
        return replace(at, start=start, transition=transition)

    def log_prior(self, at: Parameters) -> float:
        """Of all parameters, up to a constant; structural zeros have none."""
        value = self.emission.log_prior(at.laws)
        for prior, table in ((self.start_prior, at.start), (self.transition_prior, at.transition)):
            if prior != 1.0:
                value += (prior - 1.0) * float(np.log(table[table > 0]).sum())
        return value

    def _in_parts(self, at: Parameters) -> tuple[Floats, Counts]:
        """The same with memory in proportion to the root of the longest sequence."""
        if self._counts_alone:
            return self._counted(at)
        values, total = [], None
        for part in self.parts():
            if not len(part.rows):
                values += [0.0] * (len(part.offsets) - 1)
                continue
            long = len(part.offsets) == 2 and len(part.rows) > part_size(len(part.rows))
            sums, own = part._in_pieces(at) if long else part._sums(at)
            refuse_impossible(sums, len(values))
            values += sums.tolist()
            total = own if total is None else total + own
        assert total is not None  # there is a step somewhere
        return np.array(values), total

    def _in_pieces(self, at: Parameters) -> tuple[Floats, Counts]:
        """Of one long sequence."""
        k, weight = len(at.start), 1.0 if self.weight is None else float(self.weight[0])

        def consume(piece: Piece) -> Counts:
            part, share = self._rows_of(piece.first, piece.last), weight * piece.posterior
            statistics = part.emission.statistics(
                at.laws, part.rows, self._grouped(share), self.n_threads
            )
            begin = share[0] if piece.first == 0 else np.zeros(k)
            return Counts(begin, np.zeros((k, k)), share.sum(axis=0), statistics)

        length = len(self.rows)
        swept = chain_smooth_pieces(
            lambda a, b: self._rows_of(a, b).log_emission(at), length, at.start, at.transition,
            consume, size=part_size(length),
        )  # fmt: skip
        value = np.array([swept.log_likelihood])
        refuse_impossible(value)
        return value, swept.total._replace(pairs=weight * swept.counts)

    def parts(self) -> Iterator["Learning"]:
        """Problems of whole sequences: many of few steps, or a long one by itself."""
        for some in divided(self.offsets):
            begin, end = int(self.offsets[some.start]), int(self.offsets[some.stop])
            weight = None if self.weight is None else self.weight[some]
            offsets = self.offsets[some.start : some.stop + 1] - begin
            yield replace(self._rows_of(begin, end), offsets=offsets, weight=weight)

    def _rows_of(self, first: int, last: int) -> "Learning":
        allowed = None if self.allowed is None else self.allowed[first:last]
        return replace(self, rows=self.rows[first:last], allowed=allowed)

    def _smoothed(self, table: Floats, at: Parameters) -> tuple[Floats, Floats, Floats]:
        smoothed = chain_smooth(
            table, self.offsets, at.start, at.transition, weight=self.weight,
            n_threads=self.n_threads,
        )  # fmt: skip
        return smoothed.log_likelihood, smoothed.posterior, smoothed.counts

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
