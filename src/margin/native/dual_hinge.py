"""Passes of coordinate descent over the dual of a linear model with a hinge-like loss."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.native import _native

Floats = NDArray[np.float64]


class Passes(NamedTuple):
    """What happened.

    Parameters
    ----------
    made : passes made.
    active : rows still in the game, the first ones of ``rows``.
    violation : largest violation of the optimality conditions met in the last pass.
    """

    made: int
    active: int
    violation: float


def dual_hinge_passes(
    X: Any,
    rows: NDArray[np.int64],
    active: int,
    target: Floats,
    lower: Floats,
    upper: Floats,
    ridge: Floats,
    square: Floats,
    epsilon: float,
    constant: float,
    beta: Floats,
    w: Floats,
    seed: int,
    limit: int,
    tol: float,
    shrinks: bool,
) -> Passes:
    r"""Exact minimum in one :math:`\beta_i` at a time, rows in random order, new in every pass.

    The objective is :math:`\tfrac12 \|\sum_i \beta_i \tilde x_i\|^2 + \sum_i \tfrac12 d_i \beta_i^2
    - t_i \beta_i + \epsilon |\beta_i|` within bounds, where :math:`\tilde x_i` is the row followed
    by ``constant``. ``square`` holds :math:`\|\tilde x_i\|^2 + d_i`; ``beta``, ``w`` (the sum,
    intercept last) and the order of ``rows`` are changed in place. Passes end at ``limit`` or when
    no violation exceeds ``tol``. With ``shrinks``, rows that rest far from moving leave the game:
    they are behind the first ``active`` ones afterwards.
    """
    rest = (rows, active, target, lower, upper, ridge, square, epsilon, constant, beta, w)
    how = (seed, limit, tol, shrinks)
    if issparse(X):
        found = _native.dual_hinge_sparse(X.indptr, X.indices, X.data, *rest, *how)
    else:
        found = _native.dual_hinge_dense(X, *rest, *how)
    return Passes(*found)
