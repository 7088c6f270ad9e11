"""Gradient descent with a line search."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.optim._line_search import armijo
from margin.optim._problem import Problem
from margin.optim._solver import Solver, State


@dataclass(frozen=True)
class GradientDescent(Solver):
    r"""Steps :math:`x \leftarrow x - t \nabla f(x)` (optim.01).

    Parameters
    ----------
    tol : float
        Largest entry of the gradient that counts as zero.
    max_iter : int
        Most steps to make.
    step_length : float or "armijo"
        A fixed step length, or backtracking from twice the last accepted length. On a quadratic
        a fixed step converges below ``2 / L`` and diverges above, ``L`` the largest curvature.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, minimise
    >>> bowl = Function(lambda x: (0.5 * x @ x, x), 2)
    >>> minimise(bowl, GradientDescent(step_length=0.5, tol=1e-6), x0=np.ones(2)).n_iter
    20
    """

    tol: float = 1e-6
    max_iter: int = 10_000
    step_length: float | Literal["armijo"] = "armijo"

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")
        if self.step_length != "armijo":
            check.params(self, positive="step_length")

    def init(self, problem: Problem, x: NDArray[np.float64]) -> State:
        return State(x, problem.expand(x), step_length=0.5)

    def step(self, problem: Problem, state: State) -> State:
        gradient = state.local.gradient
        if self.step_length != "armijo":
            x = state.x - self.step_length * gradient
            return replace(state, x=x, local=problem.expand(x), step_length=float(self.step_length))
        taken = armijo(problem, state.x, state.local, -gradient, length=2.0 * state.step_length)
        if taken is None:
            return replace(state, stuck="the line search found no lower point")
        return replace(state, x=taken.x, local=taken.local, step_length=taken.length)
