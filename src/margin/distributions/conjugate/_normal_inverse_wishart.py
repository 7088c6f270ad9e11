"""Conjugate prior of a multivariate normal with unknown mean and covariance."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import multigammaln

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import parameter
from margin.distributions._requirements import as_statistics
from margin.distributions.continuous._student_t import StudentT
from margin.distributions.statistics._moments import Moments
from margin.linalg import cholesky


@dataclass(frozen=True, eq=False, repr=False)
class NormalInverseWishart:
    r"""Normal mean given the covariance, inverse-Wishart covariance.

    .. math:: \Sigma \sim W^{-1}(\Psi, \nu), \qquad \mu \mid \Sigma \sim N(m, \Sigma / \kappa)

    Parameters
    ----------
    mean : array-like of shape (d,)
        :math:`m`, prior guess of the mean.
    strength : float
        :math:`\kappa > 0`, how many observations that guess is worth.
    scale : array-like of shape (d, d)
        :math:`\Psi`, positive definite; the guess of the covariance is :math:`\Psi / \nu`.
    df : float
        :math:`\nu > d - 1`, how many observations the guess of the covariance is worth.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import MultivariateNormal
    >>> prior = NormalInverseWishart(mean=[0.0, 0.0], strength=1.0, scale=np.eye(2), df=4.0)
    >>> stats = MultivariateNormal.statistics([[1.0, 0.0], [3.0, 0.0], [2.0, 3.0]])
    >>> prior.posterior(stats)
    NormalInverseWishart(d=2, strength=4, df=7)
    >>> MultivariateNormal.fit(stats, prior).mean
    array([1.5 , 0.75])
    """

    mean: Floats
    strength: float
    scale: Floats
    df: float

    def __init__(self, mean: ArrayLike, strength: float, scale: ArrayLike, df: float) -> None:
        mean = parameter(self, "mean", mean)
        factor = cholesky(scale, name="scale of the prior", max_jitter=0.0)
        d = len(factor.lower)
        if mean.shape != (d,):
            raise check.fail(self, "mean", f"of shape ({d},)", f"shape {mean.shape}")
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "strength", strength)
        object.__setattr__(self, "scale", parameter(self, "scale", scale))
        object.__setattr__(self, "df", df)
        check.params(self, positive="strength")
        if not d - 1 < df < np.inf:
            raise check.fail(self, "df", f"a number above {d - 1}", df)

    @property
    def dim(self) -> int:
        """Number of coordinates ``d``."""
        return len(self.mean)

    def posterior(self, stats: Moments | ArrayLike) -> Self:
        r"""Belief after seeing data with weight ``n``, mean :math:`\bar x` and scatter ``S``.

        .. math:: \kappa_n = \kappa + n, \quad m_n = \frac{\kappa m + n \bar x}{\kappa_n}, \quad
                  \nu_n = \nu + n, \quad \Psi_n = \Psi + S +
                  \frac{\kappa n}{\kappa_n} (\bar x - m)(\bar x - m)^\top
        """
        stats = as_statistics(self, Moments, stats)
        if stats.mean.shape != self.mean.shape:
            raise check.fail(self, "dimension", f"{self.dim}", len(stats.mean))
        strength = self.strength + stats.weight
        shift = stats.mean - self.mean
        return type(self)(
            self.mean + shift * (stats.weight / strength),
            strength,
            self.scale
            + stats.scatter
            + self.strength * stats.weight / strength * np.outer(shift, shift),
            self.df + stats.weight,
        )

    @property
    def mode(self) -> tuple[Floats, Floats]:
        r"""Most probable mean and covariance together: ``m`` and :math:`\Psi / (\nu + d + 2)`."""
        return self.mean, self.scale / (self.df + self.dim + 2)

    def predictive_marginals(self) -> StudentT:
        r"""Each coordinate of the next observation by itself, parameters integrated out.

        Student's t with :math:`\nu - d + 1` degrees of freedom, centre :math:`m_j` and squared
        width :math:`\Psi_{jj} (\kappa + 1) / (\kappa (\nu - d + 1))`.
        """
        df = self.df - self.dim + 1
        width = np.diagonal(self.scale) / df * (1 + 1 / self.strength)
        return StudentT(df, self.mean, np.sqrt(width))

    def log_evidence(self, stats: Moments | ArrayLike) -> float:
        r"""Logarithm of the probability of the data, parameters integrated out.

        .. math:: \log\frac{\Gamma_d(\nu_n/2)}{\Gamma_d(\nu/2)} + \tfrac\nu2 \log\det\Psi
                  - \tfrac{\nu_n}2 \log\det\Psi_n + \tfrac d2 \log\frac{\kappa}{\kappa_n}
                  - \tfrac{n d}2 \log\pi
        """
        stats = as_statistics(self, Moments, stats)
        after, d = self.posterior(stats), self.dim
        return float(
            multigammaln(after.df / 2, d)
            - multigammaln(self.df / 2, d)
            + 0.5 * self.df * cholesky(self.scale, name="scale of the prior").log_det
            - 0.5 * after.df * cholesky(after.scale, name="scale of the posterior").log_det
            + 0.5 * d * np.log(self.strength / after.strength)
            - 0.5 * stats.weight * d * np.log(np.pi)
        )

    def __repr__(self) -> str:
        return f"NormalInverseWishart(d={self.dim}, strength={self.strength:g}, df={self.df:g})"
