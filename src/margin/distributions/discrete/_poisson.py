"""The Poisson distribution of a count."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfc, gammaln, pdtr, pdtrik, rel_entr, xlogy

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import SummedFamily, is_count, supported
from margin.distributions._requirements import Seed, source
from margin.distributions.discrete._count_entropy import count_entropy
from margin.distributions.statistics._totals import Totals

_LARGE = 1e6


@dataclass(frozen=True, eq=False, repr=False)
class Poisson(SummedFamily):
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
        k = points(self, x)
        possible = np.isfinite(k) & (k >= 0) & (k == np.floor(k))
        count = np.where(possible, k, 0.0)
        value = xlogy(count, self.rate) - self.rate - gammaln(count + 1.0)
        return np.where(np.isnan(k), 0.0, np.where(possible, value, -np.inf))

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability of at most ``x``."""
        k = np.floor(points(self, x))
        inner = np.where(np.isfinite(k), np.maximum(k, 0.0), 0.0)
        below = np.where(k == np.inf, 1.0, _at_most(inner, self.rate))
        return np.where(np.isnan(k), np.nan, np.where(k < 0, 0.0, below))

    def quantile(self, q: ArrayLike) -> Floats:
        """Least count whose cumulative probability reaches ``q``; the axes of ``q`` come first."""
        levels = probabilities(self, q, self.shape)
        inner = np.where((levels > 0) & (levels < 1), levels, 0.5)
        # The inverse in real numbers is within one of the count; the sums decide which it is.
        rate = np.where(self.rate > 0, self.rate, 1.0)
        near = np.ceil(np.maximum(pdtrik(inner, rate), 0.0))
        if (far := np.isnan(near) | (rate > _LARGE)).any():
            near = np.where(far, _searched(inner, rate), near)
        count = np.where(_at_most(near, rate) < inner, near + 1.0, near)
        less = np.maximum(count - 1.0, 0.0)
        count = np.where((count > 0) & (_at_most(less, rate) >= inner), less, count)
        count = np.where(self.rate > 0, count, 0.0)
        return np.where(levels == 0, 0.0, np.where(levels == 1, np.inf, count))

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` draws from each distribution, along a new first axis."""
        return source(self, n, rng).poisson(self.rate, size=(n, *self.shape)).astype(np.float64)

    @property
    def mode(self) -> Floats:
        r""":math:`\lfloor\lambda\rfloor`; for a whole rate the count below is as probable."""
        return np.floor(self.rate)

    @property
    def skewness(self) -> Floats:
        r""":math:`\lambda^{-1/2}`; NaN where no event is certain."""
        safe = np.where(self.rate > 0, self.rate, 1.0)
        return np.where(self.rate > 0, 1.0 / np.sqrt(safe), np.nan)

    @property
    def kurtosis(self) -> Floats:
        r"""Excess :math:`1/\lambda`; NaN where no event is certain."""
        safe = np.where(self.rate > 0, self.rate, 1.0)
        return np.where(self.rate > 0, 1.0 / safe, np.nan)

    @property
    def entropy(self) -> Floats:
        """In nats, summed over the counts."""
        return count_entropy(self)

    def kl(self, other: "Poisson") -> Floats:
        """Divergence to another (distributions.21)."""
        return np.asarray(rel_entr(self.rate, other.rate) + other.rate - self.rate)

    def natural(self) -> tuple[Floats, Floats]:
        r""":math:`(\log\lambda, -1)` and :math:`\lambda`."""
        with np.errstate(divide="ignore"):
            log_rate = np.log(self.rate)
        return np.stack([log_rate, np.full(self.shape, -1.0)], axis=-1), self.rate

    @classmethod
    def sufficient(cls, x: Floats) -> Floats:
        """The count and the logarithm of its factorial."""
        x = supported(cls.__name__, x, is_count(x), "counts")
        return np.stack([x, gammaln(x + 1.0)], axis=-1)

    @classmethod
    def fit(cls, stats: Totals | ArrayLike, prior: Belief | None = None) -> Self:
        """The mean, or the mode of the posterior with a ``GammaPoisson`` prior."""
        if prior is not None:
            return cls(prior.posterior(cls._totals(stats)).mode)
        return cls(cls._observed(stats).means[..., 0])


def _searched(levels: Floats, rate: Floats) -> Floats:
    """Least count that reaches a level, by halving: the inverse is not made for large rates.

    Nearly all of the probability, as far as numbers tell, is within forty deviations of the mean.
    """
    reach = 40.0 * np.sqrt(rate) + 100.0
    low, high = np.broadcast_arrays(np.maximum(np.floor(rate - reach), -1.0), np.ceil(rate + reach))
    while True:
        middle = np.floor(low + 0.5 * (high - low))
        between = (low < middle) & (middle < high)
        if not between.any():
            return np.asarray(high)
        enough = _at_most(np.maximum(middle, 0.0), rate) >= levels
        low = np.where(between & ~enough, middle, low)
        high = np.where(between & enough, middle, high)


def _at_most(k: Floats, rate: Floats) -> Floats:
    """Probability of at most ``k``, a finite count.

    For large rates the library's series ends too soon beyond 4.5 deviations above the mean.
    """
    below = np.array(pdtr(k, rate))
    far = (rate > _LARGE) & (k > rate + 4.0 * np.sqrt(rate))
    if not far.any():
        return below
    k, at = np.broadcast_arrays(k, rate)
    below[far] = 1.0 - _upper_tail(k[far] + 1.0, at[far])
    return below


def _upper_tail(a: Floats, rate: Floats) -> Floats:
    """Probability of at least ``a`` above a large rate: Temme (1979), the leading term."""
    mu = (rate - a) / a
    series = mu**2 * (1 / 2 - mu * (1 / 3 - mu * (1 / 4 - mu * (1 / 5 - mu * (1 / 6 - mu / 7)))))
    with np.errstate(divide="ignore", over="ignore"):
        half = np.where(np.abs(mu) < 1e-2, series, mu - np.log1p(mu))
        eta = np.sqrt(2.0 * half)
        rest = np.exp(-a * half) / np.sqrt(2.0 * np.pi * a) * (1.0 / mu + 1.0 / eta)
    return np.asarray(0.5 * erfc(eta * np.sqrt(0.5 * a)) - rest)
