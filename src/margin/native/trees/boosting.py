"""Slopes and curvatures, in single precision, of the losses that boosting meets most.

What fills ``g`` and ``h`` weights them, and returns the weighted sum of the losses; the classes of
softmax are filled one at a time, so that a row keeps one number for all of them.
"""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


def logistic_slopes(
    y: Floats, raw: Floats, weight: Floats | None, g: Singles, h: Singles, n_threads: int
) -> float:
    """Logistic loss of targets between 0 and 1: slope p - y, curvature p (1 - p)."""
    return _native.logistic_slopes(y, raw, weight, g, h, n_threads)


def squared_slopes(
    y: Floats, raw: Floats, weight: Floats | None, g: Singles, h: Singles | None, n_threads: int
) -> float:
    """Half the squared residual: slope f - y, curvature 1 (which need not be written)."""
    return _native.squared_slopes(y, raw, weight, g, h, n_threads)


def softmax_losses(
    y: NDArray[np.int32], raw: Floats, weight: Floats | None, log_sum: Floats, n_threads: int
) -> float:
    """Sum of the softmax losses; ``log_sum`` gets the logarithm of what probabilities divide by.

    Scores have a row per class.
    """
    return _native.softmax_losses(y, raw, weight, log_sum, n_threads)


def class_slopes(
    own: int,
    y: NDArray[np.int32],
    raw: Floats,
    log_sum: Floats,
    weight: Floats | None,
    bend: float,
    g: Singles,
    h: Singles,
    n_threads: int,
) -> None:
    """Slopes p - 1[y = own] and curvatures, times ``bend``, of the scores of one class."""
    _native.class_slopes(own, y, raw, log_sum, weight, bend, g, h, n_threads)
