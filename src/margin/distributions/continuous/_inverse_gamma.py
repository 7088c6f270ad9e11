"""The inverse-gamma distribution."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, gammaincc, gammainccinv, gammaln

from margin.core.types import Floats
from margin.distributions._base import Belief
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import SummedFamily, supported
from margin.distributions._requirements import Seed, source
from margin.distributions.continuous._gamma import Gamma
from margin.distributions.statistics._totals import Totals


@dataclass(frozen=True, eq=False, repr=False)
class InverseGamma(SummedFamily):
    r"""Distribution of one over a gamma variable, or an array of them (distributions.12).

    .. math:: p(x) = \frac{\beta^\alpha}{\Gamma(\alpha)} x^{-\alpha - 1} e^{-\beta / x},
              \qquad x > 0

    The conjugate prior of a normal variance.

    Parameters
    ----------
    concentration : array-like
        Shape :math:`\alpha > 0`.
    scale : array-like
        :math:`\beta > 0`.

    Examples
    --------
    >>> variance = InverseGamma(3.0, scale=4.0)
    >>> float(variance.mean), float(variance.var), float(variance.mode)
    (2.0, 4.0, 1.0)
    """

    concentration: Floats
    scale: Floats

    def __init__(self, concentration: ArrayLike, scale: ArrayLike = 1.0) -> None:
        self._store(
            concentration=parameter(self, "concentration", concentration, positive=True),
            scale=parameter(self, "scale", scale, positive=True),
        )

    @property
    def inverse(self) -> Gamma:
        """Distribution of ``1 / x``."""
        return Gamma(self.concentration, self.scale)

    @property
    def mean(self) -> Floats:
        r""":math:`\beta/(\alpha - 1)`; infinite up to :math:`\alpha = 1`."""
        return self._moment(1.0, self.scale, self.concentration - 1.0)

    @property
    def var(self) -> Floats:
        r""":math:`\beta^2/((\alpha - 1)^2(\alpha - 2))`; infinite up to :math:`\alpha = 2`."""
        a = self.concentration
        return self._moment(2.0, self.scale**2, (a - 1.0) ** 2 * (a - 2.0))

    @property
    def mode(self) -> Floats:
        return self.scale / (self.concentration + 1.0)

    @property
    def skewness(self) -> Floats:
        """NaN up to a concentration of 3, where it does not exist."""
        a = self.concentration
        value = self._moment(3.0, 4.0 * np.sqrt(np.maximum(a - 2.0, 0.0)), a - 3.0)
        return np.where(a > 3, value, np.nan)

    @property
    def kurtosis(self) -> Floats:
        """Excess over the normal distribution; NaN up to a concentration of 4."""
        a = self.concentration
        value = self._moment(4.0, 6.0 * (5.0 * a - 11.0), (a - 3.0) * (a - 4.0))
        return np.where(a > 4, value, np.nan)

    @property
    def entropy(self) -> Floats:
        a = self.concentration
        return np.asarray(a + np.log(self.scale) + gammaln(a) - (1.0 + a) * digamma(a))

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        inside = (at > 0) & np.isfinite(at)
        safe = np.where(inside, at, 1.0)
        value = -(self.concentration + 1.0) * np.log(safe) - self.scale / safe
        value = value + self.concentration * np.log(self.scale) - gammaln(self.concentration)
        return np.where(np.isnan(at), 0.0, np.where(inside, value, -np.inf))

    def cdf(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        safe = np.where(at > 0, at, 1.0)
        below = np.where(at > 0, gammaincc(self.concentration, self.scale / safe), 0.0)
        return np.where(np.isnan(at), np.nan, below)

    def quantile(self, q: ArrayLike) -> Floats:
        levels = probabilities(self, q, self.shape)
        with np.errstate(divide="ignore"):
            return np.asarray(self.scale / gammainccinv(self.concentration, levels))

    def sample(self, n: int, rng: Seed) -> Floats:
        draws = source(self, n, rng).standard_gamma(self.concentration, (n, *self.shape))
        return np.asarray(self.scale / draws)

    def kl(self, other: "InverseGamma") -> Floats:
        """Divergence to another (distributions.21): that of the gamma variables."""
        return self.inverse.kl(other.inverse)

    @classmethod
    def sufficient(cls, x: Floats) -> Floats:
        """One over the value, and the logarithm of that."""
        x = supported(cls.__name__, x, (x > 0) & np.isfinite(x), "above 0")
        return np.stack([1.0 / x, -np.log(x)], axis=-1)

    @classmethod
    def fit(cls, stats: Totals | ArrayLike, prior: Belief | None = None) -> Self:
        """Maximum likelihood: the gamma fit to ``1 / x``; there is no conjugate prior here."""
        inverse = Gamma.fit(cls._observed(stats), prior)
        return cls(inverse.concentration, inverse.rate)

    def _moment(self, order: float, above: Floats, below: Floats) -> Floats:
        exists = self.concentration > order
        return np.where(exists, above / np.where(exists, below, 1.0), np.inf)
