"""Resilient propagation."""

from dataclasses import dataclass, replace

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.optim._problem import Problem
from margin.optim._solver import Solver, State


@dataclass(frozen=True)
class _Steps:
    lengths: Floats
    gradient: Floats


@dataclass(frozen=True)
class Rprop(Solver):
    r"""A step length per weight, and only the signs of the gradient (optim.12).

    .. math:: x_j \leftarrow x_j - \tau_j \operatorname{sign}(g_j), \qquad
        \tau_j \leftarrow \operatorname{clip}(\eta\, \tau_j, \tau_{\min}, \tau_{\max}),

    with :math:`\eta = \eta_+` while :math:`g_j` keeps its sign and :math:`\eta_-` otherwise.
    Multiplying the objective by a positive number changes nothing. It is meant for whole
    gradients or large batches: the signs of noisy gradients say little.

    Parameters
    ----------
    tol : float
        Largest entry of the gradient that counts as zero.
    max_iter : int
        Most steps.
    grow, shrink : float
        :math:`\eta_+ > 1` and :math:`\eta_- < 1`.
    shortest, longest : float
        Limits of every step length. From the shortest to the longest it takes 52 steps.
    first : float
        Step length at the start.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, minimise
    >>> A = np.diag([1.0, 1e4])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2)
    >>> solution = minimise(bowl, Rprop(tol=1e-2), np.ones(2))
    >>> solution.status.value, solution.n_iter < 500
    ('converged', True)
    """

    tol: float = 1e-6
    max_iter: int = 10_000
    grow: float = 1.25
    shrink: float = 0.7
    shortest: float = 1e-7
    longest: float = 1e-2
    first: float = 1e-3

    def __post_init__(self) -> None:
        check.params(self, positive="tol grow shrink shortest longest first", count="max_iter")
        if self.grow <= 1:
            raise check.fail(self, "grow", "above 1", self.grow)
        if self.shrink >= 1:
            raise check.fail(self, "shrink", "below 1", self.shrink)
        if self.longest < self.shortest:
            raise check.fail(self, "longest", f"at least shortest={self.shortest}", self.longest)

    def init(self, problem: Problem, x: Floats) -> State:
        first = float(np.clip(self.first, self.shortest, self.longest))
        return State(x, problem.expand(x), memory=_Steps(np.full_like(x, first), np.zeros_like(x)))

    def step(self, problem: Problem, state: State) -> State:
        memory: _Steps = state.memory
        gradient = state.local.gradient
        lengths = memory.lengths
        if memory.gradient.any():
            factor = np.where(gradient * memory.gradient > 0, self.grow, self.shrink)
            lengths = np.clip(lengths * factor, self.shortest, self.longest)
        x = state.x - lengths * np.sign(gradient)
        return replace(
            state,
            x=x,
            local=problem.expand(x),
            memory=_Steps(lengths, gradient),
            step_length=float(lengths.max(initial=0.0)),
        )
