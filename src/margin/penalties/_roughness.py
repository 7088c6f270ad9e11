"""Roughness of functions in a basis."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats


def roughness_matrix(
    second_derivative: Callable[[Floats], Any], knots: Any, *, degree: int = 1
) -> Floats:
    r"""Matrix :math:`\Omega_{jk} = \int N_j''(x)\, N_k''(x)\, dx` of a basis (penalties.05).

    With it :math:`w^\top \Omega w = \int f''(x)^2 dx` for :math:`f = \sum_j w_j N_j`, the penalty
    of a smoothing spline. Gauss-Legendre quadrature between neighbouring knots: exact for a basis
    whose second derivatives are polynomials of ``degree`` there (1 for cubic splines).

    Parameters
    ----------
    second_derivative : callable
        Takes points of shape (m,), gives :math:`N_j''` there, of shape (m, p).
    knots : array-like of shape (k,)
        Increasing; the integral runs from the first to the last.
    degree : int
        Degree of the second derivatives between knots.

    Examples
    --------
    Of the powers 1, x, x², x³ on [0, 1], whose second derivatives are 0, 0, 2, 6x:

    >>> import numpy as np
    >>> def bend(x):
    ...     return np.column_stack([0 * x, 0 * x, 2 + 0 * x, 6 * x])
    >>> roughness_matrix(bend, [0.0, 1.0]).round(12)
    array([[ 0.,  0.,  0.,  0.],
           [ 0.,  0.,  0.,  0.],
           [ 0.,  0.,  4.,  6.],
           [ 0.,  0.,  6., 12.]])
    """
    edges = np.asarray(knots, dtype=np.float64)
    if edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) > 0).all():
        raise check.fail("roughness_matrix", "knots", "at least 2 increasing numbers", edges)
    nodes, weights = np.polynomial.legendre.leggauss(degree + 1)
    half = 0.5 * np.diff(edges)[:, None]
    middle = 0.5 * (edges[1:] + edges[:-1])[:, None]
    values = np.asarray(second_derivative((middle + half * nodes).ravel()), dtype=np.float64)
    return np.asarray((values.T * (half * weights).ravel()) @ values)
