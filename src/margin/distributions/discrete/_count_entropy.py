"""Entropy of counts, summed over all that matter."""

from typing import Any

import numpy as np

from margin.core.types import Floats


def count_entropy(distribution: Any) -> Floats:
    """Entropy in nats of every distribution of an array, by summing over the counts.

    The counts left out, a dozen standard deviations away, add less than rounding does.

    Examples
    --------
    >>> from margin.distributions import Poisson
    >>> float(count_entropy(Poisson(0.0)))
    0.0
    """
    value = np.zeros(distribution.shape)
    for index in np.ndindex(distribution.shape):
        one = distribution[index] if index else distribution
        spread = 12.0 * np.sqrt(float(one.var)) + 60.0
        low = max(np.floor(float(one.mean) - spread), 0.0)
        counts = np.arange(low, np.ceil(float(one.mean) + 3 * spread) + 1.0)
        log_p = one.log_prob(counts)
        kept = log_p > -745.0
        value[index] = 0.0 - np.sum(np.exp(log_p[kept]) * log_p[kept])
    return value
