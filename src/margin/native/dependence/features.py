"""What Gaussian kernels need of rows: median distance, Fourier features, polynomials."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def median_distance(X: Floats) -> float:
    """Median of the distances above 0 between rows; 0 where there are none.

    O(n^2 p) time and O(n p) memory.
    """
    columns = np.ascontiguousarray(np.transpose(X), dtype=np.float64)
    return _native.median_distance(columns)


def fourier_features(
    columns: Floats, turns: Floats, phase: Floats, origin: Floats, out: Floats, n_threads: int = 1
) -> None:
    r"""Write :math:`\cos 2\pi(s_f + \sum_k w_{fk} x_{kr}) - o_f` to ``out[f, r]``.

    Parameters
    ----------
    columns : ndarray of shape (p, n)
        One row per column of the table.
    turns : ndarray of shape (n_features, p)
    phase : ndarray of shape (n_features,)
        Both in full turns.
    origin : ndarray of shape (n_features,)
    out : ndarray of shape (n_features, n)
    n_threads : int
    """
    _native.fourier_features(columns, turns, phase, origin, out, n_threads)


def chebyshev_rows(t: Floats, out: Floats, n_threads: int = 1) -> None:
    """Write the Chebyshev polynomials of ``t`` in [-1, 1] to the rows of ``out``."""
    _native.chebyshev_rows(t, out, n_threads)
