"""Passes over the columns of a data matrix, dense in either order or compressed (CSC)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Index = NDArray[np.int64]


def correlate(X: NDArray[Any], v: Floats, shift: Floats, n_threads: int) -> Floats:
    """Products of a vector with the shifted columns of a dense matrix, ``(X - shift).T @ v``.

    A column that equals its shift everywhere gives exactly zero.
    """
    out = np.empty(X.shape[1])
    _native.correlate(X, v, shift, out, n_threads)
    return out


def gather_columns(
    X: NDArray[Any], index: Index, root: Floats, centred: bool
) -> tuple[Floats, Floats]:
    """Columns of a dense matrix as rows, times ``root``, and what was subtracted from each.

    With ``centred`` the weighted mean (weights ``root**2``) is subtracted first; a constant column
    becomes exact zeros.
    """
    out, mean = np.empty((len(index), X.shape[0])), np.empty(len(index))
    _native.gather_columns(X, index, root, centred, out, mean)
    return out, mean


def weighted_moments(
    columns: Any, index: Index, h: Floats, n_threads: int
) -> tuple[Floats, Floats]:
    """Sums of ``h * x`` and of ``h * x**2`` for the columns of that index.

    ``columns`` is a CSC matrix, or a dense array that holds one column per row.
    """
    first, second = np.empty(len(index)), np.empty(len(index))
    if isinstance(columns, np.ndarray):
        _native.weighted_moments(columns, index, h, first, second, n_threads)
    else:
        _native.weighted_moments(
            columns.indptr, columns.indices, columns.data, index, h, first, second, n_threads
        )
    return first, second


def add_rows(rows: Floats, coef: Floats, out: Floats) -> None:
    """Add ``coef @ rows[: len(coef)]`` to ``out`` in place; rows with a zero are not read."""
    _native.combine_rows(rows, coef, out)


def add_columns(columns: Any, index: Index, coef: Floats, out: Floats) -> None:
    """Add ``X[:, index] @ coef`` to ``out`` in place, for a CSC matrix."""
    if len(out) != columns.shape[0]:
        raise ValueError(f"add_columns: out must be of length {columns.shape[0]}, got {len(out)}")
    _native.sparse_combine(columns.indptr, columns.indices, columns.data, index, coef, out)
