"""The linear rule of Gaussian classes with one covariance, and its projection."""

from dataclasses import dataclass

import numpy as np

from margin.core import missing
from margin.core.types import Array, Floats
from margin.linalg import svd
from margin.linear.discriminant._covariance_shrinkage import Mix
from margin.linear.discriminant._row_span import spectrum


@dataclass(frozen=True)
class LinearRule:
    r"""Linear scores of Gaussian classes that share a covariance.

    .. math:: \mu_k^\top \Sigma^+ x - \tfrac12 \mu_k^\top \Sigma^+ \mu_k + \log \pi_k

    Directions in which no class varies are left out.

    Parameters
    ----------
    centre : ndarray of shape (p,)
        Overall mean, weighted by the priors.
    whiten : ndarray of shape (p, rank)
        :math:`W` with :math:`\Sigma^+ = W W^\top`.
    coef, intercept : ndarray of shape (K, p), (K,)
        Of the scores.
    scalings : ndarray of shape (p, rank)
        Whitened directions, rotated so that the means spread most along the first.
    power : ndarray
        Squared spread of the means along each of them.
    log_det : float
        Log determinant of :math:`\Sigma` in the directions kept.
    rank : int
        Directions in which classes vary; ``whiten`` may hold those only on which the means or the
        rows differ.
    """

    centre: Floats
    whiten: Floats
    coef: Floats
    intercept: Floats
    scalings: Floats
    power: Floats
    log_det: float
    rank: int


def linear_rule(
    means: Floats, covariance: Floats, priors: Floats, tol: float, rows: Floats | None = None
) -> LinearRule:
    """Whiten by the covariance, then rotate so that the means spread along the axes.

    Parameters
    ----------
    means, covariance, priors : ndarray of shape (K, p), (p, p), (K,)
    tol : float
        Least standard deviation of a direction to count, relative to the largest, with columns in
        units of their own deviation.
    rows : ndarray of shape (n, p), optional
        Few rows whose products are the covariance.
    """
    scale = np.sqrt(covariance.diagonal())
    scale = np.where(scale > 0, scale, 1.0)
    values, vectors = spectrum(covariance, scale, rows)
    keep = values > tol**2 * max(values.max(initial=0.0), 0.0)
    whiten = vectors[:, keep] / (scale[:, None] * np.sqrt(values[keep]))
    log_det = float(np.sum(np.log(values[keep]))) + 2.0 * float(np.sum(np.log(scale)))
    return _rule(means, priors, whiten, log_det, int(keep.sum()))


def shrunk_rule(
    means: Floats, variances: Floats, priors: Floats, tol: float, rows: Floats, mix: Mix
) -> LinearRule | None:
    r"""The rule of :func:`linear_rule` for a mixed covariance of few rows, in their span.

    With :math:`A = \operatorname{diag}(a)` and the singular values :math:`s` and directions
    :math:`V` of the rows in units of :math:`\sqrt a`, the covariance is
    :math:`A^{1/2} (I + \kappa V s^2 V^\top) A^{1/2}`: beside :math:`V`, only the directions of the
    means are needed. ``None`` where some direction is too narrow to count.

    Parameters
    ----------
    means, priors, tol
        As for :func:`linear_rule`.
    variances : ndarray of shape (p,)
        Diagonal of the mixed covariance.
    rows : ndarray of shape (n, p)
        Their products are the covariance before it was mixed.
    mix : Mix
        How it was mixed.
    """
    scale = np.where(variances > 0, variances, 1.0)
    narrowest, widest = (mix.added / scale).min(), (mix.added / scale).max()
    widest += mix.keep * float(np.sum(rows**2 / scale))
    if not narrowest > tol**2 * widest:
        return None
    root = np.sqrt(mix.added)
    values, vectors = spectrum(None, root, rows)
    values = 1.0 + mix.keep * values
    away = (means - priors @ means) / root
    for _ in range(2):  # the second time for the digits that cancelled in the first
        away = away - (away @ vectors) @ vectors.T
    _, size, axes = svd(away)
    beside = axes[size > np.finfo(float).eps * size.max(initial=0.0) * len(root)]
    whiten = np.column_stack([vectors / np.sqrt(values), beside.T]) / root[:, None]
    log_det = float(np.sum(np.log(values))) + float(np.sum(np.log(mix.added)))
    return _rule(means, priors, whiten, log_det, len(root))


def _rule(means: Floats, priors: Floats, whiten: Floats, log_det: float, rank: int) -> LinearRule:
    """Rotate whitened directions so that the means spread along the axes."""
    centre = priors @ means
    spread = (means - centre) @ whiten
    _, size, axes = svd(np.sqrt(priors)[:, None] * spread)
    coef = spread @ whiten.T
    intercept = np.log(np.maximum(priors, 1e-300)) - 0.5 * np.sum(spread**2, axis=1)
    return LinearRule(
        centre=centre,
        whiten=whiten,
        coef=coef,
        intercept=intercept - coef @ centre,
        scalings=whiten @ axes.T,
        power=size**2,
        log_det=log_det,
        rank=rank,
    )


def observed_scores(
    X: Array, means: Floats, covariance: Floats, priors: Floats, tol: float
) -> Floats:
    """Scores of rows with holes: those of the rule for the columns that are observed.

    What is not observed is integrated out of a Gaussian by leaving out its columns.
    """
    scores = np.empty((len(X), len(means)))
    for group in missing.patterns(X):
        seen = group.columns
        if not len(seen):
            scores[group.rows] = np.log(np.maximum(priors, 1e-300))
            continue
        rule = linear_rule(means[:, seen], covariance[np.ix_(seen, seen)], priors, tol)
        scores[group.rows] = X[np.ix_(group.rows, seen)] @ rule.coef.T + rule.intercept
    return scores


def expected_rows(
    X: Array, posterior: Floats, means: Floats, covariance: Floats, priors: Floats, tol: float
) -> Floats:
    """Rows whose holes hold the expectation of what would stand there, over all classes."""
    filled = np.array(X, dtype=np.float64)
    for group in missing.patterns(X):
        seen, rows = group.columns, group.rows
        holes = np.setdiff1d(np.arange(X.shape[1]), seen)
        if not len(holes):
            continue
        belief = posterior[rows]
        guess = belief @ means[:, holes]
        if len(seen):
            rule = linear_rule(means[:, seen], covariance[np.ix_(seen, seen)], priors, tol)
            gain = rule.whiten @ (rule.whiten.T @ covariance[np.ix_(seen, holes)])
            guess += (filled[np.ix_(rows, seen)] - belief @ means[:, seen]) @ gain
        filled[np.ix_(rows, holes)] = guess
    return filled
