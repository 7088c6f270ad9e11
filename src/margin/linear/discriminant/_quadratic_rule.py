"""The quadratic rule of Gaussian classes, each with a covariance of its own."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from margin.core import missing, threads
from margin.core.types import Array, Floats
from margin.linalg import eigh
from margin.native.rows.densities import gaussian_log_density

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True)
class QuadraticRule:
    r"""Densities of the classes, ready to be evaluated.

    Parameters
    ----------
    means : ndarray of shape (K, p)
    covariances : ndarray of shape (K, p, p)
        None of them singular.
    whiten : ndarray of shape (K, p, p)
        :math:`W_k` with :math:`W_k^\top W_k = \Sigma_k^{-1}`.
    log_det : ndarray of shape (K,)
        Log determinants of the covariances.
    ranks : ndarray of int, shape (K,)
        Directions of each class whose variance was not raised.
    """

    means: Floats
    covariances: Floats
    whiten: Floats
    log_det: Floats
    ranks: Array

    def log_density(self, X: Array) -> Floats:
        """Log density of every row under every class; NaN is marginalised."""
        constants = -0.5 * (self.log_det + X.shape[1] * _LOG_2PI)
        density = gaussian_log_density(X, self.means, self._roots, constants, threads.count())
        if np.isnan(density).any():
            holes = np.isnan(X).any(axis=1)
            density[holes] = _observed_log_density(X[holes], self.means, self.covariances)
        return density

    @cached_property
    def _roots(self) -> Floats:
        """Triangles that whiten up to a rotation: half the products."""
        return np.ascontiguousarray(np.linalg.qr(self.whiten, mode="r"))

    def misfit(self, scatter: Floats) -> float:
        """Sum over classes of the trace of the inverse covariance times the scatter."""
        return float(np.einsum("kij,kij->", self.whiten @ scatter, self.whiten))


_NOTHING = (np.empty(0), np.empty((0, 0)))


def _observed_log_density(X: Array, means: Floats, covariances: Floats) -> Floats:
    """Log density of rows with holes: that of the columns that are observed."""
    density = np.zeros((len(X), len(means)))
    for group in missing.patterns(X):
        seen = group.columns
        rows = X[np.ix_(group.rows, seen)]
        for k, covariance in enumerate(covariances):
            # In units of each column, lest the small ones drown in the rounding of the large.
            unit = np.sqrt(covariance.diagonal()[seen])
            part = covariance[np.ix_(seen, seen)] / np.outer(unit, unit)
            values, vectors = eigh(part) if len(seen) else _NOTHING
            away = (rows - means[k, seen]) / unit @ (vectors / np.sqrt(values))
            constant = np.sum(np.log(values)) + 2.0 * np.sum(np.log(unit)) + len(seen) * _LOG_2PI
            density[group.rows, k] = -0.5 * (np.einsum("ij,ij->i", away, away) + constant)
    return density


def overall_scale(means: Floats, covariances: Floats, priors: Floats) -> Floats:
    """Standard deviation of every column over all classes, 1 where it is zero."""
    away = means - priors @ means
    variances = np.einsum("kjj->kj", covariances) + away**2
    scale = np.sqrt(priors @ variances)
    scale[scale == 0] = 1.0
    return np.asarray(scale)


def quadratic_rule(means: Floats, covariances: Floats, priors: Floats, tol: float) -> QuadraticRule:
    """Whitening of every class, in units of the standard deviation over all classes.

    In those units a variance below ``tol`` squared is taken for rounding or chance and raised to
    it, so that a constant column cannot decide alone.
    """
    scale = overall_scale(means, covariances, priors)
    units = scale[:, None] * scale
    values, vectors = eigh(covariances / units)
    raised = np.maximum(values, tol**2)
    ranks = np.count_nonzero(values >= tol**2, axis=1)
    kept = np.array(covariances)
    for k in np.flatnonzero(ranks < len(scale)):
        kept[k] = (vectors[k] * raised[k]) @ vectors[k].T * units
    whiten = np.ascontiguousarray((vectors / np.sqrt(raised)[:, None]).transpose(0, 2, 1)) / scale
    log_det = np.log(raised).sum(axis=1) + 2.0 * np.log(scale).sum()
    return QuadraticRule(means, kept, whiten, log_det, ranks)
