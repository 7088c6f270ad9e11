"""Linear effects without cycles, by smooth optimisation along a path of barriers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import minimize

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Bools, Floats

_OUTSIDE = 1e10
_SHRINK = 0.1


def acyclic_weights(
    covariance: Floats, free: Bools, price: Floats, kept: Bools, *, equal: bool, max_iter: int,
    tol: float,
) -> Solution:  # fmt: skip
    r"""Weights of least penalised negative log likelihood, with cycles priced out step by step.

    .. math:: \mu_k \Big( \ell(W) - \log |\det(I - W)| + \sum_{ij} \lambda_{ij} |W_{ij}| \Big)
        - \log\det(I - W \circ W), \qquad \mu_k = 10^{-k}

    where the last term is zero for graphs without cycles, positive for all others, and infinite
    before a cycle could feed itself. :math:`\ell` is :math:`\tfrac p2 \log \sum_j r_j` where all
    noises are equally large and :math:`\tfrac12 \sum_j \log r_j` where they are not, with the
    residual variances :math:`r_j` of the columns.

    Parameters
    ----------
    covariance : ndarray of shape (p, p)
    free : ndarray of bool, shape (p, p)
        Weights [cause, effect] that may differ from zero.
    price : ndarray of shape (p, p)
        :math:`\lambda`.
    kept : ndarray of bool, shape (p, p)
        Arcs that must be, without a cycle: they close cycles also while their weight is zero.
    equal : bool
    max_iter : int
        Most steps of the path.
    tol : float
        Weight of the cycles, the last term, that counts as none.

    Returns
    -------
    Solution
        ``x[i, j]`` is the effect of column i on column j.

    Examples
    --------
    >>> covariance = np.array([[1.0, 2.0], [2.0, 5.0]])  # y = 2 x + noise of variance one
    >>> free, price = ~np.eye(2, dtype=bool), np.zeros((2, 2))
    >>> told = dict(kept=np.zeros((2, 2), dtype=bool), equal=True, max_iter=8, tol=1e-6)
    >>> acyclic_weights(covariance, free, price, **told).x.round(2).tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    """
    rules = Stop("weight of the cycles", tol, max_iter, unit="step", keep="last",
                 advice=("raise tol",))  # fmt: skip
    states = _states(covariance, free, price, kept, equal)
    return iterate(states, rules, solver="log-determinant path, L-BFGS-B")


def _states(
    covariance: Floats, free: Bools, price: Floats, kept: Bools, equal: bool
) -> Iterator[Iterate]:
    """Weights after every step of the path."""
    m, p = int(free.sum()), len(covariance)
    # Positive and negative parts: the absolute value has no slope at zero.
    parts, taxes = np.zeros(2 * m), np.tile(price[free], 2)
    always = np.where(kept, 0.25, 0.0)
    bounds, limits = [(0.0, None)] * (2 * m), {"maxiter": 500, "ftol": 1e-9, "gtol": 1e-7}

    def weights(parts: Floats) -> Floats:
        W = np.zeros((p, p))
        W[free] = parts[:m] - parts[m:]
        return W

    def barred(parts: Floats, share: float) -> tuple[float, Floats]:
        W = weights(parts)
        around, slope = cycles(W, always)
        if not np.isfinite(around):
            return _OUTSIDE, np.zeros_like(parts)
        fit, toward = misfit(W, covariance, equal)
        if not np.isfinite(fit):
            return _OUTSIDE, np.zeros_like(parts)
        change = (share * toward + slope)[free]
        value = share * (fit + float(taxes @ parts)) + around
        return value, np.concatenate([change, -change]) + share * taxes

    yield Iterate(weights(parts), misfit(weights(parts), covariance, equal)[0], unfinished=True)
    share, n_steps = 1.0, 0
    while m:
        parts = minimize(
            barred, parts, (share,), "L-BFGS-B", jac=True, bounds=bounds, options=limits
        ).x
        W, n_steps, share = weights(parts), n_steps + 1, share * _SHRINK
        value = misfit(W, covariance, equal)[0] + float(taxes @ parts)
        yield Iterate(W, value, cycles(W, always)[0], n_steps)
    yield Iterate(weights(parts), 0.0, 0.0, n_steps)


def misfit(W: Floats, covariance: Floats, equal: bool) -> tuple[float, Floats]:
    """Negative log likelihood of normal noise for each row, less constants, and its gradient.

    Examples
    --------
    >>> misfit(np.zeros((2, 2)), np.diag([1.0, np.e]), equal=False)[0]
    0.5
    """
    p = len(W)
    rest = np.eye(p) - W
    across = covariance @ rest
    residual = np.maximum((rest * across).sum(axis=0), 1e-300)
    sign, size = np.linalg.slogdet(rest)
    if sign <= 0:
        return np.inf, W
    if equal:
        value, slope = 0.5 * p * float(np.log(residual.mean())), -across / residual.mean()
    else:
        value, slope = 0.5 * float(np.log(residual).sum()), -across / residual
    return value - float(size), slope + np.linalg.inv(rest).T


def cycles(W: Floats, always: Floats) -> tuple[float, Floats]:
    r""":math:`-\log\det(I - W \circ W - A)` and its gradient: zero without cycles, else positive.

    Infinite where a cycle feeds itself. The arcs of A are there whatever their weight.

    Examples
    --------
    >>> nothing = np.zeros((2, 2))
    >>> [cycles(np.array([[0.0, b], [1.0, 0.0]]), nothing)[0] for b in (0.0, 2.0)]
    [0.0, inf]
    """
    loop = np.eye(len(W)) - W * W - always
    sign, size = np.linalg.slogdet(loop)
    if sign <= 0:
        return np.inf, W
    paths = np.linalg.inv(loop)
    # The sum over all walks: negative entries mean that it has no limit.
    if (paths < -1e-9 * np.abs(paths).max()).any():
        return np.inf, W
    return max(0.0, -float(size)), 2.0 * paths.T * W


def without_cycles(strength: Floats, kept: Bools, least: float) -> tuple[Bools, tuple[int, ...]]:
    """Arcs from the strongest to the weakest but for those that close a cycle, and an order.

    Parameters
    ----------
    strength : ndarray of shape (p, p)
        Entry [cause, effect], not negative.
    kept : ndarray of bool, shape (p, p)
        Arcs that must be, without a cycle.
    least : float
        Strength below which other arcs are none.

    Examples
    --------
    >>> strength = np.array([[0.0, 0.9], [0.4, 0.0]])
    >>> arcs, order = without_cycles(strength, np.zeros((2, 2), dtype=bool), 0.1)
    >>> arcs.tolist(), order
    ([[False, True], [False, False]], (0, 1))
    """
    p = len(strength)
    arcs, reach = np.zeros((p, p), dtype=bool), np.eye(p, dtype=bool)
    worth = np.where(kept, np.inf, strength)
    for place in np.argsort(-worth, axis=None, kind="stable").tolist():
        i, j = divmod(place, p)
        if worth[i, j] < least or worth[i, j] == 0:
            break
        if not reach[j, i]:
            arcs[i, j] = True
            reach |= np.outer(reach[:, i], reach[j])
    # A cause has fewer ancestors than its effect.
    return arcs, tuple(np.argsort(reach.sum(axis=0), kind="stable").tolist())
