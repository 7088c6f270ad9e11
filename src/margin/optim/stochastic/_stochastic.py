"""What stochastic solvers share: one step of the driver is one epoch over the rows."""

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.optim._problem import Problem
from margin.optim._solver import Solver, State
from margin.optim.stochastic._row_sum import RowSum


@dataclass(frozen=True)
class Progress:
    """Where a stochastic solver stands between two epochs.

    Parameters
    ----------
    w : ndarray
        Last iterate, the intercept at its end.
    mean : ndarray or None
        Average of the iterates, where one is kept.
    taken, epochs : int
        Steps and epochs made.
    damping : float
        Factor of all rates, lowered when learning stalls.
    arrays : tuple of ndarray
        What else the method remembers.
    best, idle : float and int
        Lowest objective seen and the epochs since, for schedules that wait for a stall.
    rates : ndarray or None
        Lengths of the steps to come, before damping, as far as they are known.
    """

    w: Floats
    mean: Floats | None = None
    taken: int = 0
    epochs: int = 0
    damping: float = 1.0
    arrays: tuple[Floats, ...] = field(default=())
    best: float = np.inf
    idle: int = 0
    rates: Floats | None = None

    @property
    def point(self) -> Floats:
        """The answer so far: the average where one is kept, else the last iterate."""
        return self.w if self.mean is None else self.mean


@dataclass(frozen=True)
class StochasticSolver(Solver):
    """A method that reads one row, or a few, per step; an iteration of the driver is an epoch.

    Run by :func:`margin.optim.minimise`, which evaluates the whole objective after every epoch:
    converged means that its gradient is below ``tol``. The rows of an epoch are visited once each
    (:class:`SAG` draws them), in an order that depends on ``seed`` and the number of the epoch
    only.

    Attributes
    ----------
    patience : int
        Epochs without a lower objective that count as a stall.
    """

    requires: ClassVar[frozenset[str]] = frozenset({"rows"})
    patience: ClassVar[int] = 5

    @abstractmethod
    def begin(self, rows: RowSum, x: Floats) -> Progress:
        """Progress before the first epoch."""

    @abstractmethod
    def epoch(self, rows: RowSum, progress: Progress) -> Progress:
        """Progress after one more epoch; nothing is written to."""

    def stall_factor(self) -> float:
        """What rates are multiplied by on a stall."""
        return 1.0

    def init(self, problem: Problem, x: Floats) -> State:
        rows = RowSum.of(problem, type(self).__name__)
        progress = self.begin(rows, x)  # refuses what it cannot do, before any work
        return State(x, problem.expand(x), memory=(rows, progress))

    def step(self, problem: Problem, state: State) -> State:
        rows, progress = state.memory
        progress = self.epoch(rows, progress)
        x = rows.trim(progress.point)
        local = problem.expand(x)
        progress = self.after(progress, local.value)
        return replace(
            state, x=x, local=local, memory=(rows, progress), step_length=progress.damping
        )

    def after(self, progress: Progress, objective: float) -> Progress:
        """Book-keeping of stalls, given the objective at the end of the epoch."""
        if objective < progress.best:
            return replace(progress, best=objective, idle=0)
        idle = progress.idle + 1
        if idle < self.patience:
            return replace(progress, idle=idle)
        # The lowest value so far may be luck of a noisy rate: a lower rate starts afresh.
        damping = progress.damping * self.stall_factor()
        return replace(progress, best=objective, idle=0, damping=damping)


def check_seed(solver: Any) -> None:
    """Refuse a seed that is no integer of at least 0."""
    seed = solver.seed
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise check.fail(solver, "seed", "an integer of at least 0", seed)
