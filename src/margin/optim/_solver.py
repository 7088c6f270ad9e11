"""The contract of a solver."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core import Solution, check
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim._linear_problem import LinearProblem
from margin.optim._problem import Expansion, Problem

Precondition = Callable[[Floats], Floats]


@dataclass(frozen=True)
class State:
    """Where a solver stands.

    Parameters
    ----------
    x : ndarray
        Current point.
    local : Expansion
        The objective there.
    memory : Any
        Whatever the solver carries from step to step.
    step_length : float
        Length factor of the last step along its direction.
    stuck : str
        Why no step could be made, empty otherwise.
    repairs : tuple of str
        Mends so far.
    """

    x: Floats
    local: Expansion
    memory: Any = None
    step_length: float = 0.0
    stuck: str = ""
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Solver(ABC):
    """A method of minimisation, as an immutable value.

    A subclass is a frozen dataclass in a file of its own. It makes one step at a time; the loop,
    the stopping rules, the trace, the progress callback and interruptions are the driver's
    (:func:`margin.optim.minimise`).

    Attributes
    ----------
    requires : frozenset of str
        What the problem must provide (see :class:`Problem`).
    """

    tol: float
    max_iter: int
    requires: ClassVar[frozenset[str]] = frozenset({"gradient"})

    @property
    def kind(self) -> str:
        """What is compared with ``tol``."""
        return "gradient norm"

    def measured(self, state: State, norm: float) -> float:
        """The certificate at a state, whose largest entry of the gradient is ``norm``."""
        return norm

    @abstractmethod
    def init(self, problem: Problem, x: Floats) -> State:
        """State at the starting point."""

    @abstractmethod
    def step(self, problem: Problem, state: State) -> State:
        """State after one step; ``stuck`` is set when no step improves the objective."""


class DirectSolver(ABC):
    """A method that is not made of steps on one point: it runs a whole search by itself.

    A subclass is a frozen dataclass too; it states its search as a generator for
    :func:`margin.core.iterate`.

    Attributes
    ----------
    requires : frozenset of str
        What the problem must provide (see :class:`Problem`).
    """

    requires: ClassVar[frozenset[str]]

    @abstractmethod
    def run(
        self,
        problem: Problem,
        x0: Floats | None = None,
        callback: Callback | None = None,
        trace: bool = False,
    ) -> Solution:
        """Minimise from ``x0`` (zeros by default); with ``trace`` also keep the iterates."""


def accept(solver: Solver | DirectSolver, problem: Any) -> Problem:
    """The problem, unless it lacks what the solver needs: refused before any work."""
    known = stated(problem)
    lacking = solver.requires - known.provides
    if lacking:
        raise ValueError(
            f"{type(solver).__name__}: problem must provide {', '.join(sorted(lacking))}, "
            f"got {type(known).__name__} with "
            f"{', '.join(sorted(known.provides)) or 'nothing'}"
        )
    return known


def stated(problem: Any) -> Problem:
    """The problem, if it is one."""
    if isinstance(problem, Problem):
        return problem
    need = "a Problem (optim.Function makes one of plain functions)"
    raise check.fail("minimise", "problem", need, problem)


def one_output(solver: object, problem: Problem) -> LinearProblem:
    """The problem as a linear model with one column of coefficients, or words on what it is.

    Several targets or classes couple nothing but what their penalty ties: solvers of
    :class:`Problem` take them, those that work on rows or columns of one score do not.
    """
    if not isinstance(problem, LinearProblem):
        raise check.fail(solver, "problem", "a LinearProblem", type(problem).__name__)
    if problem.n_outputs != 1:
        need = "a LinearProblem of one output (LBFGS, NewtonCG and ProximalGradient take several)"
        kind = "classes" if problem.loss.form == "classes" else "targets"
        raise check.fail(solver, "problem", need, f"{problem.n_outputs} {kind}")
    return problem


def starting_point(owner: object, problem: Problem, x0: Any) -> Floats:
    """A copy of ``x0``, zeros if absent; refused if it has the wrong shape or is not finite."""
    if x0 is None:
        return np.zeros(problem.dimension)
    try:
        x = np.array(x0, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, "x0", "numbers", x0) from error
    if x.shape != (problem.dimension,):
        raise check.fail(owner, "x0", f"of shape ({problem.dimension},)", x.shape)
    return x
