"""Conjugate prior of a normal distribution with unknown mean and variance."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, gammaln

from margin.core.types import Floats
from margin.distributions._parameters import parameter, shown, together
from margin.distributions._requirements import as_statistics
from margin.distributions._rows import sums_over_columns
from margin.distributions.continuous._normal import Normal
from margin.distributions.continuous._student_t import StudentT
from margin.distributions.statistics._column_moments import ColumnMoments

_FIELDS = ("mean", "strength", "shape", "scale")


@dataclass(frozen=True, eq=False, repr=False)
class NormalInverseGamma:
    r"""Normal mean given the variance, inverse-gamma variance (distributions.34).

    .. math:: \sigma^2 \sim \mathrm{InvGamma}(\alpha, \beta), \qquad
              \mu \mid \sigma^2 \sim N(m, \sigma^2 / \kappa)

    Parameters
    ----------
    mean : array-like
        :math:`m`, prior guess of the mean.
    strength : array-like
        :math:`\kappa > 0`, how many observations that guess is worth.
    shape, scale : array-like
        :math:`\alpha > 0` and :math:`\beta > 0`; the guess of the variance,
        :math:`\beta/\alpha`, is worth :math:`2\alpha` observations.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> prior = NormalInverseGamma(mean=0.0, strength=1.0, shape=1.0, scale=1.0)
    >>> posterior = prior.posterior(Normal.statistics([1.0, 2.0, 3.0]))
    >>> posterior
    NormalInverseGamma(mean=1.5, strength=4., shape=2.5, scale=3.5)
    >>> posterior.predictive()
    StudentT(df=5., loc=1.5, scale=1.3229)
    """

    mean: Floats
    strength: Floats
    shape: Floats
    scale: Floats

    def __init__(
        self, mean: ArrayLike, strength: ArrayLike, shape: ArrayLike, scale: ArrayLike
    ) -> None:
        given = together(
            self,
            mean=parameter(self, "mean", mean),
            strength=parameter(self, "strength", strength, positive=True),
            shape=parameter(self, "shape", shape, positive=True),
            scale=parameter(self, "scale", scale, positive=True),
        )
        for name, value in zip(_FIELDS, given, strict=True):
            object.__setattr__(self, name, value)

    def posterior(self, stats: ColumnMoments | ArrayLike) -> Self:
        r"""Belief after seeing data.

        .. math:: \kappa_n = \kappa + n, \quad m_n = \frac{\kappa m + n \bar x}{\kappa_n}, \quad
                  \alpha_n = \alpha + \tfrac n2, \quad \beta_n = \beta + \tfrac12 S +
                  \frac{\kappa n (\bar x - m)^2}{2 \kappa_n}
        """
        stats = as_statistics(self, ColumnMoments, stats)
        strength = self.strength + stats.weight
        shift = np.where(stats.weight > 0, stats.mean - self.mean, 0.0)
        return type(self)(
            self.mean + shift * (stats.weight / strength),
            strength,
            self.shape + stats.weight / 2,
            self.scale + (stats.scatter + self.strength * stats.weight / strength * shift**2) / 2,
        )

    @property
    def mode(self) -> tuple[Floats, Floats]:
        r"""Most probable mean and variance together: ``m`` and :math:`\beta / (\alpha + 3/2)`."""
        return self.mean, self.scale / (self.shape + 1.5)

    def predictive(self) -> StudentT:
        r"""Distribution of the next observation, with mean and variance integrated out.

        Student's t with :math:`2\alpha` degrees of freedom, centre ``m`` and squared width
        :math:`\beta (\kappa + 1) / (\alpha \kappa)`.
        """
        width = self.scale / self.shape * (1 + 1 / self.strength)
        return StudentT(2 * self.shape, self.mean, np.sqrt(width))

    def log_evidence(self, stats: ColumnMoments | ArrayLike) -> Floats:
        r"""Logarithm of the probability of the data, parameters integrated out.

        .. math:: \log\frac{\Gamma(\alpha_n)}{\Gamma(\alpha)} + \alpha \log\beta
                  - \alpha_n \log\beta_n + \tfrac12 \log\frac{\kappa}{\kappa_n}
                  - \tfrac n2 \log 2\pi
        """
        stats = as_statistics(self, ColumnMoments, stats)
        after = self.posterior(stats)
        return np.asarray(
            gammaln(after.shape)
            - gammaln(self.shape)
            + self.shape * np.log(self.scale)
            - after.shape * np.log(after.scale)
            + 0.5 * np.log(self.strength / after.strength)
            - 0.5 * stats.weight * np.log(2 * np.pi)
        )

    def plug_in(self) -> Normal:
        r"""Normal at ``m`` with the variance :math:`1/E\sigma^{-2} = \beta/\alpha`."""
        return Normal(self.mean, np.sqrt(self.scale / self.shape))

    def expected_log_prob(self, X: ArrayLike) -> Floats:
        r"""Expectation of the log density of every row, columns being independent.

        .. math:: E[\log p(x)] = \tfrac12\Big[\psi(\alpha) - \log\beta - \log 2\pi - \tfrac1\kappa
                  - \tfrac\alpha\beta (x - m)^2\Big]

        What variational inference puts in the place of ``log_prob``; NaN adds nothing.

        Parameters
        ----------
        X : array-like of shape (n,) or (n, d)

        Returns
        -------
        ndarray of shape (n,), or (n, k) for parameters of shape (k,) or (k, d)
        """
        at = self.plug_in()
        height = 0.5 * (digamma(self.shape) - np.log(self.shape) - 1 / self.strength)

        def density(x: Floats) -> Floats:
            return at.log_prob(x) + np.where(np.isnan(x), 0.0, height)

        return sums_over_columns(self, density, self.mean.shape, X)

    def kl(self, other: "NormalInverseGamma") -> Floats:
        """Divergence of this belief from another: its price in a variational bound."""
        ratio = other.strength / self.strength
        precision = self.shape / self.scale
        of_mean = ratio - 1 - np.log(ratio)
        of_mean = 0.5 * (of_mean + other.strength * precision * (self.mean - other.mean) ** 2)
        return np.asarray(
            of_mean
            + (self.shape - other.shape) * digamma(self.shape)
            - gammaln(self.shape)
            + gammaln(other.shape)
            + other.shape * np.log(self.scale / other.scale)
            + precision * (other.scale - self.scale)
        )

    def __getitem__(self, key: Any) -> Self:
        return type(self)(*(getattr(self, name)[key] for name in _FIELDS))

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={shown(getattr(self, name))}" for name in _FIELDS)
        return f"NormalInverseGamma({inside})"
