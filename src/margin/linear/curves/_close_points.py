"""Abscissae that are one beside the gaps around them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats, Places
from margin.linear.curves._curve_data import DistinctPoints

CLOSEST = 1e-5  # of the gaps around a group: wider ones are solved as they are
_SLOPE = 1e-8  # share of a group's say in the slope of the curve that may be left out


@dataclass(frozen=True, eq=False)
class CloseGroups:
    r"""Groups of neighbours between gaps beside which they are one point.

    The equations of a spline hold the inverse gaps, and those of a group of width :math:`w` between
    gaps of at least :math:`H` lose :math:`\alpha / (w^2 H)` times a rounding. Taken for repetitions
    of one point they lose what they say of the slope there, :math:`s w^2` against the stiffness
    :math:`\alpha / H` of the curve. So beyond the strength :math:`10^8 s w^2 H` they are one. At
    the ends of the data nothing is lost: there are no equations across.

    Parameters
    ----------
    first, last : ndarray of shape (n_groups,)
        Places of their ends.
    strength : ndarray of shape (n_groups,)
        Beyond which they are one.
    """

    first: Places
    last: Places
    strength: Floats

    @classmethod
    def of(cls, data: DistinctPoints) -> CloseGroups:
        """Groups of sorted points: those that hang together below each power of ten."""
        x, total = data.points, np.concatenate([[0.0], np.cumsum(data.weight)])
        gap = np.diff(x)
        none = np.zeros(0, dtype=np.intp)
        if len(x) < 4 or gap.min() > CLOSEST * gap.max():
            return cls(none, none, np.zeros(0))
        around = np.concatenate([[np.inf], gap, [np.inf]])
        parts: list[tuple[Places, Places, Floats]] = []
        for level in gap.max() * 10.0 ** -np.arange(np.log10(gap.max() / gap.min()) + 1.0):
            first = np.flatnonzero(around[:-1] >= level)
            last = np.append(first[1:], len(x)) - 1
            outside = np.minimum(around[first], around[last + 1])
            width = x[last] - x[first]
            inner = np.isfinite(around[first]) & np.isfinite(around[last + 1])
            close = inner & (last > first) & (width <= CLOSEST * outside)
            weight = total[last + 1] - total[first]
            strength = weight * width**2 * outside / _SLOPE
            parts.append((first[close], last[close], strength[close]))
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def joined(self, data: DistinctPoints, alpha: float) -> DistinctPoints:
        """The data with those groups taken for one point each that are one at a strength.

        Examples
        --------
        >>> x, y = np.array([0.0, 1.0, 1.0 + 1e-9, 2.0]), np.array([0.0, 3.0, 5.0, 1.0])
        >>> data = DistinctPoints(x, y, np.ones(4), 0.0)
        >>> points, mean, weight, ties = CloseGroups.of(data).joined(data, 1.0)
        >>> points.round(6), mean, weight, ties
        (array([0., 1., 2.]), array([0., 4., 1.]), array([1., 2., 1.]), 2.0)
        """
        one = alpha >= self.strength
        if not one.any():
            return data
        inside = np.zeros(len(data.points) + 1, dtype=np.intp)
        np.add.at(inside, self.first[one] + 1, 1)
        np.add.at(inside, self.last[one] + 1, -1)
        group = np.cumsum(np.cumsum(inside[:-1]) == 0) - 1
        total = np.bincount(group, weights=data.weight).astype(np.float64, copy=False)
        points = np.bincount(group, weights=data.weight * data.points) / total
        mean = np.bincount(group, weights=data.weight * data.mean) / total
        ties = data.ties + float(data.weight @ (data.mean - mean[group]) ** 2)
        return DistinctPoints(points, mean, total, ties)
