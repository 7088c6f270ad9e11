"""Gaussian posterior of regression coefficients, kept in eigen-coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from margin.core.types import Floats
from margin.linear.bayesian._gaussian_evidence import GaussianEvidence


@dataclass(frozen=True)
class GaussianPosterior:
    r"""Distribution :math:`N(m, A\,\mathrm{diag}(v) A^\top)` of the coefficients.

    Parameters
    ----------
    mean : ndarray of shape (p,)
    axes : ndarray of shape (p, p)
        Columns are the directions :math:`A`.
    variances : ndarray of shape (p,)
        Variance along each direction.
    """

    mean: Floats
    axes: Floats
    variances: Floats

    def covariance(self) -> Floats:
        """Covariance matrix of the coefficients."""
        return np.asarray((self.axes * self.variances) @ self.axes.T)

    def variance_along(self, rows: Floats) -> Floats:
        r"""Variance :math:`x^\top S x` of the linear predictor at each row."""
        return np.asarray((rows @ self.axes) ** 2 @ self.variances)


def coefficient_posterior(
    evidence: GaussianEvidence, precision: float, noise: float
) -> GaussianPosterior:
    """Posterior at given precisions, mapped back from the whitened coordinates.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear.regression._regression_statistics import RegressionStatistics
    >>> stats = RegressionStatistics.of(np.array([[1.0]]), np.array([2.0]), None, centre=False)
    >>> post = coefficient_posterior(GaussianEvidence.of(stats, None, 1.0, 1.0), 1.0, 1.0)
    >>> post.mean, post.covariance()
    (array([1.]), array([[0.5]]))
    """
    variances = 1.0 / (precision + noise * evidence.values)
    axes = evidence.basis
    if evidence.root is not None:
        axes = solve_triangular(evidence.root, axes, lower=True, trans="T")
    mean = axes @ (noise * variances * evidence.projections)
    return GaussianPosterior(mean, axes, variances)
