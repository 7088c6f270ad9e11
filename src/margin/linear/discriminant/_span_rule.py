"""The quadratic rule of classes with fewer rows than columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from margin.core import missing
from margin.core.types import Array, Floats, Indices
from margin.linear.discriminant._covariance_shrinkage import Mix
from margin.linear.discriminant._quadratic_rule import overall_scale
from margin.linear.discriminant._row_span import spectrum

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True)
class SpanRule:
    r"""Densities of classes whose covariance is known in a few directions and equal in all others.

    In units of its own for each column, :math:`\Sigma_k = V_k D_k V_k^\top + \epsilon (I - V_k
    V_k^\top)`: what :class:`QuadraticRule` makes of a covariance of low rank, or of one mixed with
    a diagonal matrix, without a matrix of its size.

    Parameters
    ----------
    means : ndarray of shape (K, p)
    scale : ndarray of shape (K, p)
        Unit of each column, for every class.
    values, vectors : tuple of ndarray of shape (r_k,), (p, r_k)
        :math:`D_k` and :math:`V_k` of every class.
    floor : float
        :math:`\epsilon`.
    log_det : ndarray of shape (K,)
        Log determinants of the covariances.
    fit : ndarray of shape (K,)
        Sum of :math:`(x - \mu_k)^\top \Sigma_k^{-1} (x - \mu_k)` over the rows of the class.
    ranks : ndarray of shape (K,)
        Directions of each class whose variance was not raised.
    """

    means: Floats
    scale: Floats
    values: tuple[Floats, ...]
    vectors: tuple[Floats, ...]
    floor: float
    log_det: Floats
    fit: Floats
    ranks: Indices

    @cached_property
    def covariances(self) -> Floats:
        """The matrices, of shape (K, p, p)."""
        p = self.means.shape[1]
        matrices = np.empty((len(self.means), p, p))
        parts = zip(matrices, self.values, self.vectors, self.scale, strict=True)
        for matrix, values, vectors, scale in parts:
            matrix[:] = (vectors * (values - self.floor)) @ vectors.T
            matrix[np.diag_indices(p)] += self.floor
            matrix *= np.outer(scale, scale)
        return matrices

    def log_density(self, X: Array) -> Floats:
        """Log density of every row under every class; NaN is marginalised."""
        density = np.empty((len(X), len(self.means)))
        constants = -0.5 * (self.log_det + X.shape[1] * _LOG_2PI)
        for k, (values, vectors) in enumerate(zip(self.values, self.vectors, strict=True)):
            away = (X - self.means[k]) / self.scale[k]
            density[:, k] = constants[k] - 0.5 * _squares(away, values, vectors, self.floor)
        holes = np.isnan(density).any(axis=1)
        if holes.any():
            density[holes] = self._observed_log_density(X[holes])
        return density

    def _observed_log_density(self, X: Array) -> Floats:
        """Of rows with holes: in the columns seen, the few directions are turned upright again."""
        density = np.empty((len(X), len(self.means)))
        for group in missing.patterns(X):
            seen = group.columns
            rows = X[np.ix_(group.rows, seen)]
            for k, (values, vectors) in enumerate(zip(self.values, self.vectors, strict=True)):
                roots = vectors[seen] * np.sqrt(values - self.floor)
                upright, root, _ = np.linalg.svd(roots, full_matrices=False)
                raised = root**2 + self.floor
                scale = self.scale[k, seen]
                away = (rows - self.means[k, seen]) / scale
                constant = np.sum(np.log(raised)) + 2.0 * np.sum(np.log(scale))
                constant += (len(seen) - len(raised)) * np.log(self.floor) + len(seen) * _LOG_2PI
                squares = _squares(away, raised, upright, self.floor)
                density[group.rows, k] = -0.5 * (squares + constant)
        return density

    def misfit(self, scatter: Floats) -> float:
        """Sum over classes of the trace of the inverse covariance times the scatter."""
        return float(np.sum(self.fit))


def _squares(away: Floats, values: Floats, vectors: Floats, floor: float) -> Floats:
    """Squared lengths of rows, which are used up: by some variances, and by one in all the rest."""
    inside = away @ vectors
    # What is left is taken from the row itself: squares would cancel.
    away -= inside @ vectors.T
    left = np.einsum("ij,ij->i", away, away) / floor
    return np.asarray(left + np.einsum("ij,ij->i", inside, inside / values))


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
    each = np.broadcast_to(scale, means.shape)
    ranks = np.array([len(values) for values in kept_values])
    return SpanRule(
        means, each, tuple(kept_values), tuple(kept_vectors), tol**2, log_det, fit, ranks
    )


def mixed_span_rule(
    means: Floats,
    rows: tuple[Floats, ...],
    totals: Floats,
    covariances: Floats,
    priors: Floats,
    tol: float,
    mixes: tuple[Mix, ...],
) -> SpanRule | None:
    r"""The rule of :func:`quadratic_rule` for covariances mixed with diagonal ones.

    In units of the root of what was added, :math:`\Sigma_k = I + \kappa_k V_k s_k^2 V_k^\top` with
    the singular values of the rows. ``None`` where so little was added that some variance would
    have to be raised.

    Parameters
    ----------
    means, rows, totals, priors, tol
        As for :func:`span_rule`.
    covariances : ndarray of shape (K, p, p)
        The mixed ones.
    mixes : tuple of Mix
        How each was mixed.
    """
    common = overall_scale(means, covariances, priors)
    if min(float((mix.added / common**2).min()) for mix in mixes) < tol**2:
        return None
    scale = np.sqrt(np.stack([mix.added for mix in mixes]))
    every_value, every_vector, fit = [], [], np.empty(len(means))
    for k, part in enumerate(rows):
        squares, vectors = spectrum(None, scale[k], part / np.sqrt(totals[k]))
        values = 1.0 + mixes[k].keep * squares
        every_value.append(values)
        every_vector.append(vectors)
        fit[k] = totals[k] * float(np.sum(squares / values))
    log_det = 2.0 * np.sum(np.log(scale), axis=1) + [np.sum(np.log(v)) for v in every_value]
    ranks = np.full(len(means), means.shape[1])
    return SpanRule(means, scale, tuple(every_value), tuple(every_vector), 1.0, log_det, fit, ranks)
