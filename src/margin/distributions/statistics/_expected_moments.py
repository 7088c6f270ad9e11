"""Gaussian statistics of rows with holes, completed in expectation."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check, missing
from margin.core.missing import Pattern
from margin.core.types import Floats
from margin.distributions.statistics._moments import Moments
from margin.distributions.statistics._weights import responsibilities, row_weights
from margin.linalg import schur_complement


def expected_moments(
    X: ArrayLike, weight: ArrayLike | None, mean: Floats, covariance: Floats
) -> Moments:
    r"""Expectation of the statistics of complete rows, given their observed part.

    A hole ``m`` of a row with observed part ``o`` is filled by its conditional mean
    :math:`\mu_m + \Sigma_{mo}\Sigma_{oo}^{-1}(x_o - \mu_o)`, and the scatter gains the conditional
    covariance :math:`\Sigma_{mm} - \Sigma_{mo}\Sigma_{oo}^{-1}\Sigma_{om}`: filling alone would
    understate the spread.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Rows; NaN means unobserved.
    weight : array-like of shape (n,) or None
        Non-negative weights; all ones when None.
    mean, covariance : ndarray of shape (d,), (d, d)
        Of the normal distribution that completes the rows.

    Examples
    --------
    >>> X = [[1.0, np.nan]]
    >>> expected_moments(X, None, np.zeros(2), np.array([[1.0, 0.5], [0.5, 1.0]]))
    Moments(weight=1.0, mean=array([1. , 0.5]), scatter=array([[0.  , 0.  ],
           [0.  , 0.75]]))
    """
    rows = complete_or_missing(X, len(mean))
    return _completed(rows, row_weights("Moments", weight, len(rows)), mean, covariance, None)


def expected_member_moments(
    X: ArrayLike, weight: ArrayLike, mean: Floats, covariances: Floats
) -> Moments:
    """As :func:`expected_moments` for ``k`` members, each completing the rows by itself.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Rows; NaN means unobserved.
    weight : array-like of shape (n, k)
        How much of every row belongs to each member.
    mean, covariances : ndarray of shape (k, d), (k, d, d)
        Of the members.

    Notes
    -----
    One table of n × d numbers at a time; rows with the same gaps are grouped once.
    """
    rows = complete_or_missing(X, mean.shape[1])
    shares = responsibilities("Moments", weight, len(rows))
    if shares.shape[1] != len(mean):
        need = f"of shape ({len(rows)}, {len(mean)})"
        raise check.fail("Moments", "weight", need, f"shape {shares.shape}")
    if not np.isnan(rows).any():
        return Moments.of(rows, shares)
    groups = list(missing.patterns(rows))
    return Moments.stack(
        [_completed(rows, shares[:, j], mean[j], covariances[j], groups) for j in range(len(mean))]
    )


def complete_or_missing(X: ArrayLike, d: int) -> Floats:
    """Rows of ``d`` numbers, finite or NaN."""
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != d:
        raise check.fail("Moments", "X", f"of shape (n, {d})", f"shape {rows.shape}")
    if np.isinf(rows).any():
        raise check.fail("Moments", "X", "finite or NaN", "infinity")
    return rows


def _completed(
    rows: Floats, w: Floats, mean: Floats, covariance: Floats, groups: list[Pattern] | None
) -> Moments:
    """Statistics of rows filled by one normal distribution; ``groups`` are their patterns."""
    filled = rows.copy()
    spread = np.zeros_like(covariance)
    for group in missing.patterns(rows) if groups is None else groups:
        seen = group.columns
        if len(seen) == len(mean):
            continue
        block = schur_complement(covariance, seen, name="covariance")
        holes = block.remaining
        shift = filled[np.ix_(group.rows, seen)] - mean[seen]
        filled[np.ix_(group.rows, holes)] = mean[holes] + shift @ block.gain.T
        spread[np.ix_(holes, holes)] += w[group.rows].sum() * block.complement
    completed = Moments.of(filled, w)
    return Moments(completed.weight, completed.mean, completed.scatter + spread)
