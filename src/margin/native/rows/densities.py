"""Log densities of rows under several normal laws at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def gaussian_log_density(
    X: NDArray[Any], means: Floats, roots: Floats, constants: Floats, n_threads: int
) -> Floats:
    r"""``constants[k] - |roots[k] (x - means[k])|² / 2`` of shape (n, K).

    ``X`` is float32 or float64 in any memory order; the ``roots`` are upper triangular, what is
    below their diagonals is not read. NaN in a row gives NaN in its densities.
    """
    out = np.empty((len(X), len(means)))
    _native.gaussian_density(X, means, roots, constants, out, n_threads)
    return out
