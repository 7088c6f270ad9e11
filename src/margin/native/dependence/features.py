"""What Gaussian kernels need of rows: median distances, and sums of Fourier features."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def median_distance(X: Floats) -> float:
    """Median of the distances above 0 between rows; 0 where there are none; NaN of NaN.

    O(n^2 p) time and O(n p) memory; of one column O(n log n) time.
    """
    columns = np.ascontiguousarray(np.transpose(X), dtype=np.float64)
    return _native.median_distance(columns)


@dataclass(frozen=True, eq=False)
class Functions:
    r"""Functions of rows: Chebyshev polynomials, then :math:`\cos 2\pi(s_f + w_f^\top x) - o_f`.

    Parameters
    ----------
    argument : ndarray of shape (n,)
        Of the polynomials, between -1 and 1; empty where there are none.
    n_polynomials : int
    columns : ndarray of shape (p, n)
        One row per column of the table.
    turns : ndarray of shape (m, p)
    phase : ndarray of shape (m,)
        Both in full turns.
    origin : ndarray of shape (m,)
    """

    argument: Floats
    n_polynomials: int
    columns: Floats
    turns: Floats
    phase: Floats
    origin: Floats

    def __len__(self) -> int:
        return self.n_polynomials + len(self.phase)

    def arguments(self) -> tuple[Floats, int, Floats, Floats, Floats, Floats]:
        """What the compiled loops take."""
        return (
            self.argument, self.n_polynomials, self.columns, self.turns, self.phase, self.origin,
        )  # fmt: skip


def function_moments(functions: Functions, n_threads: int = 1) -> tuple[Floats, Floats]:
    """Sums of all functions over the rows, and of the products of any two."""
    size = len(functions)
    sums, inner = np.empty(size), np.empty((size, size))
    _native.function_moments(*functions.arguments(), sums, inner, n_threads)
    return sums, inner


def function_combinations(
    functions: Functions, coefficients: Floats, offset: Floats, n_threads: int = 1
) -> Floats:
    """Combinations of all functions, less an offset each: one row per row of coefficients."""
    out = np.empty((len(coefficients), functions.columns.shape[1]))
    coefficients = np.ascontiguousarray(coefficients)
    _native.function_combinations(*functions.arguments(), coefficients, offset, out, n_threads)
    return out
