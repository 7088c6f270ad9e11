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
    present = whole > 0
    if present.all():
        return log(part) - np.log(whole)
    safe = np.where(present, whole, 1.0)
    return np.where(present, log(part) - np.log(safe), np.log(empty))


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
    terms = np.zeros(log_values.shape)
    np.multiply(weight, log_values, out=terms, where=np.asarray(weight) > 0)
    return float(np.add.reduce(terms, axis=None))
