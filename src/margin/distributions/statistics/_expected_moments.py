"""Gaussian statistics of rows with holes, completed in expectation."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check, missing
from margin.core.types import Floats
from margin.distributions.statistics._moments import Moments, row_weights
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
    filled = np.array(X, dtype=np.float64)
    if filled.ndim != 2 or filled.shape[1] != len(mean):
        raise check.fail("Moments", "X", f"of shape (n, {len(mean)})", f"shape {filled.shape}")
    if np.isinf(filled).any():
        raise check.fail("Moments", "X", "finite or NaN", "infinity")
    w = row_weights("Moments", weight, len(filled))
    spread = np.zeros_like(covariance)
    for group in missing.patterns(filled):
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
