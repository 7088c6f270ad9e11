"""The contract of a solver."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from margin.core.types import Floats
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

    @abstractmethod
    def init(self, problem: Problem, x: Floats) -> State:
        """State at the starting point."""

    @abstractmethod
    def step(self, problem: Problem, state: State) -> State:
        """State after one step; ``stuck`` is set when no step improves the objective."""
