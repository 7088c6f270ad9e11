"""Least squares for every fold at the price of one pass over the rows."""

import numpy as np

from margin.core.types import Floats, Indices


def solve_normal(G: Floats, r: Floats) -> Floats:
    """Shortest solution of the normal equations; directions without rows stay at zero.

    Examples
    --------
    >>> solve_normal(np.array([[2.0, 2.0], [2.0, 2.0]]), np.array([2.0, 2.0])).round(6)
    array([0.5, 0.5])
    """
    values, vectors = np.linalg.eigh(G)
    kept = values > 1e-11 * max(values[-1], 1e-300)
    inside = vectors[:, kept]
    return np.asarray(inside @ ((inside.T @ r).T / values[kept]).T)


def fold_lines(D: Floats, Y: Floats, weight: Floats, folds: Indices | None) -> Floats:
    r"""Coefficients of least squares without each fold, of shape (n_folds, p, q).

    The sums :math:`\sum_i w_i d_i d_i^\top` of a fold are taken off those of all rows.

    Parameters
    ----------
    D : ndarray of shape (n, p)
    Y : ndarray of shape (n, q)
    weight : ndarray of shape (n,)
        Zero for rows that take no part.
    folds : ndarray of shape (n,), optional
        Fold of each row; without, one set of coefficients from all rows.
    """
    if folds is None:
        wD = D * weight[:, None]
        return solve_normal(wD.T @ D, wD.T @ Y)[None]
    n_folds = int(folds.max()) + 1
    grams, rights = [], []
    for fold in range(n_folds):
        rows = np.flatnonzero((folds == fold) & (weight > 0))
        part, wD = D[rows], D[rows] * weight[rows, None]
        grams.append(wD.T @ part)
        rights.append(wD.T @ Y[rows])
    G, r = sum(grams), sum(rights)
    return np.stack([solve_normal(G - grams[f], r - rights[f]) for f in range(n_folds)])


def fold_values(D: Floats, coef: Floats, folds: Indices | None) -> Floats:
    """Predictions of every row by the coefficients that were learned without it.

    Examples
    --------
    >>> D, Y = np.ones((4, 1)), np.array([[1.0], [2.0], [3.0], [6.0]])
    >>> folds = np.array([0, 0, 1, 1])
    >>> fold_values(D, fold_lines(D, Y, np.ones(4), folds), folds).ravel()
    array([4.5, 4.5, 1.5, 1.5])
    """
    if folds is None:
        return np.asarray(D @ coef[0])
    values = np.empty((len(D), coef.shape[2]))
    for fold in range(len(coef)):
        rows = folds == fold
        values[rows] = D[rows] @ coef[fold]
    return values
