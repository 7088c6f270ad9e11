"""BFGS with a full matrix."""

from dataclasses import dataclass, replace

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.optim._line_search import Accepted, strong_wolfe
from margin.optim._problem import Problem
from margin.optim._solver import Solver, State


@dataclass(frozen=True)
class BFGS(Solver):
    r"""Quasi-Newton steps with a dense approximation of the inverse Hessian (optim.10).

    .. math:: B \leftarrow (I - \rho s y^\top)\, B\, (I - \rho y s^\top) + \rho s s^\top,
        \qquad \rho = 1 / s^\top y,

    for the step :math:`s` and the change of gradient :math:`y`; a strong Wolfe search keeps
    :math:`s^\top y > 0`, so :math:`B` stays positive definite. All curvature ever seen is kept:
    fewer steps than :class:`LBFGS` for the price of a matrix.

    Parameters
    ----------
    tol : float
        Largest entry of the gradient that counts as zero.
    max_iter : int
        Most steps to make.

    Notes
    -----
    :math:`O(d^2)` time per step and memory.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, minimise
    >>> A = np.diag([1.0, 100.0])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2)
    >>> bool(np.abs(minimise(bowl, BFGS(), x0=np.ones(2)).x).max() < 1e-6)
    True
    """

    tol: float = 1e-6
    max_iter: int = 1000

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")

    def init(self, problem: Problem, x: Floats) -> State:
        return State(x, problem.expand(x))

    def step(self, problem: Problem, state: State) -> State:
        taken = self._search(problem, state)
        if taken is None and state.memory is not None:
            # At the edge of precision an old matrix may point uphill: forget it once.
            state = replace(state, memory=None)
            taken = self._search(problem, state)
        if taken is None:
            return replace(state, stuck="the line search found no lower point")
        inverse = _updated(
            state.memory, taken.x - state.x, taken.local.gradient - state.local.gradient
        )
        return replace(
            state, x=taken.x, local=taken.local, memory=inverse, step_length=taken.length
        )

    def _search(self, problem: Problem, state: State) -> Accepted | None:
        gradient = state.local.gradient
        if state.memory is None:
            length = 1.0 / float(np.linalg.norm(gradient))
            return strong_wolfe(problem, state.x, state.local, -gradient, length=length)
        return strong_wolfe(problem, state.x, state.local, -(state.memory @ gradient))


def _updated(inverse: Floats | None, step: Floats, change: Floats) -> Floats | None:
    """The approximation after one more pair; as it was when the pair shows no curvature."""
    inner, square = float(step @ change), float(change @ change)
    if not inner > 1e-12 * square > 0:
        return inverse
    if inverse is None:
        inverse = inner / square * np.eye(len(step))
    image = inverse @ change
    cross = np.outer(image, step) / inner
    scale = (1.0 + float(change @ image) / inner) / inner
    return np.asarray(inverse - cross - cross.T + scale * np.outer(step, step))
