"""Moments of the rows of each class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def class_moments(
    X: NDArray[Any],
    code: NDArray[np.int64],
    n_classes: int,
    weight: Floats | None,
    shift: Floats,
    n_threads: int,
) -> Floats:
    """Weights, sums and squares of ``X - shift`` per class and column, of shape (3, K, p).

    NaN means unobserved and adds nothing, so the weights may differ between columns.
    """
    out = np.empty((3, n_classes, X.shape[1]))
    _native.class_moments(X, code, weight, shift, out, n_threads)
    return out
