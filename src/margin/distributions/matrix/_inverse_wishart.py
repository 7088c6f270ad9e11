"""The inverse-Wishart distribution of a positive-definite matrix."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import multigammaln

from margin.core import FitError, check
from margin.core.types import Floats
from margin.distributions._parameters import coordinates
from margin.distributions._requirements import Seed
from margin.distributions.matrix._wishart import Wishart, degrees_and_scale
from margin.linalg import cholesky


@dataclass(frozen=True, eq=False, repr=False)
class InverseWishart:
    r"""Distribution of the inverse of a Wishart matrix: the conjugate prior of a covariance.

    .. math:: \log p(\Sigma) = -\tfrac{\nu + d + 1}2 \log\det\Sigma
              - \tfrac12 \mathrm{tr}(\Psi\Sigma^{-1}) + \tfrac\nu2 \log\det\Psi
              - \tfrac{\nu d}2 \log 2 - \log\Gamma_d(\tfrac\nu2)

    Parameters
    ----------
    df : float
        :math:`\nu > d - 1`.
    scale : array-like of shape (d, d)
        :math:`\Psi`, positive definite.

    Examples
    --------
    >>> covariance = InverseWishart(5.0, [[2.0, 0.0], [0.0, 4.0]])
    >>> covariance.mean
    array([[1., 0.],
           [0., 2.]])
    """

    df: float
    scale: Floats

    def __init__(self, df: float, scale: ArrayLike) -> None:
        for name, value in degrees_and_scale(self, df, scale).items():
            object.__setattr__(self, name, value)

    @property
    def dim(self) -> int:
        """Rows of the matrix ``d``."""
        return len(self.scale)

    @property
    def inverse(self) -> Wishart:
        """Distribution of the inverse matrix."""
        inverse = cholesky(self.scale, name="scale").solve(np.eye(self.dim))
        return Wishart(self.df, (inverse + inverse.T) / 2)

    @property
    def mean(self) -> Floats:
        r""":math:`\Psi/(\nu - d - 1)`; refused up to :math:`\nu = d + 1`."""
        if self.df <= self.dim + 1:
            raise check.fail(self, "df", f"above {self.dim + 1} for a mean", self.df)
        return self.scale / (self.df - self.dim - 1)

    @property
    def var(self) -> Floats:
        r"""Variance of every entry; refused up to :math:`\nu = d + 3`."""
        d, df = self.dim, self.df
        if df <= d + 3:
            raise check.fail(self, "df", f"above {d + 3} for a variance", df)
        diagonal = np.diagonal(self.scale)
        above = (df - d + 1) * self.scale**2 + (df - d - 1) * np.outer(diagonal, diagonal)
        return np.asarray(above / ((df - d) * (df - d - 1) ** 2 * (df - d - 3)))

    @property
    def mode(self) -> Floats:
        r""":math:`\Psi/(\nu + d + 1)`."""
        return self.scale / (self.df + self.dim + 1)

    @property
    def entropy(self) -> float:
        """In nats, over the distinct entries."""
        return self.inverse.entropy - (self.dim + 1) * self.inverse.expected_log_det

    def log_prob(self, x: ArrayLike) -> Floats:
        """Log density at matrices of shape (..., d, d); minus infinity where not definite."""
        given = np.asarray(x, dtype=np.float64)
        if given.shape[-2:] != self.scale.shape:
            raise check.fail(self, "x", f"of shape (..., {self.dim}, {self.dim})", given.shape)
        value = np.array([self._one(w) for w in given.reshape(-1, self.dim, self.dim)])
        return value.reshape(given.shape[:-2])

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` matrices, along a new first axis."""
        draws = self.inverse.sample(n, rng)
        inverses = [cholesky(w, name="draw").solve(np.eye(self.dim)) for w in draws]
        return np.array(inverses).reshape(n, self.dim, self.dim)

    def marginal(self, idx: Any) -> "InverseWishart":
        """Distribution of the block of rows and columns ``idx``: fewer degrees of freedom."""
        kept = coordinates(self, idx, self.dim)
        lost = self.dim - len(kept)
        return InverseWishart(self.df - lost, self.scale[np.ix_(kept, kept)])

    def kl(self, other: "InverseWishart") -> float:
        """Divergence to another (distributions.21): that of the inverse matrices."""
        return self.inverse.kl(other.inverse)

    def _one(self, matrix: Floats) -> float:
        try:
            factor = cholesky(matrix, name="matrix", max_jitter=0.0)
        except (FitError, ValueError):
            return 0.0 if np.isnan(matrix).all() else -np.inf
        d, df = self.dim, self.df
        trace = float(np.trace(factor.solve(self.scale)))
        value = -0.5 * (df + d + 1) * factor.log_det - 0.5 * trace
        value += 0.5 * df * (cholesky(self.scale, name="scale").log_det - d * np.log(2))
        return float(value - multigammaln(df / 2, d))

    def __repr__(self) -> str:
        return f"InverseWishart(df={self.df:g}, d={self.dim})"
