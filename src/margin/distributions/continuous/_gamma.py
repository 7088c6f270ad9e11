"""The gamma distribution."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, gammainc, gammaincinv, gammaln, xlogy

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import SummedFamily, supported
from margin.distributions._requirements import Seed, source
from margin.distributions.continuous._gamma_shape import gamma_shape
from margin.distributions.statistics._totals import Totals


@dataclass(frozen=True, eq=False, repr=False)
class Gamma(SummedFamily):
    r"""Gamma distribution, or an array of independent ones.

    .. math:: p(x) = \frac{\beta^\alpha}{\Gamma(\alpha)} x^{\alpha - 1} e^{-\beta x}, \qquad x > 0

    Parameters
    ----------
    concentration : array-like
        Shape :math:`\alpha > 0`.
    rate : array-like
        :math:`\beta > 0`, one over the scale.

    Examples
    --------
    >>> waiting = Gamma(2.0, rate=4.0)
    >>> float(waiting.mean), float(waiting.var), float(waiting.mode)
    (0.5, 0.125, 0.25)
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
        return np.asarray(self.concentration / self.rate**2)

    @property
    def mode(self) -> Floats:
        r""":math:`(\alpha - 1)/\beta`, at least 0."""
        return np.maximum(self.concentration - 1.0, 0.0) / self.rate

    @property
    def skewness(self) -> Floats:
        return 2.0 / np.sqrt(self.concentration)

    @property
    def kurtosis(self) -> Floats:
        """Excess over the normal distribution."""
        return 6.0 / self.concentration

    @property
    def expected_log(self) -> Floats:
        r""":math:`E\log x = \psi(\alpha) - \log\beta`."""
        return np.asarray(digamma(self.concentration) - np.log(self.rate))

    @property
    def entropy(self) -> Floats:
        a = self.concentration
        return np.asarray(a - np.log(self.rate) + gammaln(a) + (1.0 - a) * digamma(a))

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        positive = (at > 0) | ((at == 0) & (self.concentration >= 1))
        safe = np.where(positive & np.isfinite(at), at, 1.0)
        value = xlogy(self.concentration - 1.0, safe) - self.rate * safe
        value = value + self.concentration * np.log(self.rate) - gammaln(self.concentration)
        value = np.where(positive & np.isfinite(at), value, -np.inf)
        value = np.where((at == 0) & (self.concentration < 1), np.inf, value)
        return np.where(np.isnan(at), 0.0, value)

    def cdf(self, x: ArrayLike) -> Floats:
        at = np.maximum(points(self, x), 0.0)
        return np.asarray(gammainc(self.concentration, self.rate * at))

    def quantile(self, q: ArrayLike) -> Floats:
        levels = probabilities(self, q, self.shape)
        return np.asarray(gammaincinv(self.concentration, levels) / self.rate)

    def sample(self, n: int, rng: Seed) -> Floats:
        draws = source(self, n, rng).standard_gamma(self.concentration, (n, *self.shape))
        return np.asarray(draws / self.rate)

    def kl(self, other: "Gamma") -> Floats:
        """Divergence to another (distributions.21)."""
        a, b = self.concentration, other.concentration
        ratio = other.rate / self.rate
        of_shape = (a - b) * digamma(a) - gammaln(a) + gammaln(b)
        return np.asarray(of_shape - b * np.log(ratio) + a * (ratio - 1.0))

    def natural(self) -> tuple[Floats, Floats]:
        r""":math:`(-\beta, \alpha - 1)` and :math:`\log\Gamma(\alpha) - \alpha\log\beta`."""
        eta = np.stack([-self.rate, self.concentration - 1.0], axis=-1)
        return eta, gammaln(self.concentration) - self.concentration * np.log(self.rate)

    @classmethod
    def sufficient(cls, x: Floats) -> Floats:
        """The value and its logarithm."""
        x = supported(cls.__name__, x, (x > 0) & np.isfinite(x), "above 0")
        return np.stack([x, np.log(x)], axis=-1)

    @classmethod
    def fit(cls, stats: Totals | ArrayLike, prior: Belief | None = None) -> Self:
        """Maximum likelihood by Newton's steps for the shape.

        Parameters
        ----------
        stats : Totals or array-like
        prior : None
            There is no conjugate prior of shape and rate here.
        """
        if prior is not None:
            raise check.fail(cls.__name__, "prior", "None: the family has no conjugate one", prior)
        means = cls._observed(stats).means
        gap = np.log(means[..., 0]) - means[..., 1]
        if not np.all(gap > 1e-15 * np.abs(means[..., 1])):
            raise check.fail(cls.__name__, "data", "of two values in every column", "fewer")
        alpha = gamma_shape(gap)
        return cls(alpha, alpha / means[..., 0])
