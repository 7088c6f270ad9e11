"""Nesterov's accelerated gradient."""

from dataclasses import dataclass, replace

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.optim._problem import Expansion, Problem
from margin.optim._solver import Solver, State
from margin.optim.steppers._heavy_ball import trial_length


@dataclass(frozen=True)
class _Pace:
    """Last point and the counter from which the momentum follows."""

    before: Floats
    t: float = 1.0


@dataclass(frozen=True)
class Nesterov(Solver):
    r"""Whole gradients at a point ahead, with restarts.

    .. math:: v = x_k + \tfrac{t_k - 1}{t_{k+1}} (x_k - x_{k-1}), \quad
        x_{k+1} = v - \tau \nabla f(v), \quad t_{k+1} = \tfrac12 (1 + \sqrt{1 + 4 t_k^2}).

    :math:`\tau` is halved until :math:`f(x_{k+1}) \le f(v) - \tfrac\tau2 \|\nabla f(v)\|^2`. A
    step that would raise the objective drops the momentum and is made again, so the trace never
    rises; the error falls as :math:`1/k^2`, and linearly on strongly convex objectives.

    Parameters
    ----------
    tol : float
        Largest entry of the gradient that counts as zero.
    max_iter : int
        Most steps.
    step_length : float, optional
        A fixed :math:`\tau`, in place of backtracking.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, GradientDescent, minimise
    >>> A = np.diag([1.0, 1000.0])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2)
    >>> plain = minimise(bowl, GradientDescent(step_length=1e-3), np.ones(2)).n_iter
    >>> minimise(bowl, Nesterov(), np.ones(2)).n_iter < plain / 10
    True
    """

    tol: float = 1e-6
    max_iter: int = 10_000
    step_length: float | None = None

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")
        if self.step_length is not None:
            check.params(self, positive="step_length")

    def init(self, problem: Problem, x: Floats) -> State:
        local = problem.expand(x)
        length = self.step_length or trial_length(problem, x, local)
        return State(x, local, memory=_Pace(x), step_length=length)

    def step(self, problem: Problem, state: State) -> State:
        pace: _Pace = state.memory
        t = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * pace.t**2))
        push = (pace.t - 1.0) / t
        if push > 0:
            ahead = state.x + push * (state.x - pace.before)
            taken = self._descend(problem, ahead, problem.expand(ahead), state.step_length)
            if taken is not None and taken[1].value <= state.local.value:
                x, local, length = taken
                memory = _Pace(state.x, t)
                return replace(state, x=x, local=local, memory=memory, step_length=length)
        taken = self._descend(problem, state.x, state.local, state.step_length)
        if taken is None:
            return replace(state, stuck="no step lowers the objective")
        x, local, length = taken
        memory = _Pace(state.x, 0.5 * (1.0 + np.sqrt(5.0)))
        return replace(state, x=x, local=local, memory=memory, step_length=length)

    def _descend(
        self, problem: Problem, at: Floats, local: Expansion, length: float
    ) -> tuple[Floats, Expansion, float] | None:
        if not np.isfinite(local.value):
            return None
        square = float(local.gradient @ local.gradient)
        rounding = 1e-14 * abs(local.value)
        for _ in range(100):
            moved = at - length * local.gradient
            there = problem.expand(moved)
            if self.step_length is not None:
                return moved, there, length
            if there.value <= local.value - 0.5 * length * square + rounding:
                return moved, there, length
            length *= 0.5
        return None
