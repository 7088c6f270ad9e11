"""The E step of mixtures whose laws have independent normal columns."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


class ShiftedColumns(NamedTuple):
    r"""Sums over the observed values of every column, about given centres, for every member.

    Parameters
    ----------
    bound : float
        Weighted sum of the log-likelihoods of the rows.
    total : ndarray of shape (k,)
        How much belongs to each member.
    weight, first, second : ndarray of shape (k, p)
        :math:`\sum_i r_{ik}`, :math:`\sum_i r_{ik} (x_{ij} - c_{kj})` and the sum of squares.
    """

    bound: float
    total: Floats
    weight: Floats
    first: Floats
    second: Floats


def expected_columns(
    X: NDArray[Any],
    weight: Floats | None,
    means: Floats,
    scales: Floats,
    heights: Floats,
    levels: Floats,
    *,
    beta: float = 1.0,
    n_threads: int = 1,
) -> ShiftedColumns:
    r"""Shares of the rows in the members, and sums weighted by them, in one pass.

    The log joint density of row ``i`` and member ``k`` is :math:`l_k - \sum_j [h_{kj} + \tfrac12
    s_{kj}^2 (x_{ij} - m_{kj})^2]` over the observed columns.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        In single or double precision, of any strides; NaN is left out.
    weight : ndarray of shape (n,) or None
    means, scales, heights : ndarray of shape (k, p)
        :math:`m`, :math:`s` and :math:`h`.
    levels : ndarray of shape (k,)
        :math:`l`; ``-inf`` for a member without weight.
    beta : float
        Power of the shares; infinity gives all of a row to its best member.
    n_threads : int
        The answer does not depend on it.
    """
    k, p = means.shape
    sums = np.zeros(k * (1 + 3 * p))
    bound = _native.mixture_columns(
        X,
        weight,
        np.ascontiguousarray(means, dtype=np.float64),
        np.ascontiguousarray(scales, dtype=np.float64),
        np.ascontiguousarray(heights, dtype=np.float64),
        np.ascontiguousarray(levels, dtype=np.float64),
        beta,
        sums,
        n_threads,
    )
    weight_of, first, second = sums[k:].reshape(3, k, p)
    return ShiftedColumns(bound, sums[:k], weight_of, first, second)
