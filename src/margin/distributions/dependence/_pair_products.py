"""Sums over all pairs of products of distances on two lines, without the pairs."""

import numpy as np

from margin.core.types import Floats


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

    With the points in the order of ``x`` the first distance has a known sign. The second is
    :math:`(y_j - y_i) + 2 (y_i - y_j) [y_j < y_i]`, so that sums over earlier points that lie
    lower are all that is needed.

    Examples
    --------
    >>> distance_products(np.array([0.0, 1.0]), np.array([0.0, 3.0]))
    6.0
    """
    order = np.argsort(x, kind="stable")
    a, b = x[order] - x.mean(), y[order] - y.mean()
    weights = np.stack([np.ones(len(a)), a, b, a * b])
    before = np.cumsum(weights, axis=1) - weights
    lower = earlier_and_lower(b, weights)
    signed = 2.0 * lower - before
    pairs = signed[0] * a * b - signed[1] * b - signed[2] * a + signed[3]
    return float(2.0 * pairs.sum())


def earlier_and_lower(y: Floats, weights: Floats) -> Floats:
    """For every position the sums of the weights of earlier positions with a smaller ``y``.

    Parameters
    ----------
    y : ndarray of shape (n,)
    weights : ndarray of shape (m, n)

    Returns
    -------
    ndarray of shape (m, n)

    Notes
    -----
    The positions are sorted by ``y`` once; halving them by position, again and again, keeps that
    order, and in each block the lower ones of the first half are summed up for the second. Every
    level is a handful of passes over the arrays. Equal values may count or not: what they are
    multiplied with is zero.

    Examples
    --------
    >>> earlier_and_lower(np.array([2.0, 1.0, 3.0]), np.ones((1, 3)))
    array([[0., 0., 2.]])
    """
    n = y.size
    size = 1 << max(int(np.ceil(np.log2(max(n, 1)))), 0)
    padded = np.zeros((len(weights), size))
    padded[:, :n] = weights
    rank = np.concatenate([np.argsort(y, kind="stable"), np.arange(n, size)])
    sums = np.zeros_like(padded)
    width = size
    while width > 1:
        half = width // 2
        first = (rank % width) < half
        inside = np.where(first, padded[:, rank], 0.0).reshape(len(weights), -1, width)
        running = np.cumsum(inside, axis=2).reshape(len(weights), size)
        later = rank[~first]
        sums[:, later] += running[:, ~first]
        # A stable partition of every block: first halves in front, both still in order of y.
        blocks = first.reshape(-1, width)
        behind = half + np.cumsum(~blocks, axis=1) - 1
        place = np.where(blocks, np.cumsum(blocks, axis=1) - 1, behind)
        target = (place + np.arange(len(blocks))[:, None] * width).ravel()
        moved = np.empty_like(rank)
        moved[target] = rank
        rank, width = moved, half
    return sums[:, :n]
