"""Symmetric products of the columns or rows of a matrix, centred and weighted without a copy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def _padded(lines: int) -> int:
    """Lines rounded up to whole panels of the compiled loop."""
    panel = int(_native.gram_panel)
    return -(-lines // panel) * panel


def column_products(
    X: NDArray[Any],
    weight: Floats | None,
    centre: Floats | None,
    group: NDArray[np.int64] | None,
    targets: Floats,
    n_threads: int,
    rows: NDArray[np.int64] | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Weighted products of centred columns: with each other, with one and with the targets.

    ``X`` is float32 or float64 in any memory order; ``centre`` has one row, or one per group;
    ``rows`` chooses rows of ``X``, ``weight``, ``group`` and ``targets``.
    Returns arrays of shape (p, p), (p,) and (p, k).
    """
    p, k = X.shape[1], targets.shape[1]
    out = np.zeros((_padded(p + 1 + k), _padded(p + 1)))
    _native.column_products(X, weight, centre, group, rows, targets, out, n_threads)
    return out[:p, :p], out[p, :p].copy(), out[p + 1 : p + 1 + k, :p].T.copy()


def row_products(X: NDArray[Any], centre: Floats | None, n_threads: int) -> Floats:
    """Products of rows minus ``centre``, of shape (n, n)."""
    size = _padded(len(X))
    out = np.zeros((size, size))
    _native.row_products(X, centre, out, n_threads)
    return out[: len(X), : len(X)]
