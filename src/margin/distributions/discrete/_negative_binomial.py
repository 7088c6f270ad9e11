"""The negative binomial distribution: counts whose rate is uncertain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaln, xlog1py
from scipy.stats import nbinom

from margin.core.types import Floats
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import Parametric, is_count
from margin.distributions._requirements import Seed, source
from margin.distributions.discrete._count_entropy import count_entropy


@dataclass(frozen=True, eq=False, repr=False)
class NegativeBinomial(Parametric):
    r"""Poisson count whose rate has a gamma distribution, or an array of them.

    .. math:: p(k) = \frac{\Gamma(k + \alpha)}{k!\,\Gamma(\alpha)}
              \Big(\frac\beta{\beta + 1}\Big)^\alpha \Big(\frac1{\beta + 1}\Big)^k

    The prediction of :class:`GammaPoisson`.

    Parameters
    ----------
    concentration, rate : array-like
        Of the gamma distribution, :math:`\alpha > 0` and :math:`\beta > 0`.

    Examples
    --------
    >>> float(NegativeBinomial(3.0, 1.5).mean)
    2.0
    """

    concentration: Floats
    rate: Floats

    def __init__(self, concentration: ArrayLike, rate: ArrayLike = 1.0) -> None:
        self._store(
            concentration=parameter(self, "concentration", concentration, positive=True),
            rate=parameter(self, "rate", rate, positive=True),
        )

    @property
    def mean(self) -> Floats:
        return self.concentration / self.rate

    @property
    def var(self) -> Floats:
        return np.asarray(self.mean * (1.0 + 1.0 / self.rate))

    @property
    def mode(self) -> Floats:
        return np.floor(np.maximum(self.concentration - 1.0, 0.0) / self.rate)

    @property
    def entropy(self) -> Floats:
        """In nats, summed over the counts."""
        return count_entropy(self)

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        possible = is_count(at)
        k = np.where(possible, at, 0.0)
        choices = -betaln(self.concentration, k + 1.0) - np.log(self.concentration + k)
        share = 1.0 / (1.0 + self.rate)
        value = choices + xlog1py(self.concentration, -share) - k * np.log1p(self.rate)
        return np.where(np.isnan(at), 0.0, np.where(possible, value, -np.inf))

    def cdf(self, x: ArrayLike) -> Floats:
        k = np.floor(points(self, x))
        share = self.rate / (1.0 + self.rate)
        inner = np.where((k >= 0) & np.isfinite(k), k, 0.0)
        below = np.where(k == np.inf, 1.0, betainc(self.concentration, inner + 1.0, share))
        return np.where(np.isnan(k), np.nan, np.where(k < 0, 0.0, below))

    def quantile(self, q: ArrayLike) -> Floats:
        levels = probabilities(self, q, self.shape)
        share = self.rate / (1.0 + self.rate)
        value = nbinom.ppf(np.where(levels == 0, 0.5, levels), self.concentration, share)
        return np.where(levels == 0, 0.0, value)

    def sample(self, n: int, rng: Seed) -> Floats:
        generator = source(self, n, rng)
        rates = generator.standard_gamma(self.concentration, (n, *self.shape)) / self.rate
        return generator.poisson(rates).astype(np.float64)
