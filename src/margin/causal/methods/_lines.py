"""Least squares for every fold at the price of one pass over the rows."""

import numpy as np
from scipy.special import expit

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
    grams, rights = fold_sums(D, Y, weight, folds)
    G, r = grams.sum(axis=0), rights.sum(axis=0)
    return np.stack([solve_normal(G - g, r - y) for g, y in zip(grams, rights, strict=True)])


def fold_sums(D: Floats, Y: Floats, weight: Floats, folds: Indices) -> tuple[Floats, Floats]:
    r"""Sums :math:`\sum w d d^\top` and :math:`\sum w d y^\top` of every fold.

    Examples
    --------
    >>> fold_sums(np.ones((3, 1)), np.array([[1.0], [2.0], [5.0]]), np.ones(3), np.array([0, 1, 1]))
    (array([[[1.]],
    <BLANKLINE>
           [[2.]]]), array([[[1.]],
    <BLANKLINE>
           [[7.]]]))
    """
    # One gather into the order of the folds; each is a slice after it.
    order = np.argsort(folds.astype(np.int16), kind="stable")
    ends = np.cumsum(np.bincount(folds))
    part, wD, values = D[order], (D * weight[:, None])[order], Y[order]
    cuts = [slice(a, b) for a, b in zip([0, *ends[:-1]], ends, strict=True)]
    grams = np.stack([wD[cut].T @ part[cut] for cut in cuts])
    return grams, np.stack([wD[cut].T @ values[cut] for cut in cuts])


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
    n_folds, p, q = coef.shape
    every = (D @ coef.transpose(1, 0, 2).reshape(p, n_folds * q)).reshape(len(D), n_folds, q)
    return np.asarray(every[np.arange(len(D)), folds])


def fold_chances(D: Floats, t: Floats, weight: Floats, folds: Indices, coef: Floats) -> Floats:
    r"""Probabilities of a logistic regression that has not seen the fold of a row.

    One Newton step for each fold from the fit to all rows,

    .. math:: \beta_{-f} = \beta + (H - H_f)^{-1} (g - g_f),

    with gradients and curvatures of the folds: one pass in place of a fit per fold. The step is
    exact up to the square of its length, which is of the order of the columns over the rows.
    """
    e = expit(D @ coef)
    curved = fold_sums(D, np.zeros((len(D), 0)), weight * e * (1 - e), folds)[0]
    slopes = fold_sums(D, (t - e)[:, None], weight, folds)[1]
    H, g = curved.sum(axis=0), slopes.sum(axis=0)
    steps = [solve_normal(H - h, g - s) for h, s in zip(curved, slopes, strict=True)]
    moved = np.stack(steps) + coef[:, None]
    return np.asarray(expit(fold_values(D, moved, folds)[:, 0]))
