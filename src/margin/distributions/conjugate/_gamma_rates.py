"""Beliefs about rates: of Poisson counts, and of exponential waiting times."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from margin.core.types import Floats
from margin.distributions._parameters import parameter, shown, together
from margin.distributions._rows import sums_over_columns
from margin.distributions.continuous._exponential import Exponential
from margin.distributions.continuous._gamma import Gamma
from margin.distributions.continuous._lomax import Lomax
from margin.distributions.discrete._negative_binomial import NegativeBinomial
from margin.distributions.discrete._poisson import Poisson
from margin.distributions.statistics._totals import Totals


@dataclass(frozen=True, eq=False, repr=False)
class GammaPoisson:
    r"""Gamma belief about the rate of Poisson counts (distributions.31).

    .. math:: \lambda \sim \mathrm{Gamma}(\alpha, \beta), \qquad
              x \mid \lambda \sim \mathrm{Poisson}(\lambda)

    Parameters
    ----------
    concentration, rate : array-like
        Both above 0: ``rate`` observations with ``concentration`` events between them.

    Examples
    --------
    >>> belief = GammaPoisson(2.0, 1.0).posterior([3, 4, 2])
    >>> belief
    GammaPoisson(concentration=11., rate=4.)
    >>> float(belief.predictive().mean)
    2.75
    """

    concentration: Floats
    rate: Floats

    def __init__(self, concentration: ArrayLike, rate: ArrayLike) -> None:
        for name, value in _checked(self, concentration, rate).items():
            object.__setattr__(self, name, value)

    @property
    def distribution(self) -> Gamma:
        """Of the rate."""
        return Gamma(self.concentration, self.rate)

    @property
    def mean(self) -> Floats:
        return self.distribution.mean

    @property
    def mode(self) -> Floats:
        return self.distribution.mode

    def posterior(self, stats: Totals | ArrayLike) -> Self:
        """Belief after counts: events and observations are added."""
        totals = stats if isinstance(stats, Totals) else Poisson.statistics(stats)
        return type(self)(self.concentration + totals.total[..., 0], self.rate + totals.weight)

    def predictive(self) -> NegativeBinomial:
        """Distribution of the next count."""
        return NegativeBinomial(self.concentration, self.rate)

    def log_evidence(self, stats: Totals | ArrayLike) -> Floats:
        """Log probability of the counts, the rate integrated out."""
        totals = stats if isinstance(stats, Totals) else Poisson.statistics(stats)
        return _constant_ratio(self, self.posterior(totals)) - totals.total[..., 1]

    def expected_log_prob(self, X: ArrayLike) -> Floats:
        """Expectation of the log probability of every row of counts; NaN adds nothing."""
        at = self.distribution

        def density(x: Floats) -> Floats:
            value = x * at.expected_log - at.mean - gammaln(x + 1.0)
            return np.where(np.isnan(x), 0.0, value)

        return sums_over_columns(self, density, self.rate.shape, X)

    def kl(self, other: "GammaPoisson") -> Floats:
        """Divergence of this belief from another: its price in a variational bound."""
        return self.distribution.kl(other.distribution)

    def __getitem__(self, key: Any) -> Self:
        return type(self)(self.concentration[key], self.rate[key])

    def __repr__(self) -> str:
        return f"GammaPoisson({_inside(self)})"


@dataclass(frozen=True, eq=False, repr=False)
class GammaExponential:
    r"""Gamma belief about the rate of exponential waiting times (distributions.31).

    .. math:: \lambda \sim \mathrm{Gamma}(\alpha, \beta), \qquad
              x \mid \lambda \sim \mathrm{Exponential}(\lambda)

    Parameters
    ----------
    concentration, rate : array-like
        Both above 0: ``concentration`` events in a total time of ``rate``.

    Examples
    --------
    >>> GammaExponential(2.0, 1.0).posterior([0.5, 1.5])
    GammaExponential(concentration=4., rate=3.)
    """

    concentration: Floats
    rate: Floats

    def __init__(self, concentration: ArrayLike, rate: ArrayLike) -> None:
        for name, value in _checked(self, concentration, rate).items():
            object.__setattr__(self, name, value)

    @property
    def distribution(self) -> Gamma:
        """Of the rate."""
        return Gamma(self.concentration, self.rate)

    @property
    def mean(self) -> Floats:
        return self.distribution.mean

    @property
    def mode(self) -> Floats:
        return self.distribution.mode

    def posterior(self, stats: Totals | ArrayLike) -> Self:
        """Belief after waiting times: events and times are added."""
        totals = stats if isinstance(stats, Totals) else Exponential.statistics(stats)
        return type(self)(self.concentration + totals.weight, self.rate + totals.total[..., 0])

    def predictive(self) -> Lomax:
        """Distribution of the next waiting time."""
        return Lomax(self.concentration, self.rate)

    def log_evidence(self, stats: Totals | ArrayLike) -> Floats:
        """Log density of the waiting times, the rate integrated out."""
        return _constant_ratio(self, self.posterior(stats))

    def expected_log_prob(self, X: ArrayLike) -> Floats:
        """Expectation of the log density of every row of times; NaN adds nothing."""
        at = self.distribution

        def density(x: Floats) -> Floats:
            return np.where(np.isnan(x), 0.0, at.expected_log - x * at.mean)

        return sums_over_columns(self, density, self.rate.shape, X)

    def kl(self, other: "GammaExponential") -> Floats:
        """Divergence of this belief from another: its price in a variational bound."""
        return self.distribution.kl(other.distribution)

    def __getitem__(self, key: Any) -> Self:
        return type(self)(self.concentration[key], self.rate[key])

    def __repr__(self) -> str:
        return f"GammaExponential({_inside(self)})"


def _checked(owner: object, concentration: ArrayLike, rate: ArrayLike) -> dict[str, Floats]:
    given = {
        "concentration": parameter(owner, "concentration", concentration, positive=True),
        "rate": parameter(owner, "rate", rate, positive=True),
    }
    return dict(zip(given, together(owner, **given), strict=True))


def _constant_ratio(before: Any, after: Any) -> Floats:
    """Log of the ratio of the constants of two gamma distributions."""
    value = gammaln(after.concentration) - after.concentration * np.log(after.rate)
    return np.asarray(
        value - gammaln(before.concentration) + before.concentration * np.log(before.rate)
    )


def _inside(belief: Any) -> str:
    return f"concentration={shown(belief.concentration)}, rate={shown(belief.rate)}"
