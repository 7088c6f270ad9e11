"""One comparison as a value: the question, the rows, who takes part, until when."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from margin.core.types import Array
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._plan import report_seconds
from margin.evaluation.race._progress import Progress
from margin.evaluation.table._problem import Problem
from margin.evaluation.table._split import Split
from margin.evaluation.table._training import Training

if TYPE_CHECKING:
    import pandas as pd

# What a fit that is needed may take at the end, as a share of the budget and at least.
_OVER, _LEAST = 0.05, 0.5


@dataclass(frozen=True)
class Clock:
    """When a comparison began and when its budget ends."""

    budget: float = math.inf
    started: float = field(default_factory=time.perf_counter)

    @property
    def limited(self) -> bool:
        """Whether there is an end at all."""
        return math.isfinite(self.budget)

    @property
    def ends(self) -> float:
        """End of the budget, as a value of :func:`time.perf_counter`."""
        return self.started + self.budget

    @property
    def report_begins(self) -> float:
        """When the answer must be there, for a report to be written in time."""
        return self.ends - (report_seconds(self.budget) if self.limited else 0.0)

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    def left(self, kept: float = 0.0) -> float:
        """Seconds until the end of the budget, less those that are kept for something else."""
        return self.ends - kept - time.perf_counter()

    @property
    def half(self) -> float:
        """Half of the seconds that are left until the report."""
        return (self.report_begins - time.perf_counter()) / 2

    @property
    def patience(self) -> float:
        """Seconds that a fit which is needed may take, hardly more than are left."""
        return max(self.ends - time.perf_counter(), _OVER * self.budget, _LEAST)


@dataclass(frozen=True)
class Run:
    """All that the steps of a comparison need to know; made once, then only read.

    ``skipped`` names the models that do not take part, with the reason; ``earlier`` is a fitted
    model from before, with its name, to hold the winner against.
    """

    problem: Problem
    split: Split
    training: Training
    entrants: tuple[Entrant, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    clock: Clock = field(default_factory=Clock)
    jobs: int | None = None
    progress: Progress = field(default_factory=Progress)
    source: str = ""
    earlier: tuple[str, Any] | None = None

    @property
    def held_out(self) -> tuple[pd.DataFrame, Array]:
        """Columns and target of the test rows."""
        return self.problem.X.iloc[self.split.test], self.problem.y[self.split.test]

    def entrant(self, name: str) -> Entrant:
        """The model of that name."""
        return next(e for e in self.entrants if e.name == name)
