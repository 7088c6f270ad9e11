"""How much a new point promises, from its predictive distribution."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from margin.core.types import Floats

_ROOT = float(np.sqrt(2 * np.pi))


def expected_improvement(mean: ArrayLike, std: ArrayLike, best: float) -> Floats:
    r"""Expected fall below the best value, :math:`E (b - f)_+` for :math:`f \sim N(\mu, s^2)`.

    .. math:: s\,[z\,\Phi(z) + \varphi(z)], \qquad z = (b - \mu) / s.

    Examples
    --------
    >>> expected_improvement([0.0], [1.0], 0.0).round(6)
    array([0.398942])
    >>> expected_improvement([1.0, 3.0], [0.0, 0.0], 2.0)
    array([1., 0.])
    """
    mean, std = np.asarray(mean, dtype=np.float64), np.asarray(std, dtype=np.float64)
    gap = best - mean
    z = gap / np.where(std > 0, std, 1.0)
    gain = std * (z * ndtr(z) + np.exp(-0.5 * z * z) / _ROOT)
    return np.where(std > 0, np.maximum(gain, 0.0), np.maximum(gap, 0.0))


def probability_of_improvement(mean: ArrayLike, std: ArrayLike, best: float) -> Floats:
    r"""Probability :math:`\Phi((b - \mu) / s)` of falling below the best value.

    Examples
    --------
    >>> probability_of_improvement([0.0, 1.0], [1.0, 1.0], 0.0).round(6)
    array([0.5     , 0.158655])
    """
    mean, std = np.asarray(mean, dtype=np.float64), np.asarray(std, dtype=np.float64)
    gap = best - mean
    return np.where(std > 0, ndtr(gap / np.where(std > 0, std, 1.0)), (gap > 0).astype(np.float64))


def confidence_bound(mean: ArrayLike, std: ArrayLike, kappa: float = 2.0) -> Floats:
    r"""The optimist's value :math:`\kappa s - \mu`: large where the function may be low.

    Examples
    --------
    >>> confidence_bound([1.0], [0.5], kappa=2.0)
    array([0.])
    """
    return kappa * np.asarray(std, dtype=np.float64) - np.asarray(mean, dtype=np.float64)
