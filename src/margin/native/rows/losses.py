"""Losses summed over vectors of predictions, with slopes and curvatures in one sweep."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

SQUARED = 0
LOGISTIC = 1
POISSON = 2

Floats = NDArray[np.float64]


def loss_sweep(
    loss: int,
    z: Floats,
    y: Floats,
    weight: Floats | None,
    slope: Floats,
    curvature: Floats | None,
    n_threads: int,
) -> float:
    """Weighted sum of the loss at predictions ``z``; fills ``slope`` and ``curvature`` in place."""
    return float(_native.loss_sweep(loss, z, y, weight, slope, curvature, n_threads))


def softmax_sweep(
    z: Floats,
    code: NDArray[np.int64],
    weight: Floats | None,
    slope: Floats,
    probability: Floats | None,
    n_threads: int,
) -> float:
    """Weighted softmax cross-entropy of score rows ``z``; fills slopes and probabilities."""
    return float(_native.softmax_sweep(z, code, weight, slope, probability, n_threads))
