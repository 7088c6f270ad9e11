"""Newton's method."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.linalg import cholesky
from margin.optim._line_search import armijo
from margin.optim._problem import Problem
from margin.optim._solver import Solver, State


@dataclass(frozen=True)
class Newton(Solver):
    r"""Steps :math:`x \leftarrow x - t H(x)^{-1} \nabla f(x)` with backtracking (optim.09).

    One step minimises a quadratic; near a minimum the number of correct digits doubles per step.
    The Hessian is factored by Cholesky; a matrix that is not positive definite gets the least
    jitter that makes it so, and the repair is recorded.

    Parameters
    ----------
    tol : float
        Largest entry of the gradient that counts as zero.
    max_iter : int
        Most steps to make.

    Notes
    -----
    :math:`O(d^3)` per step for the factorisation, plus the cost of the Hessian.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, minimise
    >>> A = np.diag([1.0, 10.0])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2, hessian=lambda x: A)
    >>> minimise(bowl, Newton(), x0=np.ones(2)).n_iter
    1
    """

    tol: float = 1e-8
    max_iter: int = 100
    requires: ClassVar[frozenset[str]] = frozenset({"gradient", "hessian"})

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")

    def init(self, problem: Problem, x: NDArray[np.float64]) -> State:
        return State(x, problem.expand(x, second_order=True))

    def step(self, problem: Problem, state: State) -> State:
        direction = None if state.local.newton is None else state.local.newton()
        if direction is None:
            assert state.local.hessian is not None
            factor = cholesky(state.local.hessian(), name="Hessian")
            if factor.repair:
                state = replace(state, repairs=(*state.repairs, factor.repair))
            direction = -factor.solve(state.local.gradient)
        taken = armijo(problem, state.x, state.local, direction, second_order=True)
        if taken is None:
            return replace(state, stuck="the line search found no lower point")
        return State(taken.x, taken.local, state.memory, taken.length, "", state.repairs)
