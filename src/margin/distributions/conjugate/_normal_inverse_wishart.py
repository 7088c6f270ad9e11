"""Conjugate prior of a multivariate normal with unknown mean and covariance."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import multigammaln

from margin.core import check
from margin.core.types import Floats
from margin.distributions._parameters import parameter
from margin.distributions._requirements import as_statistics
from margin.distributions.conjugate._wishart_expectation import (
    expected_log_density,
    expected_log_det_precision,
    log_dets,
)
from margin.distributions.continuous._student_t import StudentT
from margin.distributions.multivariate._multivariate_normal import MultivariateNormal
from margin.distributions.multivariate._student_vector import StudentVector
from margin.distributions.statistics._moments import Moments
from margin.linalg import cholesky


@dataclass(frozen=True, eq=False, repr=False)
class NormalInverseWishart:
    r"""Normal mean given the covariance, inverse-Wishart covariance.

    .. math:: \Sigma \sim W^{-1}(\Psi, \nu), \qquad \mu \mid \Sigma \sim N(m, \Sigma / \kappa)

    Or an array of ``k`` such beliefs, one for each member of a mixture, as the posterior given
    statistics of ``k`` members is.

    Parameters
    ----------
    mean : array-like of shape (d,) or (k, d)
        :math:`m`, prior guess of the mean.
    strength : float or array-like of shape (k,)
        :math:`\kappa > 0`, how many observations that guess is worth.
    scale : array-like of shape (d, d) or (k, d, d)
        :math:`\Psi`, positive definite; the guess of the covariance is :math:`\Psi / \nu`.
    df : float or array-like of shape (k,)
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
    strength: Any
    scale: Floats
    df: Any

    def __init__(self, mean: ArrayLike, strength: Any, scale: ArrayLike, df: Any) -> None:
        mean, given = parameter(self, "mean", mean), parameter(self, "scale", scale)
        single = given.ndim <= 2
        for matrix in [given] if single else given:
            cholesky(matrix, name="scale of the prior", max_jitter=0.0)
        d = given.shape[-1]
        if mean.shape != given.shape[:-1]:
            raise check.fail(self, "mean", f"of shape {given.shape[:-1]}", f"shape {mean.shape}")
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "scale", given)
        if single:
            object.__setattr__(self, "strength", strength)
            object.__setattr__(self, "df", df)
            check.params(self, positive="strength")
        else:
            for name, value in (("strength", strength), ("df", df)):
                each = np.broadcast_to(parameter(self, name, value, positive=True), len(given))
                object.__setattr__(self, name, each)
        if not np.all((np.asarray(self.df) > d - 1) & (np.asarray(self.df) < np.inf)):
            raise check.fail(self, "df", f"a number above {d - 1}", df)

    @property
    def dim(self) -> int:
        """Number of coordinates ``d``."""
        return int(self.mean.shape[-1])

    def posterior(self, stats: Moments | ArrayLike) -> Self:
        r"""Belief after seeing data with weight ``n``, mean :math:`\bar x` and scatter ``S``.

        .. math:: \kappa_n = \kappa + n, \quad m_n = \frac{\kappa m + n \bar x}{\kappa_n}, \quad
                  \nu_n = \nu + n, \quad \Psi_n = \Psi + S +
                  \frac{\kappa n}{\kappa_n} (\bar x - m)(\bar x - m)^\top
        """
        stats = as_statistics(self, Moments, stats)
        if stats.mean.shape[-1:] != self.mean.shape[-1:]:
            raise check.fail(self, "dimension", f"{self.dim}", stats.mean.shape[-1])
        strength = self.strength + stats.weight
        shift = np.where(np.asarray(stats.weight)[..., None] > 0, stats.mean - self.mean, 0.0)
        pull = np.asarray(self.strength * stats.weight / strength)
        outer = shift[..., :, None] * shift[..., None, :]
        return type(self)(
            self.mean + shift * np.asarray(stats.weight / strength)[..., None],
            strength,
            self.scale + stats.scatter + pull[..., None, None] * outer,
            self.df + stats.weight,
        )

    @property
    def mode(self) -> tuple[Floats, Floats]:
        r"""Most probable mean and covariance together: ``m`` and :math:`\Psi / (\nu + d + 2)`."""
        return self.mean, self.scale / np.asarray(self.df + self.dim + 2)[..., None, None]

    def predictive(self) -> StudentVector:
        r"""Distribution of the next row, a multivariate t (:meth:`StudentVector.predictive`)."""
        if self.mean.ndim > 1:
            raise check.fail(self, "mean", "of shape (d,) to predict: take a member", self.mean)
        return StudentVector.predictive(self)

    def predictive_marginals(self) -> StudentT:
        r"""Each coordinate of the next observation by itself, parameters integrated out.

        Student's t with :math:`\nu - d + 1` degrees of freedom, centre :math:`m_j` and squared
        width :math:`\Psi_{jj} (\kappa + 1) / (\kappa (\nu - d + 1))`.
        """
        df = np.asarray(self.df - self.dim + 1)[..., None]
        diagonal = np.diagonal(self.scale, axis1=-2, axis2=-1)
        width = diagonal / df * (1 + 1 / np.asarray(self.strength)[..., None])
        return StudentT(df, self.mean, np.sqrt(width))

    def plug_in(self) -> MultivariateNormal:
        r"""Normal distribution at ``m`` with the inverse of :math:`E\Sigma^{-1}`, :math:`\Psi/\nu`.

        Up to its height it is :math:`\exp E[\log p(x)]`: under it the holes of rows are completed
        in variational inference.
        """
        return MultivariateNormal(self.mean, self.scale / np.asarray(self.df)[..., None, None])

    def log_evidence(self, stats: Moments | ArrayLike) -> Any:
        r"""Logarithm of the probability of the data, parameters integrated out.

        .. math:: \log\frac{\Gamma_d(\nu_n/2)}{\Gamma_d(\nu/2)} + \tfrac\nu2 \log\det\Psi
                  - \tfrac{\nu_n}2 \log\det\Psi_n + \tfrac d2 \log\frac{\kappa}{\kappa_n}
                  - \tfrac{n d}2 \log\pi
        """
        stats = as_statistics(self, Moments, stats)
        after, d = self.posterior(stats), self.dim
        value = (
            multigammaln(after.df / 2, d)
            - multigammaln(np.asarray(self.df) / 2, d)
            + 0.5 * self.df * log_dets(self.scale)
            - 0.5 * after.df * log_dets(after.scale)
            + 0.5 * d * np.log(self.strength / after.strength)
            - 0.5 * stats.weight * d * np.log(np.pi)
        )
        return float(value) if np.ndim(value) == 0 else value

    def expected_log_prob(self, X: ArrayLike) -> Floats:
        r"""Expectation of the log density of every row, :math:`E[\log p(x \mid \mu, \Sigma)]`.

        .. math:: \tfrac12 \Big[E\log\det\Sigma^{-1} - d \log 2\pi - \tfrac d\kappa
                  - \nu\,(x - m)^\top \Psi^{-1} (x - m)\Big]

        What variational inference puts in the place of ``log_prob``. Coordinates that are NaN are
        integrated out of its exponential, as coordinate ascent over them asks.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        ndarray of shape (n,) or (n, k)
        """
        return expected_log_density(self.plug_in(), self.strength, self.df, self.scale, X)

    def kl(self, other: "NormalInverseWishart") -> Floats:
        r"""Divergence of this belief from another: the price of ``self`` in a variational bound."""
        d, df, target = self.dim, np.asarray(self.df), np.asarray(other.df)
        log_det = expected_log_det_precision(df, self.scale)
        ratio = np.asarray(other.strength / self.strength)
        shift = self.mean - other.mean
        inverse = np.linalg.solve(self.scale, np.broadcast_to(np.eye(d), self.scale.shape))
        apart = np.einsum("...i,...ij,...j->...", shift, inverse, shift)
        of_mean = 0.5 * (d * (ratio - 1 - np.log(ratio)) + other.strength * df * apart)
        trace = np.einsum("...ij,...ji->...", inverse, np.broadcast_to(other.scale, inverse.shape))
        of_spread = (
            0.5 * df * log_dets(self.scale)
            - 0.5 * target * log_dets(other.scale)
            + 0.5 * (df - target) * log_det
            - 0.5 * df * (d - trace)
            - multigammaln(df / 2, d)
            + multigammaln(target / 2, d)
            - 0.5 * (df - target) * d * np.log(2)
        )
        return np.asarray(of_mean + of_spread)

    def __getitem__(self, member: int) -> "NormalInverseWishart":
        if self.mean.ndim != 2:
            raise TypeError("NormalInverseWishart: a single belief has no members")
        return NormalInverseWishart(
            self.mean[member], float(self.strength[member]), self.scale[member], self.df[member]
        )

    def __repr__(self) -> str:
        if self.mean.ndim > 1:
            return f"NormalInverseWishart(d={self.dim}, k={len(self.mean)})"
        return f"NormalInverseWishart(d={self.dim}, strength={self.strength:g}, df={self.df:g})"
