"""The Poisson distribution of a count."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, pdtr, pdtrik, xlogy

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Univariate, parameter, probabilities, shown
from margin.distributions._requirements import Seed, source


@dataclass(frozen=True, eq=False, repr=False)
class Poisson(Univariate):
    r"""Poisson distribution, or an array of independent ones (distributions.09).

    .. math:: p(k) = e^{-\lambda} \frac{\lambda^k}{k!}, \qquad k = 0, 1, 2, \dots

    Parameters
    ----------
    rate : array-like
        :math:`\lambda`, at least 0: mean and variance; 0 is the certainty of no event.

    Examples
    --------
    >>> from margin.distributions import Poisson
    >>> dist = Poisson([0.5, 3.0])
    >>> dist.quantile(0.9)
    array([1., 5.])
    >>> np.exp(dist.log_prob(0)).round(6)
    array([0.606531, 0.049787])
    """

    rate: Floats

    def __init__(self, rate: ArrayLike) -> None:
        given = parameter(self, "rate", rate)
        if given.size and given.min() < 0:
            raise check.fail(self, "rate", "at least 0", float(given.min()))
        object.__setattr__(self, "rate", given)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""
        return self.rate.shape

    @property
    def mean(self) -> Floats:
        r"""Expectation :math:`\lambda`."""
        return self.rate

    @property
    def var(self) -> Floats:
        r"""Variance :math:`\lambda`."""
        return self.rate

    def log_prob(self, x: ArrayLike) -> Floats:
        """Logarithm of the probability of the count ``x``; 0 where it is NaN (unobserved).

        Minus infinity where ``x`` is no count.
        """
        k = np.asarray(x, dtype=np.float64)
        possible = np.isfinite(k) & (k >= 0) & (k == np.floor(k))
        count = np.where(possible, k, 0.0)
        value = xlogy(count, self.rate) - self.rate - gammaln(count + 1.0)
        return np.where(np.isnan(k), 0.0, np.where(possible, value, -np.inf))

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability of at most ``x``."""
        k = np.floor(np.asarray(x, dtype=np.float64))
        below = pdtr(np.maximum(k, 0.0), self.rate)
        below = np.where(k == np.inf, 1.0, below)
        return np.where(np.isnan(k), np.nan, np.where(k < 0, 0.0, below))

    def quantile(self, q: ArrayLike) -> Floats:
        """Least count whose cumulative probability reaches ``q``; the axes of ``q`` come first."""
        levels = probabilities(self, q, self.shape)
        inner = np.where((levels > 0) & (levels < 1), levels, 0.5)
        # The inverse in real numbers is within one of the count; the sums decide which it is.
        near = np.ceil(np.maximum(pdtrik(inner, np.where(self.rate > 0, self.rate, 1.0)), 0.0))
        count = np.where(pdtr(near, self.rate) < inner, near + 1.0, near)
        count = np.where((count > 0) & (pdtr(count - 1.0, self.rate) >= inner), count - 1.0, count)
        count = np.where(self.rate > 0, count, 0.0)
        return np.where(levels == 0, 0.0, np.where(levels == 1, np.inf, count))

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` draws from each distribution, along a new first axis."""
        return source(self, n, rng).poisson(self.rate, size=(n, *self.shape)).astype(np.float64)

    def __getitem__(self, key: Any) -> Self:
        return type(self)(self.rate[key])

    def __repr__(self) -> str:
        batch = f", shape={self.shape}" if self.rate.size > 4 else ""
        return f"Poisson(rate={shown(self.rate)}{batch})"
