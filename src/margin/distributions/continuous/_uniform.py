"""The uniform distribution over an interval."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief, ExponentialFamily
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import Parametric
from margin.distributions._requirements import Seed, as_statistics, source
from margin.distributions.statistics._extremes import Extremes


@dataclass(frozen=True, eq=False, repr=False)
class Uniform(Parametric, ExponentialFamily):
    r"""Uniform distribution, or an array of independent ones (distributions.06).

    .. math:: p(x) = \frac1{b - a}, \qquad a \le x \le b

    Parameters
    ----------
    low, high : array-like
        Ends :math:`a < b`.

    Examples
    --------
    >>> flat = Uniform(2.0, 6.0)
    >>> float(np.exp(flat.log_prob(3.0))), float(flat.mean), float(flat.kurtosis)
    (0.25, 4.0, -1.2)
    >>> Uniform.fit([3.0, 5.0, 4.0])
    Uniform(low=3., high=5.)
    """

    low: Floats
    high: Floats

    def __init__(self, low: ArrayLike = 0.0, high: ArrayLike = 1.0) -> None:
        self._store(low=parameter(self, "low", low), high=parameter(self, "high", high))
        if not np.all(self.low < self.high):
            raise check.fail(self, "high", "above low", self.high)

    @property
    def mean(self) -> Floats:
        return self.low + (self.high - self.low) / 2

    @property
    def var(self) -> Floats:
        return np.asarray((self.high - self.low) ** 2 / 12)

    @property
    def mode(self) -> Floats:
        """The middle; every point of the interval is as probable."""
        return self.mean

    @property
    def skewness(self) -> Floats:
        return np.zeros(self.shape)

    @property
    def kurtosis(self) -> Floats:
        """Excess over the normal distribution, -1.2 (distributions.15)."""
        return np.full(self.shape, -1.2)

    @property
    def entropy(self) -> Floats:
        r""":math:`\log(b - a)`, in nats."""
        return np.log(self.high - self.low)

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        inside = (at >= self.low) & (at <= self.high)
        return np.where(np.isnan(at), 0.0, np.where(inside, -self.entropy, -np.inf))

    def cdf(self, x: ArrayLike) -> Floats:
        share = (points(self, x) - self.low) / (self.high - self.low)
        return np.clip(share, 0.0, 1.0)

    def quantile(self, q: ArrayLike) -> Floats:
        return self.low + probabilities(self, q, self.shape) * (self.high - self.low)

    def sample(self, n: int, rng: Seed) -> Floats:
        return source(self, n, rng).uniform(self.low, self.high, size=(n, *self.shape))

    def kl(self, other: "Uniform") -> Floats:
        """Divergence to another (distributions.21); infinite unless that covers this one."""
        covered = (other.low <= self.low) & (self.high <= other.high)
        return np.where(covered, other.entropy - self.entropy, np.inf)

    @classmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Extremes:
        """Least and largest value of each column; NaN is left out."""
        return Extremes.of(X, weight)

    @classmethod
    def fit(cls, stats: Extremes | ArrayLike, prior: Belief | None = None) -> Self:
        """The smallest interval with all observations: maximum likelihood.

        Parameters
        ----------
        stats : Extremes or array-like
        prior : None
            There is no conjugate prior of this family here.
        """
        if prior is not None:
            raise check.fail(cls.__name__, "prior", "None: the family has no conjugate one", prior)
        stats = as_statistics(cls.__name__, Extremes, stats)
        if not np.all(stats.low < stats.high):
            raise check.fail(cls.__name__, "data", "of two values in every column", "fewer")
        return cls(stats.low, stats.high)
