"""Logarithms of probabilities that may be zero."""

from typing import Any

import numpy as np

from margin.core.types import Floats

LOG_TINY = float(np.log(1e-300))  # stands for the logarithm of zero in sums of log probabilities


def log(values: Floats) -> Floats:
    """Logarithm, silently minus infinity at zero."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(values))


def log_share(part: Floats, whole: Floats, empty: Any) -> Floats:
    """Log of ``part / whole``, of ``empty`` where the whole is zero.

    Examples
    --------
    >>> np.exp(log_share(np.array([1.0, 0.0]), np.array([4.0, 0.0]), 0.5))
    array([0.25, 0.5 ])
    """
    safe = np.where(whole > 0, whole, 1.0)
    return np.where(whole > 0, log(part) - np.log(safe), np.log(empty))


def finite(log_values: Floats) -> Floats:
    """Log probabilities with that of the impossible made finite, so that products are defined."""
    return np.maximum(log_values, LOG_TINY)


def weighted_sum(weight: Any, log_values: Floats) -> float:
    """Sum of weight times logarithm, where no weight times minus infinity is nothing.

    Examples
    --------
    >>> weighted_sum(np.array([2.0, 0.0]), np.array([-1.0, -np.inf]))
    -2.0
    """
    weight = np.broadcast_to(weight, log_values.shape)
    used = weight > 0
    return float(np.sum(weight[used] * log_values[used]))
