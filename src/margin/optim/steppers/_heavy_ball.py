"""Gradient descent with momentum."""

from dataclasses import dataclass, replace

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.optim._problem import Expansion, Problem
from margin.optim._solver import Solver, State


@dataclass(frozen=True)
class HeavyBall(Solver):
    r"""Whole gradients with momentum (optim.06).

    .. math:: x_{t+1} = x_t - \tau \nabla f(x_t) + \mu (x_t - x_{t-1}).

    Parameters
    ----------
    tol : float
        Largest entry of the gradient that counts as zero.
    max_iter : int
        Most steps.
    step_length : float, optional
        :math:`\tau`; by default the inverse of a running estimate of the largest curvature. On a
        quadratic of largest curvature :math:`L` it converges below :math:`2 (1 + \mu) / L`.
    momentum : float
        :math:`\mu`, at least 0 and below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, GradientDescent, minimise
    >>> A = np.diag([1.0, 100.0])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2)
    >>> plain = minimise(bowl, GradientDescent(step_length=0.01), np.ones(2)).n_iter
    >>> minimise(bowl, HeavyBall(step_length=0.01), np.ones(2)).n_iter < plain / 3
    True
    """

    tol: float = 1e-6
    max_iter: int = 10_000
    step_length: float | None = None
    momentum: float = 0.9

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter", fraction="momentum")
        if self.momentum == 1:
            raise check.fail(self, "momentum", "below 1", self.momentum)
        if self.step_length is not None:
            check.params(self, positive="step_length")

    def init(self, problem: Problem, x: Floats) -> State:
        local = problem.expand(x)
        length = self.step_length or trial_length(problem, x, local)
        return State(x, local, memory=np.zeros_like(x), step_length=length)

    def step(self, problem: Problem, state: State) -> State:
        length = state.step_length
        velocity = self.momentum * state.memory - length * state.local.gradient
        moved = state.x + velocity
        local = problem.expand(moved)
        if self.step_length is None:
            length = shorter_length(state.x, state.local, moved, local, length)
            if not np.isfinite(local.value):
                return self._brake(problem, state, length)
        return replace(state, x=moved, local=local, memory=velocity, step_length=length)

    def _brake(self, problem: Problem, state: State, length: float) -> State:
        """Drop a velocity that leads where the objective is not finite, and step from rest."""
        for _ in range(60):
            velocity = -length * state.local.gradient
            moved = state.x + velocity
            local = problem.expand(moved)
            if np.isfinite(local.value) and local.value <= state.local.value:
                return replace(state, x=moved, local=local, memory=velocity, step_length=length)
            length *= 0.5
        return replace(state, stuck="no step lowers the objective")


def trial_length(problem: Problem, x: Floats, local: Expansion) -> float:
    """Inverse of the curvature met along the gradient, a lower estimate of the largest one."""
    size = float(np.linalg.norm(local.gradient))
    if not np.isfinite(size) or size == 0:
        return 1.0
    reach = 1e-4 * max(1.0, float(np.linalg.norm(x))) / size
    for _ in range(30):
        moved = x - reach * local.gradient
        change = problem.expand(moved).gradient - local.gradient
        bend = float(np.linalg.norm(change)) / (reach * size)
        if np.isfinite(bend):
            return 1.0 / bend if bend > 0 else 1.0
        reach *= 0.1
    return 1.0


def shorter_length(
    x: Floats, local: Expansion, moved: Floats, there: Expansion, length: float
) -> float:
    """Step length no longer than the inverse of the curvature met on the way."""
    step = moved - x
    size = float(np.linalg.norm(step))
    bend = float(np.linalg.norm(there.gradient - local.gradient))
    if not np.isfinite(bend):
        return 0.1 * length
    return min(length, size / bend) if bend > 0 else length
