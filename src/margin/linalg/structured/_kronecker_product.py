"""Tensor products of matrices acting on values at the points of a grid."""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats

_BLOCK = 1 << 22
_OFTEN = 4


def kronecker_product(matrices: Sequence[Floats], Y: Floats) -> Floats:
    r"""The product :math:`(M_1 \otimes \dots \otimes M_d)\, Y`, one axis at a time (linalg.11).

    Parameters
    ----------
    matrices : sequence of ndarray of shape (p_j, n_j)
    Y : ndarray of shape (n_1 ⋯ n_d, k)
        Values on the grid in columns, the last axis running fastest.

    Returns
    -------
    ndarray of shape (p_1 ⋯ p_d, k)

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.array([[1.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> kronecker_product([A, B], np.arange(4.0)[:, None]).ravel()
    array([2., 8.])
    """
    k = Y.shape[1]
    image = Y
    for M in matrices:
        # The axis that is done goes last, so that the next one is in front.
        image = (M @ image.reshape(M.shape[1], -1)).T
    return np.ascontiguousarray(image.reshape(k, -1).T)


def kronecker_rows(
    matrices: Sequence[Floats], index: Sequence[NDArray[np.intp]], Y: Floats
) -> Floats:
    r"""Chosen rows of a tensor product applied to values on a grid.

    Row ``t`` of the answer is :math:`\sum_{i_1 \dots i_d} Y_{i_1 \dots i_d} \prod_j
    (M_j)_{\iota_j(t),\, i_j}`. If the rows asked for fill a good part of a grid of their own the
    whole product is made, else one row after the other.

    Parameters
    ----------
    matrices : sequence of ndarray of shape (p_j, n_j)
    index : sequence of ndarray of shape (t,)
        Row of each matrix.
    Y : ndarray of shape (n_1 ⋯ n_d, k)

    Returns
    -------
    ndarray of shape (t, k)

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.array([[1.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> kronecker_rows([A, B], [np.array([0]), np.array([1])], np.arange(4.0)[:, None])
    array([[8.]])
    """
    shape = tuple(len(M) for M in matrices)
    count, k = len(index[0]), Y.shape[1]
    if prod(shape) <= _OFTEN * count:
        return kronecker_product(matrices, Y)[np.ravel_multi_index(tuple(index), shape)]
    front = Y.reshape(matrices[0].shape[1], -1)
    step = max(1, _BLOCK // max(1, front.shape[1]))
    # Few different rows of the first matrix are multiplied once, many a block at a time.
    known = matrices[0] @ front if shape[0] <= step else None
    diagonal = np.empty((count, k))
    for start in range(0, count, step):
        rows = slice(start, start + step)
        at = index[0][rows]
        part = matrices[0][at] @ front if known is None else known[at]
        for M, at in zip(matrices[1:], index[1:], strict=True):
            left = M[at[rows]][:, None, :]
            part = (left @ part.reshape(len(part), M.shape[1], -1))[:, 0]
        diagonal[rows] = part.reshape(-1, k)
    return diagonal


def kronecker_columns(matrices: Sequence[Floats], index: Sequence[NDArray[np.intp]]) -> Floats:
    """Chosen rows of a tensor product themselves, as columns of shape (n_1 ⋯ n_d, t).

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.array([[1.0, 3.0]]), np.array([[1.0, 2.0]])
    >>> kronecker_columns([A, B], [np.array([0]), np.array([0])]).ravel()
    array([1., 2., 3., 6.])
    """
    rows = np.ones((1, len(index[0])))
    for M, at in zip(matrices, index, strict=True):
        rows = (rows[:, None, :] * M[at].T[None]).reshape(len(rows) * M.shape[1], len(at))
    return rows
