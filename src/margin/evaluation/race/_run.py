"""One comparison as a value: the question, the rows, who takes part, until when."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from margin.core.types import Array
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._progress import Progress
from margin.evaluation.table._problem import Problem
from margin.evaluation.table._split import Split
from margin.evaluation.table._training import Training

if TYPE_CHECKING:
    import pandas as pd

# The rest of the budget is for refitting, testing, learning curve and importances.
_RACE_SHARE = 0.65


@dataclass(frozen=True)
class Clock:
    """When a comparison began and when each part of its budget ends."""

    budget: float = math.inf
    started: float = field(default_factory=time.perf_counter)

    @property
    def ends(self) -> float:
        """End of the budget, as a value of :func:`time.perf_counter`."""
        return self.started + self.budget

    @property
    def race_ends(self) -> float:
        """End of the part of the budget that belongs to the cross-validation."""
        return self.started + _RACE_SHARE * self.budget

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    @property
    def left_for_race(self) -> float:
        """Seconds left for the cross-validation."""
        return self.race_ends - time.perf_counter()

    @property
    def left_to_refit(self) -> float:
        """Seconds that fitting the winner again may take."""
        return (self.ends - time.perf_counter()) / 3


@dataclass(frozen=True)
class Run:
    """All that the steps of a comparison need to know; made once, then only read.

    ``skipped`` names the models that do not take part, with the reason.
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

    @property
    def held_out(self) -> tuple[pd.DataFrame, Array]:
        """Columns and target of the test rows."""
        return self.problem.X.iloc[self.split.test], self.problem.y[self.split.test]

    def entrant(self, name: str) -> Entrant:
        """The model of that name."""
        return next(e for e in self.entrants if e.name == name)
