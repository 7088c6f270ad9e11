"""The quadratic rule of classes with fewer rows than columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from margin.core.types import Array, Floats, Indices
from margin.linear.discriminant._quadratic_rule import observed_log_density, overall_scale
from margin.linear.discriminant._row_span import spectrum

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True)
class SpanRule:
    r"""Densities of classes whose covariance is known in a few directions and equal in all others.

    In units of the columns, :math:`\Sigma_k = V_k D_k V_k^\top + \epsilon (I - V_k V_k^\top)`: what
    :class:`QuadraticRule` makes of a covariance of low rank, without a matrix of its size.

    Parameters
    ----------
    means : ndarray of shape (K, p)
    scale : ndarray of shape (p,)
        Unit of each column.
    values, vectors : tuple of ndarray of shape (r_k,), (p, r_k)
        :math:`D_k` and :math:`V_k` of every class.
    floor : float
        :math:`\epsilon`.
    log_det : ndarray of shape (K,)
        Log determinants of the covariances.
    fit : ndarray of shape (K,)
        Mean of :math:`(x - \mu_k)^\top \Sigma_k^{-1} (x - \mu_k)` over the rows of the class.
    """

    means: Floats
    scale: Floats
    values: tuple[Floats, ...]
    vectors: tuple[Floats, ...]
    floor: float
    log_det: Floats
    fit: Floats

    @property
    def ranks(self) -> Indices:
        """Directions of each class whose variance was not raised."""
        return np.array([len(values) for values in self.values])

    @cached_property
    def covariances(self) -> Floats:
        """The matrices, of shape (K, p, p)."""
        matrices = np.empty((len(self.means), len(self.scale), len(self.scale)))
        for matrix, values, vectors in zip(matrices, self.values, self.vectors, strict=True):
            matrix[:] = (vectors * (values - self.floor)) @ vectors.T
            matrix[np.diag_indices(len(matrix))] += self.floor
            matrix *= np.outer(self.scale, self.scale)
        return matrices

    def log_density(self, X: Array) -> Floats:
        """Log density of every row under every class; NaN is marginalised."""
        density = np.empty((len(X), len(self.means)))
        constants = -0.5 * (self.log_det + X.shape[1] * _LOG_2PI)
        for k, (values, vectors) in enumerate(zip(self.values, self.vectors, strict=True)):
            away = (X - self.means[k]) / self.scale
            inside = away @ vectors
            # What is left is taken from the row itself: squares would cancel.
            away -= inside @ vectors.T
            square = np.einsum("ij,ij->i", away, away) / self.floor
            square += np.einsum("ij,ij->i", inside, inside / values)
            density[:, k] = constants[k] - 0.5 * square
        holes = np.isnan(density).any(axis=1)
        if holes.any():
            density[holes] = observed_log_density(X[holes], self.means, self.covariances)
        return density

    def misfit(self, scatter: Floats) -> float:
        """Sum over classes of the trace of the inverse covariance times the scatter."""
        return float(np.sum(self.fit))


def span_rule(
    means: Floats,
    rows: tuple[Floats, ...],
    totals: Floats,
    covariances: Floats,
    priors: Floats,
    tol: float,
) -> SpanRule:
    """The rule of :func:`quadratic_rule` from the centred rows of every class.

    Parameters
    ----------
    means, covariances, priors : ndarray of shape (K, p), (K, p, p), (K,)
    rows : tuple of ndarray of shape (n_k, p)
        Rows whose products are the scatter matrices.
    totals : ndarray of shape (K,)
        Weights of the classes.
    tol : float
        As for :func:`quadratic_rule`.
    """
    scale = overall_scale(means, covariances, priors)
    kept_values, kept_vectors = [], []
    log_det, fit = np.empty(len(means)), np.empty(len(means))
    for k, part in enumerate(rows):
        values, vectors = spectrum(covariances[k], scale, part / np.sqrt(totals[k]))
        kept = values >= tol**2
        kept_values.append(values[kept])
        kept_vectors.append(np.ascontiguousarray(vectors[:, kept]))
        low = len(scale) - int(kept.sum())
        log_det[k] = np.sum(np.log(values[kept])) + low * np.log(tol**2)
        log_det[k] += 2.0 * np.sum(np.log(scale))
        fit[k] = totals[k] * float(np.sum(values / np.maximum(values, tol**2)))
    return SpanRule(means, scale, tuple(kept_values), tuple(kept_vectors), tol**2, log_det, fit)
