"""Gradient descent with every classical step length."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.optim._exact_step import exact_line_search, taylor_step
from margin.optim._line_search import Accepted, armijo, strong_wolfe
from margin.optim._problem import Problem
from margin.optim._solver import Solver, State

_RULES = ("armijo", "wolfe", "exact", "taylor")


@dataclass(frozen=True)
class GradientDescent(Solver):
    r"""Steps :math:`x \leftarrow x - t \nabla f(x)` (optim.01).

    Parameters
    ----------
    tol : float
        What counts as zero: of the largest entry of the gradient, or of what ``stop`` names.
    max_iter : int
        Most steps to make.
    step_length : float or {"armijo", "wolfe", "exact", "taylor"}
        A fixed length, or a rule (optim.02): backtracking from twice the last accepted length; a
        strong Wolfe search; the minimum along the gradient; or the minimum of the second-order
        expansion, :math:`\|g\|^2 / (g^\top H g)`, halved while it does not descend (needs
        products with the Hessian). On a quadratic a fixed step converges below ``2 / L`` and
        diverges above, ``L`` the largest curvature.
    stop : {"gradient", "step"}
        What ends the search: the largest entry of the gradient, or the length
        :math:`\|t \nabla f(x)\|` of the step that it asks for. The latter is the rule of
        textbooks; it also holds where steps are short for want of a better length, so it certifies
        less.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, minimise
    >>> bowl = Function(lambda x: (0.5 * x @ x, x), 2)
    >>> minimise(bowl, GradientDescent(step_length=0.5, tol=1e-6), x0=np.ones(2)).n_iter
    20
    >>> minimise(bowl, GradientDescent(step_length="exact"), x0=np.ones(2)).n_iter
    1
    """

    tol: float = 1e-6
    max_iter: int = 10_000
    step_length: float | Literal["armijo", "wolfe", "exact", "taylor"] = "armijo"
    stop: Literal["gradient", "step"] = "gradient"

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter", one_of={"stop": ("gradient", "step")})
        if self.step_length not in _RULES:
            check.params(self, positive="step_length")

    @property
    def kind(self) -> str:
        """What is compared with ``tol``."""
        return "gradient norm" if self.stop == "gradient" else "length of the step"

    def measured(self, state: State, norm: float) -> float:
        if self.stop == "gradient":
            return norm
        length = state.step_length if isinstance(self.step_length, str) else self.step_length
        return float(length * np.linalg.norm(state.local.gradient))

    @property
    def requires(self) -> frozenset[str]:  # type: ignore[override]
        """A gradient; for the second-order step also products with the Hessian."""
        second = {"hessian_product"} if self.step_length == "taylor" else set()
        return frozenset({"gradient"} | second)

    def init(self, problem: Problem, x: NDArray[np.float64]) -> State:
        second_order = self.step_length == "taylor"
        return State(x, problem.expand(x, second_order=second_order), step_length=0.5)

    def step(self, problem: Problem, state: State) -> State:
        if not isinstance(self.step_length, str):
            x = state.x - self.step_length * state.local.gradient
            return replace(state, x=x, local=problem.expand(x), step_length=float(self.step_length))
        taken = self._search(problem, state)
        if taken is None:
            return replace(state, stuck="the line search found no lower point")
        return replace(state, x=taken.x, local=taken.local, step_length=taken.length)

    def _search(self, problem: Problem, state: State) -> Accepted | None:
        x, local, direction = state.x, state.local, -state.local.gradient
        if self.step_length == "exact":
            return exact_line_search(problem, x, local, direction, length=state.step_length)
        if self.step_length == "wolfe":
            return strong_wolfe(problem, x, local, direction, length=state.step_length)
        if self.step_length == "armijo":
            return armijo(problem, x, local, direction, length=2.0 * state.step_length)
        length = taylor_step(local, direction) or 2.0 * state.step_length
        return armijo(problem, x, local, direction, length=length, second_order=True)
