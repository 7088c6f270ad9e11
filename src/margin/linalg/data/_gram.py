"""Weighted Gram matrices and moments in one pass, without a copy of the data."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.core import threads
from margin.core.types import Floats
from margin.native.columns.gram import column_products, row_products

_CHUNK_BYTES = 1 << 20  # a chunk and its scaled copy stay in the second-level cache
_SAMPLE = 256


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
        means = np.add.reduce(X, axis=0, dtype=np.float64) / len(X)
    elif X.dtype == np.float64:
        means = weight @ X / weight.sum()
    else:
        chunks = row_chunks(*X.shape)
        means = sum(weight[c] @ X[c].astype(np.float64) for c in chunks) / weight.sum()
    constant = _constant_columns(X, weight)
    if constant.size:
        first = 0 if weight is None else int(np.argmax(weight > 0))
        means[constant] = X[first, constant]
    return np.asarray(means)


def _constant_columns(X: NDArray[Any], weight: Floats | None) -> NDArray[np.intp]:
    """Indices of the columns with one value in all rows that count."""
    ends = [0, -1] if weight is None else np.flatnonzero(weight > 0)[[0, -1]]
    first = X[ends[0]]
    # Mostly none, which spares the search.
    left: NDArray[np.intp] = (X[ends[1]] == first).nonzero()[0]
    for chunk in row_chunks(*X.shape) if left.size else []:
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
    n_threads: int | None = None,
    rows: NDArray[np.integer] | None = None,
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
    n_threads : int, optional
        All that the process may use unless given.
    rows : ndarray of int, optional
        Rows to sum over, all unless given; the other arguments still have one entry per row of X.

    Returns
    -------
    gram : ndarray of shape (p, p), symmetric
    moments : ndarray of shape (p, k) or None

    Notes
    -----
    :math:`n p^2` multiplications (half by symmetry), one read of ``X``, extra memory of a block of
    256 rows and the result. The same numbers for any number of threads.

    Examples
    --------
    >>> import numpy as np
    >>> gram(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]))[0]
    array([[3., 3.],
           [3., 5.]])
    """
    wanted = np.empty((len(X), 0)) if targets is None else np.ascontiguousarray(targets, float)
    matrix, _, moments = column_products(
        X,
        None if weight is None else np.ascontiguousarray(weight, float),
        None if centre is None else np.ascontiguousarray(np.atleast_2d(centre), float),
        None if group is None else np.ascontiguousarray(group, np.int64),
        wanted,
        threads.count(n_threads),
        None if rows is None else np.ascontiguousarray(rows, np.int64),
    )
    return matrix, None if targets is None else moments


class Scatter(NamedTuple):
    r"""Weighted means of features, centred Gram matrix, and moments with centred targets."""

    mean: Floats
    gram: Floats
    moments: Floats


def scatter(X: NDArray[Any], targets: Floats, weight: Floats | None, n_threads: int) -> Scatter:
    r"""Means and centred products from one read of the data.

    The rows are centred by a rough mean :math:`c` first: with :math:`d = \bar x - c`,
    :math:`\sum_i s_i (x_i - \bar x)(x_i - \bar x)^\top =
    \sum_i s_i (x_i - c)(x_i - c)^\top - s\, d d^\top`, which loses no digits as long as :math:`d`
    is no larger than the spread. A column where it is larger costs a second read.

    Examples
    --------
    >>> import numpy as np
    >>> sums = scatter(np.array([[1.0], [3.0]]), np.array([[-2.0], [2.0]]), None, 1)
    >>> sums.mean, sums.gram, sums.moments
    (array([2.]), array([[2.]]), array([[4.]]))
    """
    total = float(len(X)) if weight is None else float(weight.sum())
    centre, rounds = _rough_centre(X, weight), 0
    while True:
        matrix, sums, moments = column_products(X, weight, centre[None], None, targets, n_threads)
        offset = sums / total
        matrix -= sums[:, None] * offset
        rounds += 1
        if rounds == 2 or not (sums * offset > matrix.diagonal()).any():
            break
        centre = centre + offset
    level = np.add.reduce(targets, axis=0) if weight is None else weight @ targets
    moments -= offset[:, None] * level
    return Scatter(centre + offset, matrix, moments)


def _rough_centre(X: NDArray[Any], weight: Floats | None) -> Floats:
    """Means of some rows that count, and exactly the value of a column constant in them."""
    if weight is None:
        some = X[:: max(1, len(X) // _SAMPLE)]
    else:
        rows = np.flatnonzero(weight > 0)
        some = X[rows[:: max(1, len(rows) // _SAMPLE)]]
    centre = np.add.reduce(some, axis=0, dtype=np.float64) / len(some)
    same = some[-1] == some[0]  # mostly nowhere, which spares the search
    if same.any():
        centre = np.where(same & (some == some[0]).all(axis=0), some[0], centre)
    return np.asarray(centre, dtype=np.float64)


def row_gram(X: NDArray[Any], centre: Floats | None = None, n_threads: int | None = None) -> Floats:
    r"""Matrix of scalar products of centred rows, :math:`(x_i - c)^\top (x_j - c)`.

    Memory of a block of 256 columns and the result.

    Examples
    --------
    >>> import numpy as np
    >>> row_gram(np.array([[3.0, 4.0]]))
    array([[25.]])
    """
    middle = None if centre is None else np.ascontiguousarray(centre, float)
    return row_products(X, middle, threads.count(n_threads))
