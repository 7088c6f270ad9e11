"""What least squares and ridge do to the targets, whatever these are."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from margin.core import check
from margin.core.types import Floats
from margin.linalg import svd


def hat_matrix(
    X: Any, alpha: float = 0.0, *, fit_intercept: bool = True, sample_weight: Any = None
) -> Floats:
    r"""Matrix :math:`H` that turns the targets of a fit into its predictions (linear.03).

    .. math:: \hat y = H y, \qquad H = A (A^\top S A + \alpha P)^{-1} A^\top S

    for the rows :math:`A` (with a column of ones where there is an intercept), weights :math:`S`
    and :math:`P` the identity without the intercept's entry. For least squares without weights it
    is the orthogonal projection onto the columns of :math:`A`: symmetric, :math:`H^2 = H`. Its
    trace is the number of parameters, the effective one with a penalty, and :math:`H_{ii}` the
    leverage of row :math:`i`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    alpha : float, default=0.0
        Strength of the penalty of :class:`Ridge`; 0 is :class:`LinearRegression`.
    fit_intercept : bool, default=True
        Whether the model has an intercept, which is not penalised.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows.

    Returns
    -------
    ndarray of shape (n_samples, n_samples)

    Notes
    -----
    :math:`O(n p \min(n, p) + n^2 p)` operations and :math:`n^2` numbers; the diagonal alone is in
    :class:`RegressionSummary`.

    Examples
    --------
    >>> hat_matrix([[0], [1], [2]]).round(3)
    array([[ 0.833,  0.333, -0.167],
           [ 0.333,  0.333,  0.333],
           [-0.167,  0.333,  0.833]])
    """
    rows, share, weight = _centred("hat_matrix", X, alpha, fit_intercept, sample_weight)
    _, d, Vt = _singular(rows, weight)
    along = rows @ Vt.T
    return share + (along / (d**2 + alpha)) @ (along.T * weight)


def shrinkage_factors(
    X: Any, alpha: float = 1.0, *, fit_intercept: bool = True, sample_weight: Any = None
) -> Floats:
    r"""Factors by which ridge shrinks the directions of the data (linear.13).

    With the singular values :math:`d_1 \ge d_2 \ge \dots > 0` of the centred, weighted rows,

    .. math:: f_j = \frac{d_j^2}{d_j^2 + \alpha}, \qquad \mathrm{dof} = \sum_j f_j :

    in the basis of the singular vectors each coordinate of the least-squares answer is multiplied
    by its factor, and their sum is the effective number of slopes.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    alpha : float, default=1.0
        Strength of the penalty of :class:`Ridge`.
    fit_intercept : bool, default=True
        Whether the model has an intercept, so that the rows are centred.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows.

    Returns
    -------
    ndarray of shape (rank,)
        Decreasing, above 0 and at most 1.

    Examples
    --------
    Singular values 3 and 1:

    >>> shrinkage_factors([[3, 0], [0, 1], [0, 0]], 1.0, fit_intercept=False)
    array([0.9, 0.5])
    """
    rows, _, weight = _centred("shrinkage_factors", X, alpha, fit_intercept, sample_weight)
    _, d, _ = _singular(rows, weight)
    return np.asarray(d**2 / (d**2 + alpha))


def _centred(
    owner: str, X: Any, alpha: float, fit_intercept: bool, sample_weight: Any
) -> tuple[Floats, Floats, Floats]:
    """Rows less their mean, what every target gives to that mean, and the weights."""
    rows = check_array(check.structure(owner, X), dtype=np.float64, input_name="X", estimator=owner)
    if isinstance(alpha, bool) or not 0 <= float(alpha) < np.inf:
        need = "finite" if float(alpha) == np.inf else "a number of at least 0"
        raise check.fail(owner, "alpha", need, alpha)
    given = check.weights(owner, sample_weight, len(rows))
    weight = np.ones(len(rows)) if given is None else given
    if not fit_intercept:
        return rows, np.zeros(len(rows)), weight
    return rows - np.average(rows, axis=0, weights=weight), weight / weight.sum(), weight


def _singular(rows: Floats, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """Singular vectors and values of the weighted rows, without those that are rounding."""
    U, d, Vt = svd(np.sqrt(weight)[:, None] * rows)
    kept = d > max(rows.shape) * np.finfo(np.float64).eps * d.max(initial=0.0)
    return U[:, kept], d[kept], Vt[kept]
