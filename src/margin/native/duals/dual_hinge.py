r"""Descent on the dual of a linear model with a hinge-like loss.

The objective is :math:`\tfrac12 \|\sum_i \beta_i \tilde x_i\|^2 + \sum_i (\tfrac12 d_i \beta_i^2
- t_i \beta_i + \epsilon |\beta_i|)` within bounds, where :math:`\tilde x_i` is the row followed by
a constant. Multipliers ``beta`` and their sum ``w`` over the rows, that of the constant last, are
changed in place.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.native import _native

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


class DualTerms(NamedTuple):
    """The objective above without the rows.

    Parameters
    ----------
    target, lower, upper, ridge : :math:`t`, the bounds and :math:`d`.
    square : the squared length of every row, the constant included, plus ``ridge``.
    epsilon, constant : the numbers above.
    """

    target: Floats
    lower: Floats
    upper: Floats
    ridge: Floats
    square: Floats
    epsilon: float
    constant: float


class Passes(NamedTuple):
    """What happened.

    Parameters
    ----------
    n_passes : passes made.
    violation : largest violation of the optimality conditions met in the last pass.
    """

    n_passes: int
    violation: float


class FaceSteps(NamedTuple):
    """What happened.

    Parameters
    ----------
    n_steps : steps of conjugate gradients, each the work of one pass over the rows of the face.
    outside : share of the rows that had to be cut off.
    gain : fall of the objective.
    """

    n_steps: int
    outside: float
    gain: float


def dual_hinge_passes(
    X: Any,
    terms: DualTerms,
    beta: Floats,
    w: Floats,
    rows: Rows,
    *,
    seed: int,
    limit: int,
    shrinks: bool,
) -> Passes:
    r"""Exact minimum in one :math:`\beta_i` at a time, rows in random order, new in every pass.

    The rows are the given ones, whose order is changed in place. Passes end at ``limit`` or when
    nothing is violated. With ``shrinks``, a row found at rest sits out the passes that are left.
    """
    return Passes(*_call("dual_hinge", X, *terms, beta, w, rows, seed, limit, shrinks))


def dual_face_steps(
    X: Any,
    terms: DualTerms,
    beta: Floats,
    w: Floats,
    rows: Rows,
    *,
    limit: int,
    crowd: float,
    tol: float,
    n_threads: int,
) -> FaceSteps:
    r"""Conjugate gradients over the multipliers of ``rows`` together, the others fixed.

    The rows must lie strictly between their kinks and bounds. Steps end at ``limit``, when the
    gradient has fallen by ``tol``, or when a share ``crowd`` of the rows has left its interval.
    What left is cut off, and the best point on the way there is taken: the objective never rises.
    The answer does not depend on ``n_threads``.
    """
    return FaceSteps(*_call("dual_face", X, *terms, beta, w, rows, limit, crowd, tol, n_threads))


def _call(name: str, X: Any, *rest: Any) -> Any:
    if issparse(X):
        return getattr(_native, f"{name}_sparse")(X.indptr, X.indices, X.data, *rest)
    return getattr(_native, f"{name}_dense")(X, *rest)
