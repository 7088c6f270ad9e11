"""A cheap model of the objective from a part of the rows."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from margin import optim
from margin.linalg import cholesky

_ROWS_PER_UNKNOWN = 40
_LEAST_SAVING = 4
_MOST_UNKNOWNS = 500


@dataclass(frozen=True)
class CoarseModel:
    """Minimiser on a part of the rows, and the inverse Hessian there as a preconditioner."""

    x: NDArray[np.float64]
    precondition: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    n_rows: int


def coarse_model(problem: optim.LinearProblem) -> CoarseModel | None:
    """Newton's method on every k-th row, when rows outnumber unknowns many times over.

    The first Newton steps only find the neighbourhood of the minimum, and a fraction of the rows
    finds it as well at a fraction of the cost; from there the Hessian of that fraction is a
    preconditioner whose error is about the square root of unknowns over rows. Returns nothing
    when too few rows would be saved, or when the part is no guide to the whole: the minimiser
    must lower the whole objective below that of zero coefficients.
    """
    d = problem.dimension
    stride = len(problem.y) // (_ROWS_PER_UNKNOWN * d)
    if stride < _LEAST_SAVING or d > _MOST_UNKNOWNS or not isinstance(problem.X, np.ndarray):
        return None
    rows = slice(None, None, stride)
    weight = problem.weight
    if weight is None or not weight[rows].any():
        return None
    part = replace(
        problem,
        X=np.ascontiguousarray(problem.X[rows]),
        y=np.ascontiguousarray(problem.y[rows]),
        weight=weight[rows] * (weight.sum() / weight[rows].sum()),
    )
    found = optim.minimise(part, optim.Newton(tol=1e-3, max_iter=10))
    hessian = part.expand(found.x, second_order=True).hessian
    assert hessian is not None
    factor = cholesky(hessian(), name="Hessian of a part of the rows")
    here, zero = problem.expand(found.x).value, problem.expand(np.zeros(d)).value
    return CoarseModel(found.x, factor.solve, len(part.y)) if here < zero else None
