"""The Wishart distribution of a positive-definite matrix."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, multigammaln

from margin.core import FitError, check
from margin.core.types import Floats
from margin.distributions._parameters import coordinates, parameter
from margin.distributions._requirements import Seed, source
from margin.linalg import cholesky


@dataclass(frozen=True, eq=False, repr=False)
class Wishart:
    r"""Wishart distribution: the scatter of ``df`` normal rows.

    .. math:: \log p(W) = \tfrac{\nu - d - 1}2 \log\det W - \tfrac12 \mathrm{tr}(V^{-1} W)
              - \tfrac{\nu d}2 \log 2 - \tfrac\nu2 \log\det V - \log\Gamma_d(\tfrac\nu2)

    Parameters
    ----------
    df : float
        :math:`\nu > d - 1`.
    scale : array-like of shape (d, d)
        ``V``, positive definite; the mean is :math:`\nu V`.

    Examples
    --------
    >>> precision = Wishart(5.0, [[2.0, 0.0], [0.0, 1.0]])
    >>> precision.mean
    array([[10.,  0.],
           [ 0.,  5.]])
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
    def mean(self) -> Floats:
        return self.df * self.scale

    @property
    def var(self) -> Floats:
        """Variance of every entry."""
        diagonal = np.diagonal(self.scale)
        return np.asarray(self.df * (self.scale**2 + np.outer(diagonal, diagonal)))

    @property
    def mode(self) -> Floats:
        r""":math:`(\nu - d - 1) V`; refused below :math:`\nu = d + 1`."""
        if self.df < self.dim + 1:
            raise check.fail(self, "df", f"at least {self.dim + 1} for a mode", self.df)
        return (self.df - self.dim - 1) * self.scale

    @property
    def expected_log_det(self) -> float:
        r""":math:`E\log\det W = \sum_i \psi(\tfrac{\nu + 1 - i}2) + d\log 2 + \log\det V`."""
        halves = (self.df - np.arange(self.dim)) / 2
        return float(digamma(halves).sum() + self.dim * np.log(2) + self._log_det())

    @property
    def entropy(self) -> float:
        """In nats, over the distinct entries."""
        d, df = self.dim, self.df
        log_constant = 0.5 * df * (d * np.log(2) + self._log_det()) + multigammaln(df / 2, d)
        return float(log_constant - 0.5 * (df - d - 1) * self.expected_log_det + 0.5 * df * d)

    def log_prob(self, x: ArrayLike) -> Floats:
        """Log density at matrices of shape (..., d, d); minus infinity where not definite."""
        given = np.asarray(x, dtype=np.float64)
        if given.shape[-2:] != self.scale.shape:
            raise check.fail(self, "x", f"of shape (..., {self.dim}, {self.dim})", given.shape)
        value = np.array([self._one(w) for w in given.reshape(-1, self.dim, self.dim)])
        return value.reshape(given.shape[:-2])

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` matrices, along a new first axis, by Bartlett's decomposition."""
        generator, d = source(self, n, rng), self.dim
        lower = np.tril(generator.standard_normal((n, d, d)), -1)
        freedom = self.df - np.arange(d)
        lower[:, np.arange(d), np.arange(d)] = np.sqrt(generator.chisquare(freedom, size=(n, d)))
        half = cholesky(self.scale, name="scale").lower @ lower
        return np.asarray(half @ np.swapaxes(half, 1, 2))

    def marginal(self, idx: Any) -> "Wishart":
        """Distribution of the block of rows and columns ``idx``."""
        kept = coordinates(self, idx, self.dim)
        return Wishart(self.df, self.scale[np.ix_(kept, kept)])

    def kl(self, other: "Wishart") -> float:
        """Divergence to another (distributions.21)."""
        if other.dim != self.dim:
            raise check.fail(self, "dimension", f"{self.dim}", other.dim)
        d, one, two = self.dim, self.df, other.df
        trace = float(np.trace(cholesky(other.scale, name="scale").solve(self.scale)))
        halves = (one - np.arange(d)) / 2
        value = 0.5 * two * (other._log_det() - self._log_det()) + 0.5 * one * (trace - d)
        value += multigammaln(two / 2, d) - multigammaln(one / 2, d)
        return float(value + 0.5 * (one - two) * digamma(halves).sum())

    def _one(self, matrix: Floats) -> float:
        try:
            log_det = cholesky(matrix, name="matrix", max_jitter=0.0).log_det
        except (FitError, ValueError):
            return 0.0 if np.isnan(matrix).all() else -np.inf
        d, df = self.dim, self.df
        trace = float(np.trace(cholesky(self.scale, name="scale").solve(matrix)))
        value = 0.5 * (df - d - 1) * log_det - 0.5 * trace
        return float(value - 0.5 * df * (d * np.log(2) + self._log_det()) - multigammaln(df / 2, d))

    def _log_det(self) -> float:
        return cholesky(self.scale, name="scale").log_det

    def __repr__(self) -> str:
        return f"Wishart(df={self.df:g}, d={self.dim})"


def degrees_and_scale(owner: object, df: float, scale: ArrayLike) -> dict[str, Any]:
    """Checked parameters of this distribution and of that of the inverse matrix.

    Examples
    --------
    >>> degrees_and_scale("Wishart", 1.0, [[2.0, 0.0], [0.0, 1.0]])
    Traceback (most recent call last):
    ValueError: Wishart: df must be a number above 1, got 1.0
    """
    matrix = parameter(owner, "scale", scale)
    cholesky(matrix, name="scale", max_jitter=0.0)
    if not len(matrix) - 1 < df < np.inf:
        raise check.fail(owner, "df", f"a number above {len(matrix) - 1}", df)
    return {"df": float(df), "scale": matrix}
