"""Limited-memory BFGS."""

from dataclasses import dataclass, replace

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.optim._line_search import Accepted, strong_wolfe
from margin.optim._problem import Problem
from margin.optim._solver import Precondition, Solver, State


@dataclass(frozen=True)
class Pairs:
    """The last steps and gradient changes, newest last, with their scalar products."""

    steps: tuple[Floats, ...] = ()
    changes: tuple[Floats, ...] = ()
    inner: tuple[float, ...] = ()

    def push(self, step: Floats, change: Floats, memory: int) -> "Pairs":
        return Pairs(
            (*self.steps, step)[-memory:],
            (*self.changes, change)[-memory:],
            (*self.inner, float(step @ change))[-memory:],
        )

    def times(self, gradient: Floats, precondition: Precondition | None) -> Floats:
        """Inverse-Hessian approximation times ``gradient``, by the two-loop recursion."""
        direction = gradient.copy()
        pairs = list(zip(self.steps, self.changes, self.inner, strict=True))
        weights = []
        for step, change, inner in reversed(pairs):
            weights.append(float(step @ direction) / inner)
            direction -= weights[-1] * change
        first = precondition or np.copy
        direction = first(direction)
        if pairs:  # the newest pair tells how long the first approximation should be
            direction *= self.inner[-1] / float(self.changes[-1] @ first(self.changes[-1]))
        for (step, change, inner), weight in zip(pairs, reversed(weights), strict=True):
            direction += (weight - float(change @ direction) / inner) * step
        return direction


@dataclass(frozen=True)
class LBFGS(Solver):
    r"""Quasi-Newton steps from the last few gradient differences (optim.10).

    The inverse Hessian is approximated by ``memory`` pairs of steps :math:`s` and gradient
    changes :math:`y`; a strong Wolfe line search keeps :math:`s^\top y > 0`.

    Parameters
    ----------
    tol : float
        Largest entry of the gradient that counts as zero.
    max_iter : int
        Most steps to make.
    memory : int
        Pairs kept.
    precondition : callable, optional
        Product with a fixed approximation of the inverse Hessian, in place of the identity; only
        its direction counts after the first step, which a good one makes nearly Newton's.

    Notes
    -----
    :math:`O(\mathrm{memory} \cdot d)` per step plus one or two evaluations of the objective.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, minimise
    >>> A = np.diag([1.0, 100.0])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2)
    >>> bool(np.abs(minimise(bowl, LBFGS(), x0=np.ones(2)).x).max() < 1e-6)
    True
    """

    tol: float = 1e-6
    max_iter: int = 1000
    memory: int = 10
    precondition: Precondition | None = None

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter memory")

    def init(self, problem: Problem, x: Floats) -> State:
        return State(x, problem.expand(x), memory=Pairs())

    def step(self, problem: Problem, state: State) -> State:
        taken = self._search(problem, state)
        if taken is None and state.memory.steps:
            # A stale memory may point uphill at the edge of precision: try plain descent once.
            state = replace(state, memory=Pairs())
            taken = self._search(problem, state)
        if taken is None:
            return replace(state, stuck="the line search found no lower point")
        step = taken.x - state.x
        change = taken.local.gradient - state.local.gradient
        memory = state.memory
        if float(step @ change) > 1e-12 * float(change @ change) > 0:
            memory = memory.push(step, change, self.memory)
        return State(taken.x, taken.local, memory, taken.length, "", state.repairs)

    def _search(self, problem: Problem, state: State) -> Accepted | None:
        gradient = state.local.gradient
        direction = -state.memory.times(gradient, self.precondition)
        blind = self.precondition is None and not state.memory.steps
        # Nothing is known yet: the first trial moves by one unit, the search finds its length.
        length = 1.0 / float(np.linalg.norm(gradient)) if blind else 1.0
        return strong_wolfe(problem, state.x, state.local, direction, length=length)
