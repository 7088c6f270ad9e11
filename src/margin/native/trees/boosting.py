"""Slopes and curvatures, in single precision, of the losses that boosting meets most.

Every function fills ``g`` and ``h``, weighted, and returns the weighted sum of the losses.
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


def softmax_slopes(
    y: NDArray[np.int32],
    raw: Floats,
    weight: Floats | None,
    g: Singles,
    h: Singles,
    n_threads: int,
) -> float:
    """Softmax loss; scores, slopes and curvatures have a row per class."""
    return _native.softmax_slopes(y, raw, weight, g, h, n_threads)
