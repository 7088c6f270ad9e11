"""The path of a soft margin: coefficients and bias at any price of errors."""

from dataclasses import dataclass

import numpy as np

from margin.core.progress import Callback
from margin.core.types import Floats, Indices, Places
from margin.optim.paths._margin_walk import INSIDE, MarginWalk, Segment


@dataclass(frozen=True, eq=False)
class MarginPath:
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
    top : float, price up to which the path holds; infinite if nothing more can happen.
    restarts : int, how often rounding made the walk begin anew.
    """

    starts: Floats
    segments: tuple[Segment, ...]
    first: Places
    when: Indices
    rows: Indices
    kinds: Indices
    share: Floats
    kept: Indices
    n: int
    top: float = np.inf
    restarts: int = 0

    def _at(self, C: float) -> tuple[Segment, Places]:
        """Segment and sets of a price."""
        k = max(0, int(np.searchsorted(self.starts, C, side="right")) - 1)
        kind = self.first.copy()
        changes = int(np.searchsorted(self.when, k, side="right"))
        kind[self.rows[:changes]] = self.kinds[:changes]
        return self.segments[k], kind

    def coef(self, C: float) -> Floats:
        """Signed multipliers of all rows of the data."""
        segment, kind = self._at(C)
        beta = np.where(kind == INSIDE, C * self.share, 0.0)
        beta[segment.elbow] = segment.p + C * segment.q
        out = np.zeros(self.n)
        out[self.kept] = beta
        return out

    def bias(self, C: float) -> float:
        """Bias; where no row is on the margin, the middle of what the others allow."""
        segment, kind = self._at(C)
        if segment.sums is None:
            return float(segment.bias[0] + C * segment.bias[1])
        sign = np.sign(self.share)
        room, above = sign - C * segment.sums, (kind == INSIDE) == (sign > 0)
        top, low = room[above].min(initial=np.inf), room[~above].max(initial=-np.inf)
        ends = [end for end in (top, low) if np.isfinite(end)]
        return float(np.mean(ends))


def margin_path(
    K: Floats,
    sign: Floats,
    weight: Floats,
    *,
    C_min: float = 0.0,
    C_max: float = np.inf,
    max_events: int | None = None,
    kept: Indices | None = None,
    n: int | None = None,
    callback: Callback | None = None,
) -> MarginPath:
    r"""Follow the support vector machine of every price :math:`C` of errors (svm.03).

    The coefficients are piecewise linear in :math:`C`: between two events every row stays outside,
    on, or inside the margin, and the rows on it follow from one linear system.

    Parameters
    ----------
    K : ndarray of shape (m, m)
        Positive semi-definite kernel matrix; overwritten.
    sign : ndarray of shape (m,), labels of +1 and -1.
    weight : ndarray of shape (m,), positive factors of :math:`C`.
    C_min, C_max : float
        Where the path begins and ends.
    max_events : int, optional
        Most events; 1000 and a hundred per row by default.
    kept, n : ndarray of int and int, optional
        Which rows of ``n`` the matrix is of; all by default.
    callback : callable, optional
        Called as ``callback(event, C)``.

    Returns
    -------
    MarginPath

    Raises
    ------
    FitError
        If ``max_events`` do not lead to ``C_max``.

    Notes
    -----
    An event costs :math:`O(m e + e^2)` for :math:`e` rows on the margin.

    References
    ----------
    Hastie, Rosset, Tibshirani, Zhu, "The entire regularization path for the support vector
    machine", JMLR 2004.

    Examples
    --------
    Two points at distance two: both are inside until the margin fits between them.

    >>> import numpy as np
    >>> x = np.array([-1.0, 1.0])
    >>> path = margin_path(np.outer(x, x), x, np.ones(2))
    >>> path.coef(0.25), path.coef(10.0)
    (array([-0.25,  0.25]), array([-0.5,  0.5]))
    """
    walk = MarginWalk(K, sign, weight)
    top = walk.run(C_min, C_max, int(max_events or 1000 + 100 * len(sign)), callback)
    rows = np.arange(len(sign)) if kept is None else kept
    return gathered(walk, float(top), rows, len(sign) if n is None else n)


def gathered(walk: MarginWalk, top: float, kept: Indices, n: int) -> MarginPath:
    """The path of a finished walk, which was given the rows ``kept`` of ``n``."""
    when, rows, kinds = np.array(walk.events, dtype=np.int64).reshape(-1, 3).T
    starts = np.array([segment.start for segment in walk.segments])
    return MarginPath(
        starts,
        tuple(walk.segments),
        walk.first_kind,
        when,
        rows,
        kinds,
        walk.share,
        kept,
        n,
        top,
        walk.restarts,
    )
