"""What is trained with a weighted sum of kernels: a classification, or a regression."""

from dataclasses import dataclass

from margin.core.types import Floats, Indices
from margin.optim.duals._box_dual import BoxDual
from margin.optim.duals._gram import Gram
from margin.optim.duals._machine import soft_margin, tube


@dataclass(frozen=True, eq=False)
class Duel:
    """One machine: its rows, their signs and the largest size of their coefficients."""

    rows: Indices
    sign: Floats
    bound: Floats

    def problem(self, gram: Gram, start: Floats | None) -> BoxDual:
        """The dual of this machine."""
        rows = None if len(self.rows) == gram.n else self.rows
        return soft_margin(gram, self.sign, self.bound, start, rows)


@dataclass(frozen=True, eq=False)
class Tube:
    """One regression: its rows, their numbers, largest coefficients and the half width."""

    rows: Indices
    y: Floats
    bound: Floats
    epsilon: float

    def problem(self, gram: Gram, start: Floats | None) -> BoxDual:
        """The dual of this machine."""
        return tube(gram, self.y, self.bound, self.epsilon, start)
