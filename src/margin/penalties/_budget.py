"""From a budget to the strength of a penalty."""

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq

from margin.core import check
from margin.core.types import Floats
from margin.linalg import svd


def matching_strength(
    size: Callable[[float], float],
    budget: float,
    *,
    largest: float = 1.0,
    tol: float = 1e-12,
) -> float:
    r"""Strength :math:`\lambda` whose penalised minimiser just uses up a budget (penalties.07).

    Constraint form :math:`\min_w f(w)` subject to :math:`g(w) \le t` and penalty form
    :math:`\min_w f(w) + \lambda g(w)` of convex :math:`f, g` have the same solutions: a
    :math:`w_\lambda` solves the constraint form for :math:`t = g(w_\lambda)`. That size falls as
    :math:`\lambda` grows, so the way back is a root search. Zero if the budget does not bind.

    Parameters
    ----------
    size : callable
        Gives :math:`g(w_\lambda)` for a :math:`\lambda \ge 0`: the squared norm of a ridge
        solution, the sum of absolute values of a lasso solution.
    budget : float
        The budget :math:`t`, above 0.
    largest : float
        First guess of an upper end for :math:`\lambda`, doubled while the budget is exceeded.
    tol : float
        Relative precision of :math:`\lambda`.

    Examples
    --------
    One coefficient with :math:`(w - 3)^2 + \lambda w^2`, so :math:`w = 3 / (1 + \lambda)`:

    >>> round(matching_strength(lambda strength: (3 / (1 + strength)) ** 2, budget=1.0), 10)
    2.0
    """
    if not budget > 0:
        raise check.fail("matching_strength", "budget", "a number above 0", budget)
    if size(0.0) <= budget:
        return 0.0
    high, doublings = largest, 0
    while size(high) > budget:
        high, doublings = 2.0 * high, doublings + 1
        if doublings > 1000:
            raise check.fail("matching_strength", "size", "falling below the budget", size(high))
    low = 0.0 if doublings == 0 else 0.5 * high
    return float(brentq(lambda strength: size(strength) - budget, low, high, rtol=max(tol, 1e-15)))


def ridge_size(X: Floats, y: Floats) -> Callable[[float], float]:
    r"""The map :math:`\lambda \mapsto \|w_\lambda\|^2` of ridge regression, exact (penalties.07).

    With the singular values :math:`d_j` of ``X`` and :math:`u_j^\top y`,
    :math:`\|w_\lambda\|^2 = \sum_j \bigl(d_j u_j^\top y / (d_j^2 + \lambda)\bigr)^2`. The objective
    is :math:`\|y - X w\|^2 + \lambda \|w\|^2`; at 0 it is the least-norm solution.

    Examples
    --------
    >>> import numpy as np
    >>> size = ridge_size(np.eye(2), np.array([2.0, 0.0]))
    >>> size(0.0), size(1.0)
    (4.0, 1.0)
    """
    left, d, _ = svd(np.asarray(X, dtype=np.float64))
    kept = d > np.finfo(np.float64).eps * max(np.shape(X)) * d.max(initial=0.0)
    d, image = d[kept], (left.T @ np.asarray(y, dtype=np.float64))[kept]
    return lambda strength: float(np.sum((d * image / (d**2 + strength)) ** 2))
