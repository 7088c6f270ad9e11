"""The normal distribution of one number."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief, ExponentialFamily, Univariate
from margin.distributions._parameters import parameter, points, probabilities, shown, together
from margin.distributions._requirements import Seed, as_statistics, source
from margin.distributions.statistics._column_moments import ColumnMoments

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False, repr=False)
class Normal(Univariate, ExponentialFamily):
    r"""Normal distribution, or an array of independent ones (distributions.07).

    .. math:: p(x) = \frac{1}{\sqrt{2\pi}\,\sigma} \exp\Big(-\frac{(x - \mu)^2}{2\sigma^2}\Big)

    Parameters
    ----------
    mean : array-like
        :math:`\mu`, one for each distribution.
    std : array-like
        Standard deviation :math:`\sigma > 0` (not the variance), broadcast against ``mean``.

    Examples
    --------
    >>> dist = Normal([0.0, 10.0], [1.0, 2.0])
    >>> dist.interval(0.95)[0].round(3)
    array([-1.96,  6.08])
    >>> dist.quantile([0.05, 0.95]).shape
    (2, 2)
    >>> float(Normal(1.0, 1.0).kl(Normal(0.0, 1.0)))
    0.5
    >>> Normal.fit([1.0, 2.0, 3.0, 4.0])
    Normal(mean=2.5, std=1.118)
    """

    mean: Floats
    std: Floats

    def __init__(self, mean: ArrayLike = 0.0, std: ArrayLike = 1.0) -> None:
        given = together(
            self,
            mean=parameter(self, "mean", mean),
            std=parameter(self, "std", std, positive=True),
        )
        for name, value in zip(("mean", "std"), given, strict=True):
            object.__setattr__(self, name, value)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""
        return self.mean.shape

    @property
    def var(self) -> Floats:
        r"""Variance :math:`\sigma^2`."""
        return self.std**2

    @property
    def mode(self) -> Floats:
        return self.mean

    @property
    def skewness(self) -> Floats:
        return np.zeros(self.shape)

    @property
    def kurtosis(self) -> Floats:
        """Excess kurtosis, 0 by definition of the excess (distributions.15)."""
        return np.zeros(self.shape)

    def log_prob(self, x: ArrayLike) -> Floats:
        """Logarithm of the density at ``x``; 0 where ``x`` is NaN (unobserved)."""
        z = self._standard(x)
        with np.errstate(over="ignore"):  # so far out that the density is zero
            return np.where(np.isnan(z), 0.0, -0.5 * (z**2 + _LOG_2PI) - np.log(self.std))

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability of at most ``x``."""
        return np.asarray(ndtr(self._standard(x)))

    def quantile(self, q: ArrayLike) -> Floats:
        """Where the cumulative probability reaches ``q``; the axes of ``q`` come first."""
        return np.asarray(self.mean + self.std * ndtri(probabilities(self, q, self.shape)))

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` draws from each distribution, along a new first axis."""
        draws = source(self, n, rng).standard_normal((n, *self.shape))
        return self.mean + self.std * draws

    @property
    def entropy(self) -> Floats:
        r""":math:`\tfrac12 \log(2\pi e \sigma^2)`, in nats."""
        return 0.5 * (1.0 + _LOG_2PI) + np.log(self.std)

    def kl(self, other: "Normal") -> Floats:
        r"""Divergence :math:`\mathrm{KL}(p\,\|\,q) = E_p \log (p/q)` to another (distributions.21).

        .. math:: \log\frac{\sigma_q}{\sigma_p}
                  + \frac{\sigma_p^2 + (\mu_p - \mu_q)^2}{2\sigma_q^2} - \frac12
        """
        ratio = self.std / other.std
        shift = (self.mean - other.mean) / other.std
        return 0.5 * ((ratio - 1) * (ratio + 1) + shift**2) - np.log(ratio)

    @classmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> ColumnMoments:
        """Weight, mean and scatter of each column of ``X``; NaN is left out (distributions.37)."""
        return ColumnMoments.of(X, weight)

    @classmethod
    def fit(cls, stats: ColumnMoments | ArrayLike, prior: Belief | None = None) -> Self:
        r"""Maximum likelihood (divisor ``n``), or MAP with a prior (distributions.24).

        Parameters
        ----------
        stats : ColumnMoments or array-like
            From :meth:`statistics`; sums of several are fine. Rows of data are summed up first.
        prior : NormalInverseGamma, optional
            Prior of mean and variance; the joint mode of the posterior is returned.
        """
        stats = as_statistics(cls.__name__, ColumnMoments, stats)
        if prior is not None:
            mean, variance = prior.posterior(stats).mode
            return cls(mean, np.sqrt(variance))
        if not np.all(stats.weight > 0):
            raise check.fail(
                cls.__name__, "data", "observed in every column", "a total weight of 0"
            )
        variance = stats.scatter / stats.weight
        if not np.all(variance > 0):
            wanted = "of more than one value in every column, or have a prior"
            raise check.fail(cls.__name__, "data", wanted, "a variance of 0")
        return cls(stats.mean, np.sqrt(variance))

    def __getitem__(self, key: Any) -> Self:
        return type(self)(self.mean[key], self.std[key])

    def __repr__(self) -> str:
        batch = f", shape={self.shape}" if self.mean.size > 4 else ""
        return f"Normal(mean={shown(self.mean)}, std={shown(self.std)}{batch})"

    def _standard(self, x: ArrayLike) -> Floats:
        return np.asarray((points(self, x) - self.mean) / self.std)
