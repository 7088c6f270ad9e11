"""Kernels, and planes fitted with their weights, many at a time."""

import numpy as np

from margin.core.types import Floats

_RCOND = 1e-10  # directions with a smaller share of the local spread are left flat


def kernel_weights(name: str, u: Floats) -> Floats:
    """Value of a kernel at distances in units of its width.

    Examples
    --------
    >>> kernel_weights("epanechnikov", np.array([0.0, 0.5, 2.0]))
    array([1.  , 0.75, 0.  ])
    """
    if name == "gaussian":
        return np.asarray(np.exp(-0.5 * u * u))
    inside = np.minimum(u, 1.0)
    if name == "epanechnikov":
        return np.asarray(1 - inside * inside)
    rest = 1 - inside * inside * inside  # products are many times faster than powers
    return np.asarray(rest * rest * rest)


def plane_values(queries: Floats, rows: Floats, target: Floats, weight: Floats) -> Floats:
    """Intercepts at the queries, with slopes only where the near rows spread.

    Parameters
    ----------
    queries, rows : ndarray of shape (q, p) and (n, p)
    target : ndarray of shape (n,)
    weight : ndarray of shape (q, n)
        What every row counts at every query.
    """
    total = weight.sum(axis=1)
    middle = weight @ rows / total[:, None]
    level = weight @ target / total
    root = np.sqrt(weight / total[:, None])
    away = rows.T[None] - middle[:, :, None]
    away *= root[:, None]
    moment = (away @ (root * (target - level[:, None]))[:, :, None])[:, :, 0]
    slope = _spread_solve(away @ away.transpose(0, 2, 1), moment, rows)
    return np.asarray(level + np.einsum("qp,qp->q", slope, queries - middle))


def plane_smoothers(queries: Floats, rows: Floats, weight: Floats) -> Floats:
    """Weights of all targets in :func:`plane_values`, of shape (q, n).

    Examples
    --------
    At the border of three rows the plane is the straight line through them:

    >>> rows = np.array([[0.0], [1.0], [2.0]])
    >>> plane_smoothers(rows[:1], rows, np.ones((1, 3))).round(3)
    array([[ 0.833,  0.333, -0.167]])
    """
    share = weight / weight.sum(axis=1, keepdims=True)
    middle = share @ rows
    away = rows.T[None] - middle[:, :, None]
    scatter = (away * share[:, None]) @ away.transpose(0, 2, 1)
    slope = _spread_solve(scatter, queries - middle, rows)
    return np.asarray(share * (1.0 + np.einsum("qp,qpn->qn", slope, away)))


def _spread_solve(scatter: Floats, side: Floats, rows: Floats) -> Floats:
    """Shortest solutions of many small symmetric systems, flat along what is rounding."""
    values, vectors = np.linalg.eigh(scatter)
    rounding = (1e-13 * np.abs(rows).max(initial=0.0)) ** 2
    kept = values > np.maximum(_RCOND * values[:, -1:], rounding)
    along = np.einsum("qpk,qp->qk", vectors, side)
    along = np.where(kept, along / np.where(kept, values, 1.0), 0.0)
    return np.asarray(np.einsum("qpk,qk->qp", vectors, along))
