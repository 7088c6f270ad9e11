"""Evidence of a Gaussian linear model as a function of its two precisions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh, solve_triangular

from margin import optim
from margin.core.types import Floats
from margin.linear.regression._regression_statistics import RegressionStatistics

_LOG_TWO_PI = float(np.log(2 * np.pi))
_SHAPE = 1e-6  # of the Gamma hyper-priors: flat unless the data do not bound a precision


@dataclass(frozen=True)
class GaussianEvidence:
    r"""Log evidence :math:`\log p(y \mid \alpha, \beta)` in eigen-coordinates of the design.

    With eigenvalues :math:`\lambda_j` of the (whitened) second moments, projections :math:`c_j` of
    the moments with the target, prior precision :math:`\alpha` and noise precision
    :math:`\beta`,

    .. math:: \log p(y) = \tfrac N2 \log\beta - \tfrac12 \sum_j \log(1 + \beta\lambda_j/\alpha)
              - \tfrac\beta2 \Big( y^\top y
              - \sum_j \frac{\beta c_j^2}{\alpha + \beta\lambda_j} \Big)
              - \tfrac N2 \log 2\pi ,

    where an intercept with a flat prior takes one from :math:`N` and adds
    :math:`-\tfrac12\log\sum_i s_i`.

    Parameters
    ----------
    values, basis : ndarray of shape (p,) and (p, p)
        Eigenvalues and eigenvectors.
    projections : ndarray of shape (p,)
    root : ndarray of shape (p, p) or None
        Cholesky factor of the prior precision matrix that whitened the design.
    rows : float
        Effective number of observations.
    constant : float
    yy : float
    precision, noise : float or None
        Fixed precisions; ``None`` is free.
    """

    values: Floats
    basis: Floats
    projections: Floats
    root: Floats | None
    rows: float
    constant: float
    yy: float
    precision: float | None
    noise: float | None

    @classmethod
    def of(
        cls,
        stats: RegressionStatistics,
        root: Floats | None,
        precision: float | None,
        noise: float | None,
    ) -> GaussianEvidence:
        """Diagonalise the statistics, whitened by the prior if it is not isotropic."""
        moments, cross = stats.xx, stats.xy
        if root is not None:
            half = solve_triangular(root, moments, lower=True)
            moments = solve_triangular(root, half.T, lower=True)
            cross = solve_triangular(root, cross, lower=True)
        values, basis = eigh(0.5 * (moments + moments.T))
        rows = stats.count - float(stats.centred)
        constant = -0.5 * rows * _LOG_TWO_PI
        if stats.centred:
            constant -= 0.5 * np.log(stats.count)
        return cls(
            np.maximum(values, 0.0),
            basis,
            basis.T @ cross,
            root,
            rows,
            float(constant),
            stats.yy,
            precision,
            noise,
        )

    @property
    def scale(self) -> float:
        """Variance of the target, the unit of the hyper-priors."""
        return max(self.yy / max(self.rows, 1.0), 1e-200)

    @property
    def size(self) -> float:
        """Sum of the variances of the (whitened) features."""
        return max(float(self.values.sum()) / max(self.rows, 1.0), 1e-300)

    @property
    def rates(self) -> Floats:
        """Rates of the hyper-priors of both precisions, in the units of the data."""
        return _SHAPE * np.array([self.scale / self.size, self.scale])

    def start(self) -> Floats:
        """Logarithms of the free precisions: half the variance is noise, the rest is signal."""
        noise = 2.0 / self.scale if self.noise is None else self.noise
        guess = [] if self.precision is not None else [np.log(self.size * noise)]
        return np.array(guess + ([] if self.noise is not None else [np.log(noise)]))

    def precisions(self, x: Floats) -> tuple[float, float]:
        """Prior and noise precision at a point of the search."""
        free = iter(np.exp(x).tolist())
        precision = self.precision if self.precision is not None else next(free)
        noise = self.noise if self.noise is not None else next(free)
        return float(precision), float(noise)

    def log_evidence(self, precision: float, noise: float) -> float:
        """Log evidence at given precisions."""
        total = precision + noise * self.values
        fit = self.yy - float(np.sum(noise * self.projections**2 / total))
        spread = float(np.sum(np.log1p(noise * self.values / precision)))
        return self.constant + 0.5 * float(self.rows * np.log(noise) - spread - noise * fit)

    def effective_dof(self, precision: float, noise: float) -> float:
        """Number of directions decided by the data."""
        return float(np.sum(noise * self.values / (precision + noise * self.values)))

    def problem(self) -> optim.Function:
        """Negative log posterior of the log precisions, per row, with its gradient."""
        free = [self.precision is None, self.noise is None]
        per_row = 1.0 / max(self.rows, 1.0)
        rates = self.rates

        def value_and_gradient(x: Floats) -> tuple[float, Floats]:
            both = np.array(self.precisions(x))
            value = self.log_evidence(*both) + float(np.sum(_SHAPE * np.log(both) - rates * both))
            slope = self._gradient(*both) + _SHAPE - rates * both
            return -per_row * value, -per_row * slope[free]

        return optim.Function(value_and_gradient, sum(free))

    def _gradient(self, precision: float, noise: float) -> Floats:
        """Derivatives of the log evidence in the logarithms of both precisions."""
        total = precision + noise * self.values
        dof = self.effective_dof(precision, noise)
        coef = noise * self.projections / total
        norm = float(coef @ coef)
        error = self.yy - 2 * float(coef @ self.projections) + float(self.values @ coef**2)
        return 0.5 * np.array([dof - precision * norm, self.rows - dof - noise * error])

    def notes(self, x: Floats) -> tuple[str, ...]:
        """What a reader should know about the learned precisions."""
        precision, noise = self.precisions(x)
        notes = []
        if self.noise is None and self.rows < 4 * _SHAPE * self.scale * noise:
            notes.append("the noise variance is learned as zero: the target is fitted exactly")
        dof = self.effective_dof(precision, noise)
        if self.precision is None and dof <= 4 * self.rates[0] * precision:
            notes.append("the evidence finds no linear signal: all coefficients are shrunk away")
        return tuple(notes)
