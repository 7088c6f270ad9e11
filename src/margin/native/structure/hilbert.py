"""Gaussian kernels of rows and inner products of two of them, centred."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def gaussian_triangle(columns: Floats, width: float, n_threads: int) -> tuple[Floats, Floats]:
    """Kernel ``exp(-|x - y|^2 / (2 width^2))`` below the diagonal, row by row; means of all rows.

    ``columns`` has one variable per row.
    """
    n = columns.shape[1]
    kernel, means = np.empty(n * (n - 1) // 2), np.empty(n)
    _native.gaussian_triangle(columns, width, kernel, means, n_threads)
    return kernel, means


def centred_products(
    k: Floats, k_means: Floats, l: Floats, l_means: Floats, n_threads: int  # noqa: E741
) -> tuple[float, float]:  # fmt: skip
    """Sum of the products of two centred kernels, and of their squares off the diagonal."""
    total, squares = _native.centred_products(k, k_means, l, l_means, n_threads)
    return float(total), float(squares)
