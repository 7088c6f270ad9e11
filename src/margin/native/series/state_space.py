"""Gaussian processes with Matérn covariance on a line, in linear time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]


class Whitened(NamedTuple):
    """Data with unit covariance, the derivative of these, log determinant and its derivative."""

    white: Floats
    slope: Floats
    log_det: float
    log_det_slope: float
    least: float


class Smoothed(NamedTuple):
    """Mean and variance at every point, and the system solved at those with data."""

    mean: Floats
    var: Floats
    solved: Floats
    inverse: Floats


def whiten(
    order: Integers,
    scales: Floats,
    direction: Floats,
    noise_direction: float,
    gap: Floats,
    noise: Floats,
    Y: Floats,
) -> Whitened:
    """Surprises of a Kalman filter over their standard deviations, with one derivative.

    ``scales`` has the variances of the parts in its first row and the rates in the second, and
    ``direction`` is the change of these. ``least`` is the smallest variance of a surprise; where
    it is not positive the rest means nothing.
    """
    white, slope, sums = np.zeros_like(Y), np.zeros_like(Y), np.zeros(3)
    (variance, rate), (variance_slope, rate_slope) = scales, direction
    _native.state_space_whiten(
        order, variance, rate, variance_slope, rate_slope, noise_direction, gap, noise, Y,
        white, slope, sums,
    )  # fmt: skip
    return Whitened(white, slope, float(sums[0]), float(sums[1]), float(sums[2]))


def smooth(
    order: Integers,
    scales: Floats,
    gap: Floats,
    noise: Floats,
    marked: NDArray[np.uint8],
    Y: Floats,
) -> Smoothed:
    """Process at all points given the rows of ``Y`` that are marked."""
    mean, solved = np.zeros_like(Y), np.zeros_like(Y)
    var, inverse = np.zeros(len(Y)), np.zeros(len(Y))
    variance, rate = scales
    _native.state_space_smooth(
        order, variance, rate, gap, noise, marked, Y, mean, var, solved, inverse
    )
    return Smoothed(mean, var, solved, inverse)
