"""Smoother over a sum of Matérn processes: the function at old and new points together."""

from typing import NamedTuple

import numpy as np

from margin.core.types import Floats
from margin.inference.state_space._series import MaternSum, Series
from margin.native.series import state_space


class Smoothed(NamedTuple):
    r"""The process given the data.

    Parameters
    ----------
    mean : ndarray of shape (m, k)
        Of the function at new points, for every column of the data.
    var : ndarray of shape (m,)
    solved : ndarray of shape (n, k)
        :math:`C^{-1} y`.
    inverse : ndarray of shape (n,)
        Diagonal of :math:`C^{-1}`.
    """

    mean: Floats
    var: Floats
    solved: Floats
    inverse: Floats


def matern_smoother(process: MaternSum, series: Series, x: Floats, jitter: float = 0.0) -> Smoothed:
    r"""Mean and variance of the function at new points, in :math:`O(n + m)` but for sorting.

    Parameters
    ----------
    process : MaternSum
    series : Series
        Observations.
    x : ndarray of shape (m,)
        New coordinates, in any order.
    jitter : float
        Added to the noise of every observation.

    Examples
    --------
    >>> import numpy as np
    >>> process = MaternSum(np.array([1], dtype=np.int32), np.array([[1.0], [1.0]]), 0.1)
    >>> one = Series.of(np.zeros(1), np.zeros(1), np.ones((1, 1)))
    >>> mean = matern_smoother(process, one, np.array([1.0])).mean
    >>> mean.round(6), round(float(np.exp(-1)) / 1.1, 6)
    (array([[0.334436]]), 0.334436)
    """
    n, m = len(series.x), len(x)
    points = np.concatenate([series.x, x])
    order = np.argsort(points, kind="stable")
    place = np.empty(n + m, dtype=np.intp)
    place[order] = np.arange(n + m)
    old, new = place[:n], place[n:]
    data, noise = np.zeros((n + m, series.data.shape[1])), np.zeros(n + m)
    marked = np.zeros(n + m, dtype=np.uint8)
    data[old], marked[old] = series.data, 1
    noise[old] = series.noise + process.level + jitter
    gap = np.diff(points[order], prepend=points[order[:1]])
    result = state_space.smooth(process.order, process.scales, gap, noise, marked, data)
    return Smoothed(result.mean[new], result.var[new], result.solved[old], result.inverse[old])
