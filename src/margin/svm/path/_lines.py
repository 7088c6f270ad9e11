"""Coefficients and bias anywhere on a path, from its segments."""

from dataclasses import dataclass

import numpy as np

from margin.svm.path._walk import INSIDE, Segment


@dataclass(frozen=True, eq=False)
class PathLines:
    """A path in the form in which it is kept: sets by their changes, coefficients by their lines.

    Parameters
    ----------
    starts : ndarray of shape (k,), breakpoints.
    segments : list of Segment
    first : ndarray of shape (m,), set of every row at the start.
    when, rows, kinds : ndarray, changes: before which segment, of which row, to which set.
    share : ndarray of shape (m,), sign times weight.
    kept : ndarray of int, shape (m,), rows of the data that have a weight.
    n : int, rows of the data.
    """

    starts: np.ndarray
    segments: list[Segment]
    first: np.ndarray
    when: np.ndarray
    rows: np.ndarray
    kinds: np.ndarray
    share: np.ndarray
    kept: np.ndarray
    n: int

    @classmethod
    def of(cls, walk, kept, n):
        """Lines of a finished walk; ``kept`` are the rows it was given of ``n``."""
        when, rows, kinds = np.array(walk.events, dtype=np.int64).reshape(-1, 3).T
        starts = np.array([segment.start for segment in walk.segments])
        return cls(starts, walk.segments, walk.first_kind, when, rows, kinds, walk.share, kept, n)

    def _at(self, C):
        """Segment and sets of a price."""
        k = max(0, int(np.searchsorted(self.starts, C, side="right")) - 1)
        kind = self.first.copy()
        made = int(np.searchsorted(self.when, k, side="right"))
        kind[self.rows[:made]] = self.kinds[:made]
        return self.segments[k], kind

    def coef(self, C):
        """Signed multipliers of all rows of the data."""
        segment, kind = self._at(C)
        found = np.where(kind == INSIDE, C * self.share, 0.0)
        found[segment.elbow] = segment.p + C * segment.q
        out = np.zeros(self.n)
        out[self.kept] = found
        return out

    def bias(self, C):
        """Bias; where no row is on the margin, the middle of what the others allow."""
        segment, kind = self._at(C)
        if segment.sums is None:
            return float(segment.bias[0] + C * segment.bias[1])
        sign = np.sign(self.share)
        room, above = sign - C * segment.sums, (kind == INSIDE) == (sign > 0)
        top, low = room[above].min(initial=np.inf), room[~above].max(initial=-np.inf)
        ends = [end for end in (top, low) if np.isfinite(end)]
        return float(np.mean(ends))
