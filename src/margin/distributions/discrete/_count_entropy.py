"""Entropy of counts and like expectations, summed over all that matter."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import gammaln

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
    for index, _, log_p in _likely(distribution):
        value[index] = 0.0 - np.sum(np.exp(log_p) * log_p)
    return value


def expected_log_factorial(distribution: Any) -> Floats:
    r"""Expectation of :math:`\log x!` under every distribution of an array.

    Examples
    --------
    >>> from margin.distributions import Binomial
    >>> float(expected_log_factorial(Binomial(2, 0.5)).round(6))
    0.173287
    """
    value = np.zeros(distribution.shape)
    for index, counts, log_p in _likely(distribution):
        value[index] = np.sum(np.exp(log_p) * gammaln(counts + 1.0))
    return value


def _likely(distribution: Any) -> Iterator[tuple[tuple[int, ...], Floats, Floats]]:
    """Place of every member, its counts that matter and their log probabilities."""
    for index in np.ndindex(distribution.shape):
        one = distribution[index] if index else distribution
        spread = 12.0 * np.sqrt(float(one.var)) + 60.0
        low = max(np.floor(float(one.mean) - spread), 0.0)
        counts = np.arange(low, np.ceil(float(one.mean) + 3 * spread) + 1.0)
        log_p = one.log_prob(counts)
        kept = log_p > -745.0
        yield index, counts[kept], log_p[kept]
