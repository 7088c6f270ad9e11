"""The exponential distribution of a waiting time."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import SummedFamily, supported
from margin.distributions._requirements import Seed, source
from margin.distributions.statistics._totals import Totals


@dataclass(frozen=True, eq=False, repr=False)
class Exponential(SummedFamily):
    r"""Exponential distribution, or an array of independent ones.

    .. math:: p(x) = \lambda e^{-\lambda x}, \qquad x \ge 0

    Parameters
    ----------
    rate : array-like
        :math:`\lambda > 0`, one over the mean.

    Examples
    --------
    >>> Exponential.fit([1.0, 2.0, 3.0])
    Exponential(rate=0.5)
    >>> float(Exponential(0.5).quantile(0.5).round(6))
    1.386294
    """

    rate: Floats

    def __init__(self, rate: ArrayLike = 1.0) -> None:
        self._store(rate=parameter(self, "rate", rate, positive=True))

    @property
    def mean(self) -> Floats:
        return 1.0 / self.rate

    @property
    def var(self) -> Floats:
        return 1.0 / self.rate**2

    @property
    def mode(self) -> Floats:
        return np.zeros(self.shape)

    @property
    def skewness(self) -> Floats:
        return np.full(self.shape, 2.0)

    @property
    def kurtosis(self) -> Floats:
        """Excess over the normal distribution."""
        return np.full(self.shape, 6.0)

    @property
    def entropy(self) -> Floats:
        r""":math:`1 - \log\lambda`, in nats."""
        return 1.0 - np.log(self.rate)

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        value = np.where(at >= 0, np.log(self.rate) - self.rate * at, -np.inf)
        return np.where(np.isnan(at), 0.0, value)

    def cdf(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        return -np.expm1(-self.rate * np.maximum(at, 0.0))

    def quantile(self, q: ArrayLike) -> Floats:
        with np.errstate(divide="ignore"):
            return -np.log1p(-probabilities(self, q, self.shape)) / self.rate

    def sample(self, n: int, rng: Seed) -> Floats:
        return source(self, n, rng).standard_exponential((n, *self.shape)) / self.rate

    def kl(self, other: "Exponential") -> Floats:
        """Divergence to another (distributions.21)."""
        ratio = other.rate / self.rate
        return np.asarray(ratio - 1.0 - np.log(ratio))

    def natural(self) -> tuple[Floats, Floats]:
        r""":math:`-\lambda` and :math:`-\log\lambda`."""
        return -self.rate[..., None], -np.log(self.rate)

    @classmethod
    def sufficient(cls, x: Floats) -> Floats:
        """The value itself."""
        return supported(cls.__name__, x, (x >= 0) & np.isfinite(x), "at least 0")[..., None]

    @classmethod
    def fit(cls, stats: Totals | ArrayLike, prior: Belief | None = None) -> Self:
        """One over the mean, or the mode of the posterior with a ``GammaExponential`` prior."""
        if prior is not None:
            mode = np.asarray(prior.posterior(cls._totals(stats)).mode)
            if not np.all(mode > 0):
                need = "of a concentration above 1 where there are no data"
                raise check.fail(cls.__name__, "prior", need, prior)
            return cls(mode)
        mean = cls._observed(stats).means[..., 0]
        if not np.all(mean > 0):
            raise check.fail(cls.__name__, "data", "above 0 somewhere in every column", 0.0)
        return cls(1.0 / mean)
