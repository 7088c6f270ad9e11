"""Belief about the mean of normal observations of known variance."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats
from margin.distributions._parameters import parameter, shown, together
from margin.distributions._requirements import as_statistics
from margin.distributions._rows import sums_over_columns
from margin.distributions.continuous._normal import Normal
from margin.distributions.statistics._column_moments import ColumnMoments

_FIELDS = ("mean", "std", "noise")
_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False, repr=False)
class NormalMean:
    r"""Normal belief about a normal mean, the variance being known (distributions.32).

    .. math:: \mu \sim N(m, s^2), \qquad x \mid \mu \sim N(\mu, \sigma^2)

    Parameters
    ----------
    mean, std : array-like
        ``m`` and ``s > 0`` of the belief.
    noise : array-like
        Standard deviation :math:`\sigma > 0` of an observation.

    Examples
    --------
    >>> belief = NormalMean(0.0, 1.0, noise=2.0).posterior([1.0, 2.0, 3.0, 6.0])
    >>> float(belief.mean.round(12)), float((belief.std**2).round(12))
    (1.5, 0.5)
    >>> float(belief.predictive().var.round(12))
    4.5
    """

    mean: Floats
    std: Floats
    noise: Floats

    def __init__(self, mean: ArrayLike, std: ArrayLike, noise: ArrayLike) -> None:
        given = together(
            self,
            mean=parameter(self, "mean", mean),
            std=parameter(self, "std", std, positive=True),
            noise=parameter(self, "noise", noise, positive=True),
        )
        for name, value in zip(_FIELDS, given, strict=True):
            object.__setattr__(self, name, value)

    @property
    def distribution(self) -> Normal:
        """Of the mean of the observations."""
        return Normal(self.mean, self.std)

    @property
    def mode(self) -> tuple[Floats, Floats]:
        """Most probable mean, and the known variance: parameters of :class:`Normal`."""
        return self.mean, self.noise**2

    def posterior(self, stats: ColumnMoments | ArrayLike) -> Self:
        r"""Belief after ``n`` observations of mean :math:`\bar x`.

        .. math:: \frac1{s_n^2} = \frac1{s^2} + \frac n{\sigma^2}, \qquad
                  m_n = m + \frac{n s_n^2}{\sigma^2} (\bar x - m)
        """
        stats = as_statistics(self, ColumnMoments, stats)
        var = 1.0 / (1.0 / self.std**2 + stats.weight / self.noise**2)
        shift = np.where(stats.weight > 0, stats.mean - self.mean, 0.0)
        gain = stats.weight * var / self.noise**2
        return type(self)(self.mean + gain * shift, np.sqrt(var), self.noise)

    def predictive(self) -> Normal:
        r"""Distribution :math:`N(m, s^2 + \sigma^2)` of the next observation."""
        return Normal(self.mean, np.hypot(self.std, self.noise))

    def log_evidence(self, stats: ColumnMoments | ArrayLike) -> Floats:
        """Log density of the observations, their mean integrated out."""
        stats = as_statistics(self, ColumnMoments, stats)
        n, noise = stats.weight, self.noise**2
        total = noise + n * self.std**2
        shift = np.where(n > 0, stats.mean - self.mean, 0.0)
        value = -0.5 * n * (_LOG_2PI + np.log(noise)) - 0.5 * stats.scatter / noise
        return np.asarray(value + 0.5 * np.log(noise / total) - 0.5 * n * shift**2 / total)

    def expected_log_prob(self, X: ArrayLike) -> Floats:
        """Expectation of the log density of every row; NaN adds nothing."""
        at = Normal(self.mean, self.noise)
        extra = 0.5 * (self.std / self.noise) ** 2

        def density(x: Floats) -> Floats:
            return at.log_prob(x) - np.where(np.isnan(x), 0.0, extra)

        return sums_over_columns(self, density, self.mean.shape, X)

    def kl(self, other: "NormalMean") -> Floats:
        """Divergence of this belief from another: its price in a variational bound."""
        return self.distribution.kl(other.distribution)

    def __getitem__(self, key: Any) -> Self:
        return type(self)(self.mean[key], self.std[key], self.noise[key])

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={shown(getattr(self, name))}" for name in _FIELDS)
        return f"NormalMean({inside})"
