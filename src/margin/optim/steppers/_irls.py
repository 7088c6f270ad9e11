"""Iteratively reweighted least squares."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.sparse import issparse

from margin.core import check
from margin.core.types import Floats
from margin.linalg import cholesky, lstsq
from margin.optim._line_search import armijo
from margin.optim._linear_problem import LinearProblem
from margin.optim._problem import Problem
from margin.optim._solver import Solver, State, one_output

_LEAST = 1e-12  # weights below this share of the largest one are raised to it


@dataclass(frozen=True)
class IRLS(Solver):
    r"""Weighted ridge regressions whose weights follow the fit (linear.33).

    Each step solves

    .. math:: \min_w \tfrac12 \sum_i v_i (t_i - x_i^\top w)^2 + J(w), \qquad
        t_i = z_i - \ell'(z_i) / \omega_i, \quad v_i = s_i \omega_i,

    by a stable least-squares solver. For losses of a margin or a count the weights are the
    curvatures, :math:`\omega = \ell''(z)`, and with a canonical link the step is exactly Newton's:
    for logistic regression :math:`w \leftarrow (\alpha I + X^\top V X)^{-1} X^\top V t`. For losses
    of a residual :math:`r` they are :math:`\omega = \ell'(r) / r`, the parabola that touches the
    loss from above, so no step can raise the objective: the classical robust regression.

    Parameters
    ----------
    tol : float
        Largest entry of the gradient that counts as zero.
    max_iter : int
        Most steps to make.

    Notes
    -----
    :math:`O(n p^2)` per step. Needs a linear model with one output, a differentiable loss and a
    quadratic penalty.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.losses import Huber
    >>> from margin.optim import LinearProblem, minimise
    >>> from margin.penalties import Zero
    >>> y = np.array([1.0, 1.1, 0.9, 50.0])
    >>> location = LinearProblem(np.ones((4, 1)), y, None, Huber(0.3), Zero(), intercept=False)
    >>> minimise(location, IRLS()).x.round(6)
    array([1.1])
    """

    tol: float = 1e-8
    max_iter: int = 200
    requires: ClassVar[frozenset[str]] = frozenset({"gradient", "hessian_product", "rows"})

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")

    def init(self, problem: Problem, x: Floats) -> State:
        one_output(self, problem)
        return State(x, problem.expand(x))

    def step(self, problem: Problem, state: State) -> State:
        assert isinstance(problem, LinearProblem)
        direction = _direction(problem, state.x)
        taken = armijo(problem, state.x, state.local, direction)
        if taken is None:
            return replace(state, stuck="the line search found no lower point")
        return replace(state, x=taken.x, local=taken.local, step_length=taken.length)


def _direction(problem: LinearProblem, x: Floats) -> Floats:
    """Solution of the weighted least squares problem, minus ``x``."""
    z = problem.predictions(x)[:, 0]
    weight = np.ones_like(z) if problem.weight is None else problem.weight
    bend, slope = weight * _weights(problem, z), weight * problem.loss.slope(z, problem.y)
    bend = np.maximum(bend, _LEAST * max(float(bend.max(initial=0.0)), 1e-300))
    coef, _ = problem.unpack(x)
    root = _penalty_root(problem, coef)
    if issparse(problem.X):
        return _sparse_step(problem, bend, slope, root, coef)
    half = np.sqrt(bend)
    rows = half[:, None] * problem.X
    if problem.intercept:
        rows = np.column_stack([rows, half])
        root = np.column_stack([root, np.zeros(len(root))])
    target = np.concatenate([-slope / half, -(root[:, : len(coef)] @ coef[:, 0])])
    return lstsq(np.vstack([rows, root]), target)


def _sparse_step(
    problem: LinearProblem, bend: Floats, slope: Floats, root: Floats, coef: Floats
) -> Floats:
    """The same by normal equations, whose matrix is small where the rows are sparse."""
    p = problem.X.shape[1]
    matrix = np.zeros((p + int(problem.intercept),) * 2)
    scaled = problem.X.multiply(bend[:, None]).tocsr()
    matrix[:p, :p] = (problem.X.T @ scaled).toarray() + root.T @ root
    side = np.zeros(len(matrix))
    side[:p] = -(problem.X.T @ slope) - root.T @ (root @ coef[:, 0])
    if problem.intercept:
        matrix[:p, p] = matrix[p, :p] = np.asarray(scaled.sum(axis=0)).ravel()
        matrix[p, p], side[p] = bend.sum(), -slope.sum()
    return cholesky(matrix, name="weighted Gram matrix").solve(side)


def _weights(problem: LinearProblem, z: Floats) -> Floats:
    loss, y = problem.loss, problem.y
    if loss.form != "residual":
        return loss.curvature(z, y)
    residual = z - y
    small = np.abs(residual) < 1e-12
    ratio = loss.slope(z, y) / np.where(small, 1.0, residual)
    return np.where(small, loss.curvature(np.asarray(y, dtype=np.float64), y), ratio)


def _penalty_root(problem: LinearProblem, coef: Floats) -> Floats:
    """A matrix ``R`` with ``R^T R`` the curvature of the penalty."""
    penalty = problem.penalty
    if penalty.separable:
        return np.diag(np.sqrt(penalty.curvature(coef)[:, 0]))
    matrix = np.column_stack(
        [penalty.hessian_product(coef, unit[:, None])[:, 0] for unit in np.eye(len(coef))]
    )
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T)
