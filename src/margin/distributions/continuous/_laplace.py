"""The Laplace distribution."""

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
from margin.distributions.statistics._sample import WeightedSample


@dataclass(frozen=True, eq=False, repr=False)
class Laplace(Parametric, ExponentialFamily):
    r"""Laplace distribution, or an array of independent ones (distributions.08).

    .. math:: p(x) = \frac1{2b} \exp\Big(-\frac{|x - \mu|}b\Big)

    Parameters
    ----------
    loc : array-like
        :math:`\mu`.
    scale : array-like
        :math:`b > 0`.

    Examples
    --------
    >>> peaked = Laplace(0.0, 2.0)
    >>> float(np.exp(peaked.log_prob(0.0))), float(peaked.var), float(peaked.kurtosis)
    (0.25, 8.0, 3.0)
    >>> Laplace.fit([1.0, 2.0, 9.0])
    Laplace(loc=2., scale=2.6667)
    """

    loc: Floats
    scale: Floats

    def __init__(self, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0) -> None:
        self._store(
            loc=parameter(self, "loc", loc),
            scale=parameter(self, "scale", scale, positive=True),
        )

    @property
    def mean(self) -> Floats:
        return self.loc

    @property
    def var(self) -> Floats:
        return 2.0 * self.scale**2

    @property
    def mode(self) -> Floats:
        return self.loc

    @property
    def skewness(self) -> Floats:
        return np.zeros(self.shape)

    @property
    def kurtosis(self) -> Floats:
        """Excess over the normal distribution, 3 (distributions.15)."""
        return np.full(self.shape, 3.0)

    @property
    def entropy(self) -> Floats:
        r""":math:`1 + \log 2b`, in nats."""
        return 1.0 + np.log(2.0 * self.scale)

    def log_prob(self, x: ArrayLike) -> Floats:
        z = self._standard(x)
        return np.where(np.isnan(z), 0.0, -np.abs(z) - np.log(2.0 * self.scale))

    def cdf(self, x: ArrayLike) -> Floats:
        z = self._standard(x)
        tail = 0.5 * np.exp(-np.abs(z))
        return np.where(z < 0, tail, 1.0 - tail)

    def quantile(self, q: ArrayLike) -> Floats:
        levels = probabilities(self, q, self.shape)
        with np.errstate(divide="ignore"):
            low, high = np.log(2.0 * levels), -np.log(2.0 * (1.0 - levels))
        return self.loc + self.scale * np.where(levels < 0.5, low, high)

    def sample(self, n: int, rng: Seed) -> Floats:
        return source(self, n, rng).laplace(self.loc, self.scale, size=(n, *self.shape))

    def kl(self, other: "Laplace") -> Floats:
        """Divergence to another (distributions.21)."""
        apart = np.abs(self.loc - other.loc)
        ratio = self.scale / other.scale
        bent = ratio * np.exp(-apart / self.scale) + apart / other.scale
        return np.asarray(bent - 1.0 - np.log(ratio))

    @classmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> WeightedSample:
        """The distinct rows and their weights: a median has no smaller statistics."""
        return WeightedSample.of(X, weight)

    @classmethod
    def fit(cls, stats: WeightedSample | ArrayLike, prior: Belief | None = None) -> Self:
        """Maximum likelihood: weighted median, and mean distance from it.

        Parameters
        ----------
        stats : WeightedSample or array-like
        prior : None
            There is no conjugate prior of this family.
        """
        if prior is not None:
            raise check.fail(cls.__name__, "prior", "None: the family has no conjugate one", prior)
        stats = as_statistics(cls.__name__, WeightedSample, stats)
        pairs = [_median_and_distance(cls.__name__, v, w) for v, w in stats.columns()]
        loc, scale = np.array(pairs).T.reshape(2, *stats.shape)
        return cls(loc, scale)

    def _standard(self, x: ArrayLike) -> Floats:
        return np.asarray((points(self, x) - self.loc) / self.scale)


def _median_and_distance(owner: str, values: Floats, weight: Floats) -> tuple[float, float]:
    if not len(values) or values.min() == values.max():
        raise check.fail(owner, "data", "of two values in every column", f"{min(len(values), 1)}")
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weight[order])
    # Between two values with half of the weight on each side every point is a median.
    low = values[order][np.searchsorted(total, 0.5 * total[-1] * (1 - 1e-12))]
    high = values[order][np.searchsorted(total, 0.5 * total[-1] * (1 + 1e-12))]
    median = low + (high - low) / 2
    return float(median), float(weight @ np.abs(values - median) / weight.sum())
