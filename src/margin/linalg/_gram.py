"""Weighted Gram matrices and moments in one chunked pass, without a copy of the data."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

Floats = NDArray[np.float64]

_CHUNK_BYTES = 1 << 20  # a chunk and its scaled copy stay in the second-level cache


def row_chunks(n_rows: int, n_columns: int, size: int = _CHUNK_BYTES) -> list[slice]:
    """Slices of rows, each about ``size`` bytes of float64, one megabyte by default.

    Examples
    --------
    >>> row_chunks(5, 1 << 16)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    rows = max(1, size // (8 * max(1, n_columns)))
    return [slice(at, min(at + rows, n_rows)) for at in range(0, n_rows, rows)]


def weighted_means(X: NDArray[Any], weight: Floats | None = None) -> Floats:
    """Column means in float64, weighted if asked, and exact for constant columns.

    A rounded mean would leave rounding errors where a constant column must become zeros.

    Examples
    --------
    >>> import numpy as np
    >>> weighted_means(np.full((50, 1), 0.1)) - 0.1
    array([0.])
    """
    if weight is None:
        means = X.mean(axis=0, dtype=np.float64)
    elif X.dtype == np.float64:
        means = weight @ X / weight.sum()
    else:
        chunks = row_chunks(*X.shape)
        means = sum(weight[c] @ X[c].astype(np.float64) for c in chunks) / weight.sum()
    constant = _constant_columns(X, weight)
    first = 0 if weight is None else int(np.argmax(weight > 0))
    means[constant] = X[first, constant]
    return np.asarray(means)


def _constant_columns(X: NDArray[Any], weight: Floats | None) -> NDArray[np.intp]:
    """Indices of the columns with one value in all rows that count."""
    first = X[0 if weight is None else int(np.argmax(weight > 0))]
    left = np.arange(X.shape[1])
    for chunk in row_chunks(*X.shape):
        same = X[chunk][:, left] == first[left]
        if weight is not None:
            same |= (weight[chunk] == 0)[:, None]
        left = left[same.all(axis=0)]
        if not left.size:
            break
    return left


def gram(
    X: NDArray[Any],
    weight: Floats | None = None,
    centre: Floats | None = None,
    targets: Floats | None = None,
    group: NDArray[np.integer] | None = None,
) -> tuple[Floats, Floats | None]:
    r"""Weighted Gram matrix :math:`\sum_i s_i (x_i - c)(x_i - c)^\top` and moments with targets.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        float32 or float64 in any memory order; sums are float64.
    weight : ndarray of shape (n,), optional
        Non-negative weights :math:`s_i`.
    centre : ndarray of shape (p,), optional
        Subtracted from every row, which keeps the digits that the difference of two large sums
        would lose.
    targets : ndarray of shape (n, k), optional
        Gives :math:`\sum_i s_i (x_i - c)\, t_i^\top` as well.
    group : ndarray of shape (n,), optional
        With it ``centre`` has one row per group, and each row is centred by its own.

    Returns
    -------
    gram : ndarray of shape (p, p), Fortran-ordered, symmetric
    moments : ndarray of shape (p, k) or None

    Notes
    -----
    :math:`n p^2` multiplications (half by symmetry), one read of ``X``, extra memory of two
    chunks and the result.

    Examples
    --------
    >>> import numpy as np
    >>> gram(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]))[0]
    array([[3., 3.],
           [3., 5.]])
    """
    n, p = X.shape
    lower = np.zeros((p, p), order="F")
    moments = None if targets is None else np.zeros((p, targets.shape[1]))
    chunks = row_chunks(n, p) if p else []
    room = np.empty((chunks[0].stop if chunks else 0, p))
    for chunk in chunks:
        rows = room[: chunk.stop - chunk.start]
        middle = centre if group is None or centre is None else centre[group[chunk]]
        np.subtract(X[chunk], 0.0 if middle is None else middle, out=rows)
        if moments is not None and targets is not None:
            wanted = targets[chunk] if weight is None else weight[chunk, None] * targets[chunk]
            moments += rows.T @ wanted
        if weight is not None:
            rows *= np.sqrt(weight[chunk])[:, None]
        lower = blas.dsyrk(1.0, rows.T, beta=1.0, c=lower, lower=1, overwrite_c=1)
    return _mirrored(lower), moments


def row_gram(X: NDArray[Any], centre: Floats | None = None) -> Floats:
    r"""Matrix of scalar products of centred rows, :math:`(x_i - c)^\top (x_j - c)`.

    Accumulated over chunks of columns; memory of one chunk and the result.

    Examples
    --------
    >>> import numpy as np
    >>> row_gram(np.array([[3.0, 4.0]]))
    array([[25.]])
    """
    n, p = X.shape
    lower = np.zeros((n, n), order="F")
    # BLAS wants the chunk column by column; a row-ordered chunk is the same bytes, transposed.
    order: Literal["C", "F"] = "C" if X.flags.c_contiguous else "F"
    for chunk in row_chunks(p, n, 4 * _CHUNK_BYTES):
        columns = np.empty((n, chunk.stop - chunk.start), order=order)
        np.subtract(X[:, chunk], 0.0 if centre is None else centre[chunk], out=columns)
        stored, trans = (columns.T, 1) if order == "C" else (columns, 0)
        lower = blas.dsyrk(1.0, stored, beta=1.0, c=lower, trans=trans, lower=1, overwrite_c=1)
    return _mirrored(lower)


def _mirrored(lower: Floats) -> Floats:
    """Symmetric matrix from its lower triangle, in place; above it are zeros."""
    lower += np.tril(lower, -1).T
    return lower
