"""The two steps of learning where states last for random times."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from margin.core import FitError
from margin.core.types import Bools, Floats, Indices
from margin.inference import Expectation, Repaired
from margin.native.chains.segments import segment_sums, segment_viterbi
from margin.sequence.hidden_markov._mass import lost_told, shares_of, with_mass, without_mass
from margin.sequence.hidden_markov.emissions._emission import Emission


@dataclass(frozen=True)
class Segmented:
    """Start (K,), transitions (K, K) without stays, durations (K, D), and laws."""

    start: Floats
    transition: Floats
    duration: Floats
    laws: Any
    reseeded: tuple[int, ...] = ()

    def logs(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Logarithms of all, and of the probability that a segment has at least d steps."""
        reach = np.cumsum(self.duration[:, ::-1], axis=1)[:, ::-1]
        with np.errstate(divide="ignore"):
            tables = (self.start, self.transition, self.duration, np.minimum(reach, 1.0))
            start, transition, duration, survival = (
                np.ascontiguousarray(np.log(table)) for table in tables
            )
        return start, transition, duration, survival


class SegmentCounts(NamedTuple):
    """Expected statistics of a pass over the data."""

    first: Floats
    pairs: Floats
    lasted: Floats
    laws: Any
    lost: tuple[int, ...] = ()


@dataclass(frozen=True)
class SegmentLearning:
    """Data and settings of a fit; ``prior`` is a pseudo-count of every duration.

    ``allowed`` are states that a row may be in, (T, K); ``weight`` is of the sequences.
    """

    emission: Emission
    rows: Floats
    offsets: Indices
    prior: float
    n_threads: int
    allowed: Bools | None = None
    weight: Floats | None = None

    def log_emission(self, at: Segmented) -> Floats:
        """Log likelihood of every row in every state that it may be in."""
        table = self.emission.log_prob(at.laws, self.rows, self.n_threads)
        return table if self.allowed is None else np.where(self.allowed, table, -np.inf)

    def smooth(self, at: Segmented) -> tuple[Floats, Floats, Floats, Floats]:
        """Posterior of states, counts of transitions and of durations, log likelihoods.

        All but the last are multiplied by the weights of the sequences.
        """
        table = self.log_emission(at)
        if self.weight is None:
            return segment_sums(table, self.offsets, *at.logs(), self.n_threads)
        k, lengths = len(at.start), np.diff(self.offsets)
        share, values = np.zeros(table.shape), np.zeros(len(lengths))
        pairs, lasted = np.zeros((k, k)), np.zeros(at.duration.shape)
        for weight in np.unique(self.weight):  # sequences that count alike go together
            some = self.weight == weight
            rows = np.repeat(some, lengths)
            ends = np.concatenate([[0], np.cumsum(lengths[some])]).astype(np.int64)
            part = segment_sums(np.ascontiguousarray(table[rows]), ends, *at.logs(), self.n_threads)
            share[rows], values[some] = weight * part[0], part[3]
            pairs, lasted = pairs + weight * part[1], lasted + weight * part[2]
        return share, pairs, lasted, values

    def decode(self, at: Segmented) -> tuple[Any, Floats]:
        """The most probable states."""
        return segment_viterbi(self.log_emission(at), self.offsets, *at.logs(), self.n_threads)

    def expect(self, at: Segmented) -> Expectation[SegmentCounts]:
        """The E step."""
        share, pairs, lasted, values = self.smooth(at)
        bad = np.flatnonzero(~(values > -np.inf))
        if len(bad):
            raise FitError(
                f"sequence {bad[0]} has probability 0: no segments of at most "
                f"{at.duration.shape[1]} steps explain it; raise max_duration, or give start, "
                "transition or duration fewer zeros"
            )
        first = share[self.offsets[:-1][np.diff(self.offsets) > 0]].sum(axis=0)
        visits = share.sum(axis=0)
        lost = without_mass(visits)
        if len(lost):
            # The law of all rows: a second start, and never a fit to nothing.
            each = 1.0 if self.weight is None else np.repeat(self.weight, np.diff(self.offsets))
            share = share.copy()
            share[:, lost] = np.reshape(each * np.ones(len(share)) / visits.size, (-1, 1))
        laws = self.emission.statistics(at.laws, self.rows, share, self.n_threads)
        total = float(values.sum() if self.weight is None else self.weight @ values)
        bound = total + self.emission.log_prior(at.laws)
        if self.prior:
            bound += self.prior * float(np.log(at.duration[at.duration > 0]).sum())
        return Expectation(bound, SegmentCounts(first, pairs, lasted, laws, tuple(lost.tolist())))

    def maximise(self, counts: SegmentCounts, before: Segmented) -> Segmented | Repaired[Segmented]:
        """The M step; zeros stay, and a state without mass is told."""
        new = tuple(k for k in counts.lost if k not in before.reseeded)
        after = Segmented(
            shares_of(counts.first[None], before.start[None], 1.0)[0],
            shares_of(counts.pairs, before.transition, 1.0),
            shares_of(counts.lasted + self.prior, before.duration, 1.0),
            self.emission.fit(counts.laws),
            before.reseeded + new,
        )
        if not new:
            return after
        start = with_mass(after.start[None], before.start[None] > 0, new)[0]
        transition = after.transition
        if len(start) > 1:
            transition = with_mass(transition, before.transition > 0, new)
        return Repaired(replace(after, start=start, transition=transition), lost_told(new, (), ()))
