"""Strengths of several quadratic penalties by restricted maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.linalg import eigh, lapack

from margin import optim
from margin.core import FitError
from margin.core.types import Floats, Places

# Relative strengths beyond these change nothing, or would spoil the factorisation.
_WEAKEST, _STRONGEST = -25.0, 40.0
_PRIOR_VARIANCE = 1e3
_NOISE_FLOOR = 1e-6


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
class GroupSums:
    """What the strengths of the groups are judged by.

    Parameters
    ----------
    coef : ndarray of shape (q,)
        Minimiser of the penalised sum of squares.
    squares, log_det : float
        As of :class:`PenalisedFit`.
    energy, spread : ndarray of shape (n_groups,)
        Penalty and penalised variances of each group.
    """

    coef: Floats
    squares: float
    log_det: float
    energy: Floats
    spread: Floats


@dataclass(frozen=True)
class RestrictedLikelihood:
    r"""Restricted likelihood of the strengths of ridge penalties on groups of columns.

    The model is :math:`y = b + Z \beta + \varepsilon` with noise of variance :math:`\sigma^2`, a
    flat prior of :math:`b` and :math:`\beta_j \sim N(0, \sigma^2 / \alpha_{g(j)})`. With centred
    columns, :math:`N` rows and :math:`\sigma^2` at its best value, minus the log-likelihood is

    .. math:: \tfrac{N - 1}2 \log Q + \tfrac12 \log |Z^\top Z + A| - \tfrac12 \log |A|,
              \quad Q = \min_\beta \|y - Z \beta\|^2 + \beta^\top A \beta,

    up to a constant. It is minimised, per row, over :math:`\theta = \log(\alpha / a)` with
    :math:`a` the mean diagonal of the Gram matrix of each group, under a wide normal prior of
    :math:`\theta` that keeps it finite where the data do not bound it.

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
    group: Places

    @cached_property
    def size(self) -> Floats:
        """Columns of each group."""
        return np.bincount(self.group).astype(np.float64)

    @property
    def freedom(self) -> float:
        """Rows less one for the mean, but never none."""
        return max(self.count - 1.0, self.count / 2.0)

    @cached_property
    def unit(self) -> Floats:
        """Strength of each group that matches its columns."""
        return np.asarray(np.bincount(self.group, np.diag(self.gram)) / self.size)

    def alpha(self, theta: Floats) -> Floats:
        """Strengths for relative logarithms."""
        return np.asarray(self.unit * np.exp(np.clip(theta, _WEAKEST, _STRONGEST)))

    def _factor(self, alpha: Floats) -> Floats:
        """Upper factor of Gram matrix plus penalties."""
        penalised = self.gram.copy()
        penalised.flat[:: len(penalised) + 1] += alpha[self.group]
        factor, info = lapack.dpotrf(penalised.T, lower=0, clean=1, overwrite_a=1)
        if info != 0:
            raise FitError("the penalised normal equations are not positive definite")
        return np.asarray(factor)

    def _squares(self, explained: float) -> float:
        # Noise of a thousandth of the target's deviation at least: columns that explain it
        # completely would leave the logarithm without bound and the strengths undetermined.
        return max(self.total - explained, 0.0) + _NOISE_FLOOR * self.total

    def solve(self, alpha: Floats) -> PenalisedFit:
        """Penalised least squares for given strengths, one per group."""
        factor = self._factor(alpha)
        log_det = 2.0 * float(np.sum(np.log(np.diag(factor))))
        coef, _ = lapack.dpotrs(factor, self.moment, lower=0)
        inverse, _ = lapack.dpotri(factor, lower=0)
        covariance = inverse + inverse.T  # of an upper triangle, with its diagonal twice
        covariance.flat[:: len(covariance) + 1] *= 0.5
        return PenalisedFit(coef, covariance, self._squares(float(self.moment @ coef)), log_det)

    def sums(self, alpha: Floats) -> GroupSums:
        """The same without the covariance, for a half to two thirds of the work."""
        factor = self._factor(alpha)
        log_det = 2.0 * float(np.sum(np.log(np.diag(factor))))
        root, _ = lapack.dtrtri(factor, lower=0, overwrite_c=1)
        inner = self.moment @ root
        coef = root @ inner
        spread = alpha * np.bincount(self.group, np.einsum("ij,ij->i", root, root))
        energy = alpha * np.bincount(self.group, coef * coef)
        return GroupSums(coef, self._squares(float(inner @ inner)), log_det, energy, spread)

    def judge(self, theta: Floats, alpha: Floats, sums: GroupSums) -> tuple[float, Floats]:
        """Objective per row and its gradient."""
        value = self.freedom * np.log(sums.squares) + sums.log_det
        value -= float(self.size @ np.log(alpha))
        slope = self.freedom * sums.energy / sums.squares + sums.spread - self.size
        slope[(theta < _WEAKEST) | (theta > _STRONGEST)] = 0.0
        value += float(theta @ theta) / _PRIOR_VARIANCE
        slope += 2 * theta / _PRIOR_VARIANCE
        return value / (2 * self.count), slope / (2 * self.count)

    def expand(self, theta: Floats, fit: PenalisedFit | None = None) -> tuple[float, Floats]:
        """Objective per row and its gradient; ``fit`` is that of ``theta``, where it is known."""
        alpha = self.alpha(theta)
        fit = fit or self.solve(alpha)
        energy, spread = self._by_group(alpha, fit)
        sums = GroupSums(fit.coef, fit.squares, fit.log_det, energy, spread)
        return self.judge(theta, alpha, sums)

    def hessian(self, theta: Floats, fit: PenalisedFit | None = None) -> Floats:
        """Second derivatives per row, with the absolute values of their eigenvalues."""
        alpha = self.alpha(theta)
        fit = fit or self.solve(alpha)
        energy, spread = self._by_group(alpha, fit)
        member = (self.group[:, None] == np.arange(len(alpha))).astype(np.float64)
        outer = np.multiply.outer(alpha, alpha)
        cross = member.T @ (np.outer(fit.coef, fit.coef) * fit.covariance) @ member
        squares = member.T @ fit.covariance**2 @ member
        bend = (np.diag(energy) - 2 * outer * cross) / fit.squares
        bend -= np.multiply.outer(energy, energy) / fit.squares**2
        full = self.freedom * bend + np.diag(spread + 2 / _PRIOR_VARIANCE) - outer * squares
        values, vectors = eigh(full / (2 * self.count))
        # Away from the minimum the likelihood may curve down: steps still go downhill this way.
        return np.asarray((vectors * np.abs(values)) @ vectors.T)

    def _by_group(self, alpha: Floats, fit: PenalisedFit) -> tuple[Floats, Floats]:
        """Penalties and penalised variances of every group."""
        energy = alpha * np.bincount(self.group, fit.coef**2)
        return energy, alpha * np.bincount(self.group, np.diag(fit.covariance))

    def problem(self) -> optim.Function:
        """The objective over the relative logarithms of the strengths.

        A step asks for slope and curvature at one place, which is solved once.
        """

        @lru_cache(maxsize=1)
        def known(theta: bytes) -> PenalisedFit:
            return self.solve(self.alpha(np.frombuffer(theta)))

        return optim.Function(
            lambda theta: self.expand(theta, known(theta.tobytes())),
            int(self.group.max()) + 1,
            lambda theta: self.hessian(theta, known(theta.tobytes())),
        )
