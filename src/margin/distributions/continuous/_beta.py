"""The beta distribution of a proportion."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincinv, betaln, digamma, xlog1py, xlogy

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import SummedFamily, supported
from margin.distributions._requirements import Seed, source
from margin.distributions.continuous._concentration import concentrations
from margin.distributions.statistics._totals import Totals


@dataclass(frozen=True, eq=False, repr=False)
class Beta(SummedFamily):
    r"""Beta distribution, or an array of independent ones (distributions.10).

    .. math:: p(x) = \frac{x^{a - 1} (1 - x)^{b - 1}}{B(a, b)}, \qquad 0 < x < 1

    Parameters
    ----------
    a, b : array-like
        Both above 0.

    Examples
    --------
    >>> belief = Beta(2.0, 3.0)
    >>> float(belief.mean), float(np.exp(belief.log_prob(1 / 3)).round(6))
    (0.4, 1.777778)
    """

    a: Floats
    b: Floats

    def __init__(self, a: ArrayLike, b: ArrayLike) -> None:
        self._store(
            a=parameter(self, "a", a, positive=True), b=parameter(self, "b", b, positive=True)
        )

    @property
    def mean(self) -> Floats:
        return self.a / (self.a + self.b)

    @property
    def var(self) -> Floats:
        total = self.a + self.b
        return np.asarray(self.a * self.b / (total**2 * (total + 1.0)))

    @property
    def mode(self) -> Floats:
        """Where the density is largest: an end for a concentration of at most 1.

        NaN where both ends, or all points, are as high.
        """
        inner = (self.a - 1.0) / np.where(self.a + self.b > 2, self.a + self.b - 2.0, 1.0)
        edge = np.where(self.a > self.b, 1.0, 0.0)
        edge = np.where((self.a == self.b) | ((self.a < 1) & (self.b < 1)), np.nan, edge)
        return np.where((self.a > 1) & (self.b > 1), inner, edge)

    @property
    def skewness(self) -> Floats:
        total = self.a + self.b
        ratio = np.sqrt((total + 1.0) / (self.a * self.b))
        return np.asarray(2.0 * (self.b - self.a) * ratio / (total + 2.0))

    @property
    def kurtosis(self) -> Floats:
        """Excess over the normal distribution."""
        total, product = self.a + self.b, self.a * self.b
        above = (self.a - self.b) ** 2 * (total + 1.0) - product * (total + 2.0)
        return np.asarray(6.0 * above / (product * (total + 2.0) * (total + 3.0)))

    @property
    def entropy(self) -> Floats:
        a, b = self.a, self.b
        value = betaln(a, b) - (a - 1.0) * digamma(a) - (b - 1.0) * digamma(b)
        return np.asarray(value + (a + b - 2.0) * digamma(a + b))

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        inside = (at >= 0) & (at <= 1)
        safe = np.where(inside, at, 0.5)
        with np.errstate(divide="ignore"):
            value = xlogy(self.a - 1.0, safe) + xlog1py(self.b - 1.0, -safe)
        value = value - betaln(self.a, self.b)
        return np.where(np.isnan(at), 0.0, np.where(inside, value, -np.inf))

    def cdf(self, x: ArrayLike) -> Floats:
        return np.asarray(betainc(self.a, self.b, np.clip(points(self, x), 0.0, 1.0)))

    def quantile(self, q: ArrayLike) -> Floats:
        return np.asarray(betaincinv(self.a, self.b, probabilities(self, q, self.shape)))

    def sample(self, n: int, rng: Seed) -> Floats:
        return source(self, n, rng).beta(self.a, self.b, size=(n, *self.shape))

    def kl(self, other: "Beta") -> Floats:
        """Divergence to another (distributions.21)."""
        total = self.a + self.b
        value = betaln(other.a, other.b) - betaln(self.a, self.b)
        value = value + (self.a - other.a) * digamma(self.a) + (self.b - other.b) * digamma(self.b)
        return np.asarray(value + (other.a + other.b - total) * digamma(total))

    def natural(self) -> tuple[Floats, Floats]:
        r""":math:`(a - 1, b - 1)` and :math:`\log B(a, b)`."""
        return np.stack([self.a - 1.0, self.b - 1.0], axis=-1), np.asarray(betaln(self.a, self.b))

    @classmethod
    def sufficient(cls, x: Floats) -> Floats:
        """Logarithms of the value and of one less the value."""
        x = supported(cls.__name__, x, (x > 0) & (x < 1), "between 0 and 1, both excluded")
        return np.stack([np.log(x), np.log1p(-x)], axis=-1)

    @classmethod
    def fit(cls, stats: Totals | ArrayLike, prior: Belief | None = None) -> Self:
        """Maximum likelihood by Newton's steps; there is no conjugate prior here."""
        if prior is not None:
            raise check.fail(cls.__name__, "prior", "None: the family has no conjugate one", prior)
        means = cls._observed(stats).means
        if not np.all(np.exp(means).sum(axis=-1) < 1 - 1e-14):
            raise check.fail(cls.__name__, "data", "of two values in every column", "fewer")
        both = concentrations(means)
        return cls(both[..., 0], both[..., 1])
