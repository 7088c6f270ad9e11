"""The two steps of learning where states last for random times."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from margin.core import FitError
from margin.core.types import Floats, Indices
from margin.inference import Expectation
from margin.native.chains.segments import segment_sums, segment_viterbi
from margin.sequence.hidden_markov._emission import Emission


@dataclass(frozen=True)
class Segmented:
    """Start (K,), transitions (K, K) without stays, durations (K, D), and laws."""

    start: Floats
    transition: Floats
    duration: Floats
    laws: Any

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


@dataclass(frozen=True)
class SegmentLearning:
    """Data and settings of a fit; ``prior`` is a pseudo-count of every duration."""

    emission: Emission
    rows: Floats
    offsets: Indices
    prior: float
    n_threads: int

    def smooth(self, at: Segmented) -> tuple[Floats, Floats, Floats, Floats]:
        """Posterior of states, counts of transitions and of durations, log likelihoods."""
        table = self.emission.log_prob(at.laws, self.rows, self.n_threads)
        return segment_sums(table, self.offsets, *at.logs(), self.n_threads)

    def decode(self, at: Segmented) -> tuple[Any, Floats]:
        """The most probable states."""
        table = self.emission.log_prob(at.laws, self.rows, self.n_threads)
        return segment_viterbi(table, self.offsets, *at.logs(), self.n_threads)

    def expect(self, at: Segmented) -> Expectation[SegmentCounts]:
        """The E step."""
        share, pairs, lasted, values = self.smooth(at)
        bad = np.flatnonzero(~(values > -np.inf))
        if len(bad):
            raise FitError(
                f"sequence {bad[0]} has probability 0: no segments of at most "
                f"{at.duration.shape[1]} steps explain it; raise max_duration"
            )
        first = share[self.offsets[:-1][np.diff(self.offsets) > 0]].sum(axis=0)
        share = share + 1e-12  # a state without mass keeps a law
        laws = self.emission.statistics(at.laws, self.rows, share, self.n_threads)
        bound = float(values.sum()) + self.emission.log_prior(at.laws)
        if self.prior:
            bound += self.prior * float(np.log(at.duration).sum())
        return Expectation(bound, SegmentCounts(first, pairs, lasted, laws))

    def maximise(self, counts: SegmentCounts, before: Segmented) -> Segmented:
        """The M step."""
        return Segmented(
            _rows(counts.first[None], before.start[None])[0],
            _rows(counts.pairs, before.transition),
            _rows(counts.lasted + self.prior, before.duration),
            self.emission.fit(counts.laws),
        )


def _rows(counts: Floats, before: Floats) -> Floats:
    more = np.where(before > 0, counts, 0.0)
    total = more.sum(axis=1, keepdims=True)
    return np.where(total > 0, more / np.where(total > 0, total, 1.0), before)
