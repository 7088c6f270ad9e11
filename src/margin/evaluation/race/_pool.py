"""Where turns are run: in this process, or in worker processes once that is worth it."""

from __future__ import annotations

import itertools
import math
import os
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import joblib
from threadpoolctl import threadpool_limits

from margin.core import memory
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import Outcome, evaluate
from margin.evaluation.race._interrupts import deaf_to_interrupts, ignore_interrupts
from margin.evaluation.race._prepared import PreparedFold
from margin.evaluation.table._metric import Metric

# Starting workers costs a few seconds: not worth it for less work than this.
_WORTH_WORKERS = 6.0

# What a worker takes with the libraries it imports and a fit of a usual table.
_WORKER_BYTES = 500 * 2**20

# Calls that joblib's own thread has not taken yet break it when they are dropped.
_TAKEN_AFTER = 0.25


@dataclass(frozen=True)
class Turn:
    """One model on one fold, with a limit of seconds and an end by the clock."""

    entrant: Entrant
    fold: PreparedFold
    seconds: float = math.inf
    ends: float = math.inf

    def run(self, metric: Metric) -> Outcome:
        """What became of it."""
        # The clock of `perf_counter` is one for all processes of a machine.
        left = self.ends - time.perf_counter()
        if left <= 0:
            return Outcome(self.entrant.name, self.fold.number, stopped=True)
        return evaluate(self.fold, self.entrant, metric, min(self.seconds, left))


def workers(jobs: int | None) -> int:
    """Worker processes for ``jobs``; when left open one for each core, as far as memory goes."""
    if jobs is not None:
        return int(joblib.effective_n_jobs(jobs))
    room = memory.available()
    cores = int(joblib.cpu_count())
    return cores if room is None else max(1, min(cores, room // _WORKER_BYTES))


class Pool:
    """Runs turns; their outcomes come in the order of the turns and do not depend on where.

    Parameters
    ----------
    jobs : int or None
        Worker processes; ``None`` for this process until the work proves large.
    metric : Metric
        By which the models are scored.
    """

    def __init__(self, jobs: int | None, metric: Metric) -> None:
        # Turns that can run at the same time; memory that is free changes, the number does not.
        self.size = workers(jobs)
        self._jobs = jobs
        self._metric = metric
        self._spent = 0.0
        self._starter: joblib.Parallel | None = None
        self._starting: Iterator[Any] = iter(())
        self._began = -math.inf

    def prepare(self, entrants: Iterable[Entrant], ahead: float) -> None:
        """Let workers start in the background, if so many seconds of work are worth it."""
        if self._starter is None and self.size > 1 and ahead >= _WORTH_WORKERS:
            with deaf_to_interrupts():
                self._starter = joblib.Parallel(self.size, return_as="generator", batch_size=1)
                calls = [joblib.delayed(_ready)(tuple(entrants))] * self.size
                self._starting = self._starter(calls)
                self._began = time.perf_counter()

    def close(self) -> None:
        """Wait no longer for workers that nobody needed."""
        close = getattr(self._starting, "close", None)
        if close is not None:
            time.sleep(max(0.0, self._began + _TAKEN_AFTER - time.perf_counter()))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                close()

    def outcomes(self, turns: Iterable[Turn], ahead: float) -> Iterator[Outcome]:
        """Outcomes of the turns; they run in this process as long as workers are not ready.

        Parameters
        ----------
        turns : iterable of Turn
            Asked for one by one, little before each is begun.
        ahead : float
            Seconds of work that is expected from now on.
        """
        turns = iter(turns)
        large = self._jobs is not None or max(ahead, self._spent) >= _WORTH_WORKERS
        if large and self.size > 1 and self._starter is None:
            first = next(turns, None)
            if first is None:
                return
            self.prepare([first.entrant], _WORTH_WORKERS)
            turns = itertools.chain([first], turns)
        while not self._workers_ready:
            turn = next(turns, None)
            if turn is None:
                return
            yield from self.outcomes_here([turn])
        yield from self._in_workers(turns)

    @property
    def _workers_ready(self) -> bool:
        started = self._starter
        return started is not None and started.n_completed_tasks >= self.size

    def outcomes_here(self, turns: Iterable[Turn]) -> Iterator[Outcome]:
        """Outcomes of turns that are run in this process."""
        for turn in turns:
            started = time.perf_counter()
            outcome = turn.run(self._metric)
            self._spent += time.perf_counter() - started
            yield outcome

    def _in_workers(self, turns: Iterable[Turn]) -> Iterator[Outcome]:
        parallel = joblib.Parallel(
            n_jobs=self.size, return_as="generator", pre_dispatch="1.5*n_jobs", batch_size=1
        )
        list(self._starting)
        home = os.getpid()
        with deaf_to_interrupts():
            outcomes = parallel(joblib.delayed(_remote)(home, turn, self._metric) for turn in turns)
        try:
            yield from outcomes
        finally:
            outcomes.close()


def _ready(entrants: tuple[Entrant, ...]) -> None:
    """Nothing; the models have been imported to get here."""


def _remote(home: int, turn: Turn, metric: Metric) -> Outcome:
    # Ctrl-C reaches the whole process group; only the parent decides what it means.
    if os.getpid() != home:
        ignore_interrupts()
    with threadpool_limits(1):
        return turn.run(metric)
