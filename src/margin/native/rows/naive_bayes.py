"""Sums of the rows of each class, and their log densities under products of normals."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def normal_scores(
    X: NDArray[Any], mean: Floats, half: Floats, constant: Floats, n_threads: int
) -> Floats:
    r"""Sum over the observed columns of :math:`c_{kj} - h_{kj} (x_{ij} - m_{kj})^2`.

    NaN means unobserved. Arrays of parameters have one row per class; so has the answer one column.
    """
    out = np.empty((X.shape[0], mean.shape[0]))
    _native.normal_scores(X, mean, half, constant, out, n_threads)
    return out


def class_sums(
    X: NDArray[Any],
    code: NDArray[np.int64],
    n_classes: int,
    weight: Floats | None,
    n_threads: int,
) -> tuple[Floats, float]:
    """Weighted sum of the rows of each class, of shape (K, p), and the least entry of ``X``."""
    out = np.empty((n_classes, X.shape[1]))
    least: float = _native.class_sums(X, code, weight, out, n_threads)
    return out, least
