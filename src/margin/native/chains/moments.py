"""Weighted moments of rows about a centre of each state."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
MOST_COLUMNS = 64


def weighted_moments(
    X: Floats, shares: Floats, centres: Floats, n_threads: int, *, diagonal: bool = False
) -> tuple[Floats, Floats, Floats]:
    """Weights (K,), sums (K, d) and products (K, d, d) of ``x - centre``, weighted by ``shares``.

    With ``diagonal`` the products are squares, of shape (K, d). At most 64 columns.
    """
    k, d = centres.shape
    out = np.empty((k, 1 + d + (d if diagonal else d * (d + 1) // 2)))
    _native.chain_moments(X, shares, centres, diagonal, out, n_threads)
    weight, first, rest = out[:, 0].copy(), out[:, 1 : 1 + d].copy(), out[:, 1 + d :]
    if diagonal:
        return weight, first, rest.copy()
    second = np.zeros((k, d, d))
    rows, columns = np.tril_indices(d)
    second[:, rows, columns] = rest
    second[:, columns, rows] = rest
    return weight, first, second


def symbol_counts(codes: Floats, shares: Floats, n_symbols: int, n_threads: int) -> Floats:
    """Weighted counts (K, n_symbols) of the symbols ``codes``; NaN is left out."""
    out = np.empty((n_symbols, shares.shape[1]))
    _native.chain_symbol_counts(codes, shares, out, n_threads)
    return np.ascontiguousarray(out.T)
