"""Sums over all pairs of products of distances on two lines, without the pairs."""

import numpy as np

from margin.core.types import Floats
from margin.native.columns.pairs import rising_pairs


def distance_sums(x: Floats) -> Floats:
    r"""Sums :math:`\sum_j |x_i - x_j|` for every ``i``, by sorting.

    Examples
    --------
    >>> distance_sums(np.array([0.0, 1.0, 3.0]))
    array([4., 3., 5.])
    """
    order = np.argsort(x, kind="stable")
    ranked = x[order] - x.mean()
    below = np.arange(len(x))
    before = np.concatenate([[0.0], np.cumsum(ranked)[:-1]])
    total = ranked.sum()
    sums = np.empty(len(x))
    above = len(x) - 1 - below
    sums[order] = (below - above) * ranked + total - 2 * before - ranked
    return sums


def distance_products(x: Floats, y: Floats) -> float:
    r"""Sum :math:`\sum_{ij} |x_i - x_j|\,|y_i - y_j|` over all pairs in :math:`O(n \log n)`.

    With the points in the order of ``x`` the first distance has a known sign, so that the sum is
    twice that of the pairs in which ``y`` rises too, less that of all pairs, which is a covariance.

    Examples
    --------
    >>> distance_products(np.array([0.0, 1.0]), np.array([0.0, 3.0]))
    6.0
    """
    order = np.argsort(x, kind="stable")
    a, b = x[order] - x.mean(), y[order] - y.mean()
    together = len(a) * float(a @ b) - float(a.sum() * b.sum())
    return 2.0 * (2.0 * rising_pairs(a, b) - together)


def squared_distances(x: Floats) -> float:
    r"""Sum :math:`\sum_{ij} (x_i - x_j)^2`, which needs no pairs at all.

    Examples
    --------
    >>> squared_distances(np.array([0.0, 1.0, 3.0]))
    28.0
    """
    centred = x - x.mean()
    return float(2.0 * len(x) * (centred @ centred) - 2.0 * centred.sum() ** 2)
