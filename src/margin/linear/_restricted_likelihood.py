"""Strengths of several quadratic penalties by restricted maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from margin import optim

Floats = NDArray[np.float64]

_WIDEST = 30.0


@dataclass(frozen=True)
class PenalisedFit:
    """Coefficients for given strengths, with what is needed to judge them.

    Parameters
    ----------
    coef : ndarray of shape (q,)
        Minimiser of the penalised sum of squares.
    covariance : ndarray of shape (q, q)
        Inverse of Gram matrix plus penalties.
    squares : float
        Penalised residual sum of squares.
    log_det : float
        Log-determinant of Gram matrix plus penalties.
    """

    coef: Floats
    covariance: Floats
    squares: float
    log_det: float


@dataclass(frozen=True)
class RestrictedLikelihood:
    r"""Restricted likelihood of the strengths of ridge penalties on groups of columns.

    The model is :math:`y = b + Z \beta + \varepsilon` with noise of variance :math:`\sigma^2`, a
    flat prior of :math:`b` and :math:`\beta_j \sim N(0, \sigma^2 / \alpha_{g(j)})`. With centred
    columns, :math:`N` rows and :math:`\sigma^2` at its best value, minus the log-likelihood is

    .. math:: \tfrac{N - 1}2 \log Q + \tfrac12 \log |Z^\top Z + A| - \tfrac12 \log |A|,
              \quad Q = \min_\beta \|y - Z \beta\|^2 + \beta^\top A \beta,

    up to a constant, which is minimised over :math:`\log \alpha`, per row.

    Parameters
    ----------
    gram : ndarray of shape (q, q)
        :math:`Z^\top Z` of centred columns.
    moment : ndarray of shape (q,)
        :math:`Z^\top y`.
    total : float
        :math:`y^\top y` of the centred target, above 0.
    count : float
        Number of rows, or the sum of their weights.
    group : ndarray of int, shape (q,)
        Penalty of each column.
    """

    gram: Floats
    moment: Floats
    total: float
    count: float
    group: NDArray[np.intp]

    @property
    def freedom(self) -> float:
        """Rows less one for the mean, but never none."""
        return max(self.count - 1.0, self.count / 2.0)

    def solve(self, alpha: Floats) -> PenalisedFit:
        """Penalised least squares for given strengths, one per group."""
        factor = cho_factor(self.gram + np.diag(alpha[self.group]), lower=True)
        coef = cho_solve(factor, self.moment)
        covariance = cho_solve(factor, np.eye(len(coef)))
        # A floor keeps the logarithm finite where the columns explain the target completely.
        squares = max(self.total - float(self.moment @ coef), 0.0) + 1e-12 * self.total
        log_det = 2.0 * float(np.sum(np.log(np.diag(factor[0]))))
        return PenalisedFit(coef, covariance, squares, log_det)

    def expand(self, log_alpha: Floats) -> tuple[float, Floats]:
        """Objective per row and its gradient; constant beyond very strong and weak penalties."""
        inside = np.clip(log_alpha, -_WIDEST, _WIDEST)
        alpha = np.exp(inside)
        fit = self.solve(alpha)
        size = np.bincount(self.group, minlength=len(alpha))
        value = self.freedom * np.log(fit.squares) + fit.log_det - float(size @ inside)
        energy = np.bincount(self.group, fit.coef**2, minlength=len(alpha))
        spread = np.bincount(self.group, np.diag(fit.covariance), minlength=len(alpha))
        slope = alpha * (self.freedom * energy / fit.squares + spread) - size
        slope[inside != log_alpha] = 0.0
        return value / (2 * self.count), slope / (2 * self.count)

    def problem(self) -> optim.Function:
        """The objective over the logarithms of the strengths."""
        return optim.Function(self.expand, int(self.group.max()) + 1)
