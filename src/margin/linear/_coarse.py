"""Cheap models of the objective from a part of the rows: where to start, how to precondition."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from margin import optim
from margin.core import FitError
from margin.linalg import cholesky, gram

Floats = NDArray[np.float64]

_ROWS_PER_UNKNOWN = 40
_LEAST_SAVING = 4
_MOST_UNKNOWNS = 500


@dataclass(frozen=True)
class CoarseModel:
    """A starting point and an approximate inverse Hessian."""

    x: Floats | None
    precondition: Callable[[Floats], Floats]
    description: str


def coarse_model(problem: optim.LinearProblem) -> CoarseModel | None:
    """Start and preconditioner of a dense problem, or nothing where they would not pay."""
    if not isinstance(problem.X, np.ndarray) or problem.weight is None:
        return None
    try:
        return _newton_on_a_part(problem) if problem.n_outputs == 1 else _whitening(problem)
    except FitError:  # the part has no curvature at all: it is no guide to the whole
        return None


def _newton_on_a_part(problem: optim.LinearProblem) -> CoarseModel | None:
    """Newton's method on every k-th row, when rows outnumber unknowns many times over.

    The first Newton steps only find the neighbourhood of the minimum, and a fraction of the rows
    finds it as well at a fraction of the cost; from there the Hessian of that fraction is a
    preconditioner whose error is about the square root of unknowns over rows. Returns nothing
    when too few rows would be saved, or when the part is no guide to the whole: the minimiser
    must lower the whole objective below that of zero coefficients.
    """
    d, weight = problem.dimension, problem.weight
    stride = len(problem.y) // (_ROWS_PER_UNKNOWN * d)
    rows = slice(None, None, max(stride, 1))
    assert weight is not None
    if stride < _LEAST_SAVING or d > _MOST_UNKNOWNS or not weight[rows].any():
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
    if not problem.expand(found.x).value < problem.expand(np.zeros(d)).value:
        return None
    return CoarseModel(found.x, factor.solve, f"Newton on {len(part.y)} rows")


def _whitening(problem: optim.LinearProblem) -> CoarseModel | None:
    r"""Second moments of the features, the same for every class.

    At equal class probabilities the Hessian of a softmax is a Kronecker product of
    :math:`(I - 11^\top / K) / K` with the second moments of the design: their inverse undoes the
    correlation of the features, which is what makes plain L-BFGS slow.
    """
    n, p = problem.X.shape
    if p > _MOST_UNKNOWNS or n < 2 * p:
        return None
    stride = max(1, n // (_ROWS_PER_UNKNOWN * (p + 1)))
    rows = problem.X[::stride]
    matrix, sums = gram(rows, targets=np.ones((len(rows), 1)))
    assert sums is not None
    size = p + int(problem.intercept)
    moments = np.empty((size, size))
    moments[:p, :p] = matrix / len(rows)
    moments[:p, p:] = sums[:, : size - p] / len(rows)
    moments[p:, :p] = moments[:p, p:].T
    moments[p:, p:] = 1.0
    moments /= problem.n_outputs
    floor = problem.penalty.curvature(np.zeros(p)) + 1e-8 * float(np.trace(moments)) / size
    moments[np.arange(p), np.arange(p)] += floor
    factor = cholesky(moments, name="second moments of a part of the rows")

    def precondition(gradient: Floats) -> Floats:
        return factor.solve(gradient.reshape(size, -1)).ravel()

    return CoarseModel(None, precondition, f"the second moments of {len(rows)} rows")
