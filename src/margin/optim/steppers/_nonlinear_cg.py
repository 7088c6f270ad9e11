"""Non-linear conjugate gradients."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.optim._line_search import Accepted, strong_wolfe
from margin.optim._problem import Problem
from margin.optim._solver import Solver, State


@dataclass(frozen=True)
class NonlinearCG(Solver):
    r"""Conjugate directions :math:`d \leftarrow -g + \beta d` with a line search (optim.11).

    .. math:: \beta^{PR+} = \max\Bigl(0, \frac{g^\top (g - g_-)}{g_-^\top g_-}\Bigr), \qquad
        \beta^{FR} = \frac{g^\top g}{g_-^\top g_-},

    with :math:`g_-` the gradient before. A strong Wolfe search with a tight curvature condition
    keeps the directions downhill; a direction that is not starts again from the gradient, and so
    does every ``restart``-th step. On a quadratic of ``d`` unknowns about ``d`` steps suffice.

    Parameters
    ----------
    tol : float
        Largest entry of the gradient that counts as zero.
    max_iter : int
        Most steps to make.
    variant : {"PR+", "FR"}
        Polak-Ribière, which restarts by itself when steps become short, or Fletcher-Reeves.
    restart : int, optional
        Steps between restarts; by default as many as there are unknowns, at least 10.

    Notes
    -----
    Memory of four vectors, the least of all solvers faster than gradient descent.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, minimise
    >>> A = np.diag([1.0, 100.0])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2)
    >>> bool(np.abs(minimise(bowl, NonlinearCG(), x0=np.ones(2)).x).max() < 1e-6)
    True
    """

    tol: float = 1e-6
    max_iter: int = 2000
    variant: Literal["PR+", "FR"] = "PR+"
    restart: int | None = None

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter", one_of={"variant": ("PR+", "FR")})
        if self.restart is not None:
            check.params(self, count="restart")

    def init(self, problem: Problem, x: Floats) -> State:
        local = problem.expand(x)
        size = float(np.linalg.norm(local.gradient))
        first = 1.0 / size if size > 0 else 1.0
        return State(x, local, memory=(-local.gradient, 0), step_length=first)

    def step(self, problem: Problem, state: State) -> State:
        direction, age = state.memory
        gradient = state.local.gradient
        taken = self._search(problem, state, direction)
        if taken is None and age > 0:
            direction, age = -gradient, 0
            taken = self._search(problem, state, direction)
        if taken is None:
            return replace(state, stuck="the line search found no lower point")
        fresh = taken.local.gradient
        period = self.restart if self.restart is not None else max(10, problem.dimension)
        beta = 0.0 if age + 1 >= period else self._beta(fresh, gradient)
        ahead = beta * direction - fresh
        if not float(ahead @ fresh) < 0:
            beta, ahead = 0.0, -fresh
        # The first trial of the next search promises the same decrease as this step.
        before, after = float(gradient @ direction), float(fresh @ ahead)
        length = taken.length * min(10.0, before / after) if after < 0 else taken.length
        return replace(
            state,
            x=taken.x,
            local=taken.local,
            memory=(ahead, age + 1 if beta > 0 else 0),
            step_length=length,
        )

    def _beta(self, fresh: Floats, before: Floats) -> float:
        square = float(before @ before)
        if self.variant == "FR":
            return float(fresh @ fresh) / square
        return max(0.0, float(fresh @ (fresh - before)) / square)

    def _search(self, problem: Problem, state: State, direction: Floats) -> Accepted | None:
        return strong_wolfe(
            problem, state.x, state.local, direction, length=state.step_length, curvature=0.1
        )
