"""Belief about the mean of normal vectors of known covariance."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._parameters import parameter
from margin.distributions._requirements import as_statistics
from margin.distributions.multivariate._multivariate_normal import MultivariateNormal
from margin.distributions.statistics._moments import Moments
from margin.linalg import cholesky

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False, repr=False)
class VectorMean:
    r"""Normal belief about the mean of normal vectors (distributions.33).

    .. math:: \mu \sim N(m, S), \qquad x \mid \mu \sim N(\mu, \Sigma)

    Parameters
    ----------
    mean : array-like of shape (d,)
        ``m``.
    covariance : array-like of shape (d, d)
        ``S``, how uncertain the mean is.
    noise : array-like of shape (d, d)
        :math:`\Sigma`, the known covariance of an observation.

    Examples
    --------
    >>> import numpy as np
    >>> prior = VectorMean([0.0, 0.0], np.eye(2), 4 * np.eye(2))
    >>> prior.posterior([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [6.0, 0.0]]).mean
    array([1.5, 0. ])
    """

    mean: Floats
    covariance: Floats
    noise: Floats

    def __init__(self, mean: ArrayLike, covariance: ArrayLike, noise: ArrayLike) -> None:
        centre = parameter(self, "mean", mean)
        for name, value in (("covariance", covariance), ("noise", noise)):
            matrix = parameter(self, name, value)
            if matrix.shape != (*centre.shape, *centre.shape):
                need = f"of shape {(*centre.shape, *centre.shape)}"
                raise check.fail(self, name, need, f"shape {matrix.shape}")
            cholesky(matrix, name=name)
            object.__setattr__(self, name, matrix)
        object.__setattr__(self, "mean", centre)

    @property
    def dim(self) -> int:
        """Number of coordinates ``d``."""
        return len(self.mean)

    @property
    def distribution(self) -> MultivariateNormal:
        """Of the mean of the observations."""
        return MultivariateNormal(self.mean, self.covariance)

    @property
    def mode(self) -> tuple[Floats, Floats]:
        """Most probable mean, and the known covariance."""
        return self.mean, self.noise

    def posterior(self, stats: Moments | ArrayLike) -> Self:
        r"""Belief after ``n`` rows of mean :math:`\bar x`.

        .. math:: S_n = (S^{-1} + n\Sigma^{-1})^{-1}, \qquad
                  m_n = m + S (S + \Sigma/n)^{-1} (\bar x - m)

        The second form of :math:`S_n`, :math:`S (S + \Sigma/n)^{-1} \Sigma/n`, needs one factor.
        """
        stats = as_statistics(self, Moments, stats)
        if stats.mean.shape != self.mean.shape:
            raise check.fail(self, "dimension", f"{self.dim}", stats.mean.shape[-1])
        if stats.weight == 0:
            return self
        factor = cholesky(self.covariance + self.noise / stats.weight, name="covariance")
        gain = factor.solve(self.covariance).T
        covariance = gain @ self.noise / stats.weight
        mean = self.mean + gain @ (stats.mean - self.mean)
        return type(self)(mean, (covariance + covariance.T) / 2, self.noise)

    def predictive(self) -> MultivariateNormal:
        r"""Distribution :math:`N(m, S + \Sigma)` of the next row; NaN is marginalised."""
        return MultivariateNormal(self.mean, self.covariance + self.noise)

    def log_evidence(self, stats: Moments | ArrayLike) -> float:
        """Log density of the rows, their mean integrated out."""
        stats = as_statistics(self, Moments, stats)
        n, d = stats.weight, self.dim
        if n == 0:
            return 0.0
        noise = cholesky(self.noise, name="noise")
        about = -0.5 * n * (d * _LOG_2PI + noise.log_det)
        about -= 0.5 * float(np.trace(noise.solve(stats.scatter)))
        spread = cholesky(n * self.covariance + self.noise, name="covariance")
        shift = n * float(spread.quadratic(stats.mean - self.mean))
        return float(about + 0.5 * (noise.log_det - spread.log_det) - 0.5 * shift)

    def expected_log_prob(self, X: ArrayLike) -> Floats:
        r"""Expectation of the log density of complete rows: that at ``m`` less half a trace."""
        noise = cholesky(self.noise, name="noise")
        at = MultivariateNormal(self.mean, self.noise).log_prob_rows(X)
        return at - 0.5 * float(np.trace(noise.solve(self.covariance)))

    def kl(self, other: "VectorMean") -> Floats:
        """Divergence of this belief from another: its price in a variational bound."""
        return self.distribution.kl(other.distribution)

    def __repr__(self) -> str:
        return f"VectorMean(d={self.dim})"
