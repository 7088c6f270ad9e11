"""Rotations of loadings towards few large entries in every column."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.types import Floats
from margin.linalg import lstsq

METHODS = ("varimax", "quartimax", "promax")
_SMALL = 1e-60
_LEAST = 1e-15
_NOTHING = 1e-10
_SINGULAR = 1e14


@dataclass(frozen=True, eq=False)
class RotatedLoadings:
    r"""Loadings :math:`L = W U` and what made them.

    Parameters
    ----------
    loadings : ndarray of shape (p, k)
        :math:`L`.
    rotation : ndarray of shape (k, k)
        :math:`U`; orthogonal but for promax.
    correlation : ndarray of shape (k, k)
        Of the factors, :math:`(U^\top U)^{-1}`: :math:`L \Phi L^\top = W W^\top`.
    solution : Solution
        How the search for it ended; the objective is minus the criterion.
    """

    loadings: Floats
    rotation: Floats
    correlation: Floats
    solution: Solution


def rotate_factors(
    loadings: ArrayLike,
    method: Literal["varimax", "quartimax", "promax"] = "varimax",
    *,
    power: float = 4.0,
    tol: float = 1e-7,
    max_iter: int = 500,
) -> RotatedLoadings:
    r"""Rotate loadings to a simple structure (decomposition.10).

    Varimax maximises over orthogonal :math:`U`, with :math:`L = W U`, the variance of the squared
    entries of every column,

    .. math:: \sum_j \Bigl[ \sum_i L_{ij}^4 - \tfrac1p \bigl(\sum_i L_{ij}^2\bigr)^2 \Bigr],

    quartimax the first term alone. Promax regresses from there on the entries raised to a power
    and allows factors that correlate. The covariance :math:`L \Phi L^\top = W W^\top` stays as it
    was.

    Parameters
    ----------
    loadings : array-like of shape (p, k)
        :math:`W`, a column for every factor.
    method : {"varimax", "quartimax", "promax"}, default="varimax"
    power : float, default=4.0
        Power of promax.
    tol : float, default=1e-7
        Largest angle of a sweep that counts as none.
    max_iter : int, default=500
        Most sweeps over all pairs of factors.

    Returns
    -------
    RotatedLoadings

    References
    ----------
    Kaiser (1958). The varimax criterion for analytic rotation. Psychometrika 23.
    Hendrickson and White (1964). Promax. British Journal of Statistical Psychology 17.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import rotate_factors
    >>> mixed = np.array([[0.8, 0.8], [0.7, -0.7]])
    >>> abs(rotate_factors(mixed).loadings).round(4)
    array([[1.1314, 0.    ],
           [0.    , 0.9899]])
    """
    W = np.asarray(loadings, dtype=np.float64)
    if W.ndim != 2 or not np.isfinite(W).all():
        raise check.fail("rotate_factors", "loadings", "a finite matrix", f"shape {W.shape}")
    if method not in METHODS:
        raise check.fail("rotate_factors", "method", f"one of {', '.join(METHODS)}", method)
    if not power >= 1:
        raise check.fail("rotate_factors", "power", "at least 1", power)
    k = W.shape[1]
    gamma = 0.0 if method == "quartimax" else 1.0
    stop = Stop("largest angle of a sweep", tol, max_iter, unit="sweep")
    seen = _in_range(W)
    solution = iterate(_turns(seen, gamma), stop, solver=method)
    U = np.asarray(solution.x)
    if method == "promax" and k > 1:
        U = U @ _oblique(seen @ U, power)
    U = _ordered(seen, U)
    inverse = np.linalg.inv(U)
    return RotatedLoadings(W @ U, U, inverse @ inverse.T, solution)


def _in_range(W: Floats) -> Floats:
    """Loadings whose fourth powers are numbers: rotations do not depend on the unit."""
    largest = float(np.abs(W).max(initial=0.0))
    return W if largest == 0.0 or _SMALL < largest < 1 / _SMALL else W / largest


def _ordered(W: Floats, U: Floats) -> Floats:
    """The same factors, the largest first, with a positive largest loading."""
    L = W @ U
    order = np.argsort(-np.sum(L**2, axis=0), kind="stable")
    largest = np.take_along_axis(L, np.argmax(np.abs(L), axis=0)[None], axis=0)[0]
    return np.asarray((U * np.where(largest < 0, -1.0, 1.0))[:, order])


def _criterion(L: Floats, gamma: float) -> float:
    squares = L**2
    return float(np.sum(squares**2) - gamma * np.sum(squares.sum(axis=0) ** 2) / max(len(L), 1))


def _turns(W: Floats, gamma: float) -> Iterator[Iterate]:
    """Sweeps over all pairs of factors, each turned to the best angle of its plane."""
    k = W.shape[1]
    L, U, n_iter = W.copy(), np.eye(k), 0
    yield Iterate(U, -_criterion(L, gamma), None if k > 1 else 0.0, n_iter)
    while True:
        widest = 0.0
        for i, j in combinations(range(k), 2):
            angle = _best_angle(L[:, i], L[:, j], gamma)
            if abs(angle) > _LEAST:
                turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
                L[:, [i, j]] = L[:, [i, j]] @ turn
                U[:, [i, j]] = U[:, [i, j]] @ turn
            widest = max(widest, abs(angle))
        n_iter += 1
        yield Iterate(U.copy(), -_criterion(W @ U, gamma), widest, n_iter)


def _best_angle(x: Floats, y: Floats, gamma: float) -> float:
    """Angle of the largest criterion in a plane: a sinusoid of four times the angle."""
    u, v = x * x - y * y, 2 * x * y
    a, b = u.sum(), v.sum()
    sine = 2 * (u @ v - gamma * a * b / len(x))
    cosine = u @ u - v @ v - gamma * (a * a - b * b) / len(x)
    return 0.25 * float(np.arctan2(sine, cosine))


def _oblique(L: Floats, power: float) -> Floats:
    """Map to the regression on powers of the entries, for factors of unit variance.

    Factors without loadings stay as they are, and so do all where the regression has no inverse.
    """
    largest = float(np.abs(L).max(initial=0.0))
    U = np.eye(L.shape[1])
    kept = np.abs(L).max(axis=0, initial=0.0) > _NOTHING * largest
    if not kept.any():
        return U
    shown = L[:, kept] / largest
    turn = lstsq(shown, np.sign(shown) * np.abs(shown) ** power)
    gram = turn.T @ turn
    if not np.linalg.cond(gram) < _SINGULAR:
        return U
    scales = np.sqrt(np.diagonal(np.linalg.inv(gram)))
    U[np.ix_(kept, kept)] = turn * scales
    return U
