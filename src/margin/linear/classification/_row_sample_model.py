"""Cheap models of the objective from a part of the rows: where to start, how to precondition."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from margin import optim
from margin.core import FitError
from margin.core.types import Floats
from margin.linalg import cholesky, gram

_ROWS_PER_UNKNOWN = 40
_LEAST_SAVING = 4
_MOST_UNKNOWNS = 500


@dataclass(frozen=True)
class RowSampleModel:
    """A starting point and an approximate inverse Hessian."""

    x: Floats | None
    precondition: Callable[[Floats], Floats]
    description: str


def row_sample_model(problem: optim.Standardised) -> RowSampleModel | None:
    """Start and preconditioner of a dense problem, or nothing where they would not pay."""
    inner = problem.problem
    if not isinstance(inner.X, np.ndarray) or inner.weight is None:
        return None
    try:
        return _newton_on_a_part(problem) if inner.n_outputs == 1 else _whitening(problem)
    except FitError:  # the part has no curvature at all: it is no guide to the whole
        return None


def _newton_on_a_part(problem: optim.Standardised) -> RowSampleModel | None:
    """Newton's method on every k-th row, when rows outnumber unknowns many times over.

    The first Newton steps only find the neighbourhood of the minimum, and a fraction of the rows
    finds it as well at a fraction of the cost; from there the Hessian of that fraction is a
    preconditioner whose error is about the square root of unknowns over rows. Returns nothing
    when too few rows would be saved, or when the part is no guide to the whole: the minimiser
    must lower the whole objective below that of zero coefficients.
    """
    inner = problem.problem
    d, weight = inner.dimension, inner.weight
    stride = len(inner.y) // (_ROWS_PER_UNKNOWN * d)
    rows = slice(None, None, max(stride, 1))
    assert weight is not None
    if stride < _LEAST_SAVING or d > _MOST_UNKNOWNS or not weight[rows].any():
        return None
    some = replace(
        inner,
        X=np.ascontiguousarray(inner.X[rows]),
        y=np.ascontiguousarray(inner.y[rows]),
        weight=weight[rows] * (weight.sum() / weight[rows].sum()),
    )
    part = replace(problem, problem=some)
    rough = optim.minimise(part, optim.Newton(tol=1e-3, max_iter=10))
    hessian = part.expand(rough.x, second_order=True).hessian
    assert hessian is not None
    factor = cholesky(hessian(), name="Hessian of a part of the rows")
    if not problem.expand(rough.x).value < problem.expand(np.zeros(d)).value:
        return None
    return RowSampleModel(rough.x, factor.solve, f"Newton on {len(some.y)} rows")


def _whitening(problem: optim.Standardised) -> RowSampleModel | None:
    r"""Second moments of the features, the same for every class.

    At equal class probabilities the Hessian of a softmax is a Kronecker product of
    :math:`(I - 11^\top / K) / K` with the second moments of the design: their inverse undoes the
    correlation of the features, which is what makes plain L-BFGS slow.
    """
    inner = problem.problem
    n, p = inner.X.shape
    if p > _MOST_UNKNOWNS or n < 2 * p:
        return None
    rows = inner.X[:: max(1, n // (_ROWS_PER_UNKNOWN * (p + 1)))]
    matrix, sums = gram(rows, centre=problem.centre, targets=np.ones((len(rows), 1)))
    assert sums is not None
    size = p + int(inner.intercept)
    moments = np.ones((size, size))
    moments[:p, :p] = matrix / np.outer(problem.scale, problem.scale) / len(rows)
    moments[:p, p:] = (sums / problem.scale[:, None])[:, : size - p] / len(rows)
    moments[p:, :p] = moments[:p, p:].T
    moments /= inner.n_outputs
    strength = inner.penalty.curvature(np.zeros(p)) / problem.scale**2
    moments[np.arange(p), np.arange(p)] += strength + 1e-8 * np.trace(moments) / size
    factor = cholesky(moments, name="second moments of a part of the rows")

    def precondition(gradient: Floats) -> Floats:
        return factor.solve(gradient.reshape(size, -1)).ravel()

    return RowSampleModel(None, precondition, f"the second moments of {len(rows)} rows")
