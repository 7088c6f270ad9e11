"""All models over all folds, round by round, until the folds or the time run out."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import joblib
from threadpoolctl import threadpool_limits

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import Outcome, evaluate
from margin.evaluation.race._interrupts import (
    deaf_to_interrupts,
    ignore_interrupts,
    watched_interrupts,
)
from margin.evaluation.race._prepared import PreparedFold, prepare
from margin.evaluation.race._run import Run
from margin.evaluation.table._metric import Metric

# Starting workers costs a few seconds: not worth it for less work than this.
_WORTH_WORKERS = 6.0


@dataclass(frozen=True)
class Race:
    """Outcomes of all turns, the models that failed, and why it ended."""

    outcomes: tuple[Outcome, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    interrupted: bool = False
    out_of_time: bool = False

    def longest(self, name: str) -> float:
        """Seconds of the longest fold of a model."""
        return _longest(self.outcomes, name)


def race(run: Run) -> Race:
    """Run every model on every fold, fold by fold, so that all have seen about the same folds.

    Runs in ``run.jobs`` worker processes; when that is left open, here until the work ahead
    proves large (by the expected time, or by that of the first fold). Scores do not depend on
    it. No fit is started after ``run.clock.race_ends``, and ``run.progress`` is told of every
    outcome.
    """
    course = _Course(run)
    everything = range(len(run.training.folds))
    expected = sum(e.seconds for e in run.entrants) * len(everything)
    # One thread per fit, here and in the workers: the same sums in the same order everywhere.
    with watched_interrupts() as interrupted, threadpool_limits(1):
        try:
            started = time.perf_counter()
            alone = 1 if run.jobs is None and expected < _WORTH_WORKERS else 0
            for outcome in course.here(everything[:alone]):
                course.record(outcome, interrupted.is_set())
            rest = everything[alone:]
            ahead = max(expected, (time.perf_counter() - started) * len(rest))
            n_jobs = 1 if run.jobs is None and ahead < _WORTH_WORKERS else workers(run.jobs)
            if n_jobs == 1 or not rest:
                for outcome in course.here(rest):
                    course.record(outcome, interrupted.is_set())
            else:
                for outcome in course.in_workers(rest, n_jobs):
                    course.record(outcome, False)
        except KeyboardInterrupt:
            interrupted.set()
        return course.result(interrupted=interrupted.is_set())


def workers(jobs: int | None) -> int:
    """Worker processes for ``jobs``; up to eight cores when left open."""
    if jobs is None:
        return int(min(joblib.cpu_count(only_physical_cores=True), 8))
    return int(joblib.effective_n_jobs(jobs))


class _Course:
    """The race while it lasts: whose turn it is, and what came of the turns so far."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._tuned = any(len(e.settings(0)) > 1 for e in run.entrants)
        self._outcomes: list[Outcome] = []
        self._failed: dict[str, str] = {}
        self._out_of_time = False

    def here(self, folds: range) -> Iterator[Outcome]:
        """Outcomes of the folds, one after the other in this process."""
        for entrant, fold in self._turns(folds):
            yield evaluate(fold, entrant, self._run.training.metric)

    def in_workers(self, folds: range, n_jobs: int) -> Iterator[Outcome]:
        """Outcomes of the folds from worker processes, in the order of the turns."""
        parallel = joblib.Parallel(
            n_jobs=n_jobs, return_as="generator", pre_dispatch="1.5*n_jobs", batch_size=1
        )
        home, metric = os.getpid(), self._run.training.metric
        with deaf_to_interrupts():
            outcomes = parallel(
                joblib.delayed(_remote)(home, fold, entrant, metric)
                for entrant, fold in self._turns(folds)
            )
        try:
            yield from outcomes
        finally:
            outcomes.close()

    def record(self, outcome: Outcome, interrupted: bool) -> None:
        """Keep an outcome; a model that failed starts no further fold."""
        # An engine may answer Ctrl-C with its best so far: that fold is not a fair one.
        if interrupted:
            raise KeyboardInterrupt
        self._outcomes.append(outcome)
        if outcome.error:
            self._failed.setdefault(outcome.model, outcome.error)
        self._run.progress.update(outcome.model, outcome.fold, outcome.score, outcome.seconds)

    def result(self, *, interrupted: bool) -> Race:
        """What the race came to."""
        return Race(tuple(self._outcomes), dict(self._failed), interrupted, self._out_of_time)

    def _turns(self, folds: range) -> Iterator[tuple[Entrant, PreparedFold]]:
        """Models and folds in their order; the matrices of a fold are made once for all models."""
        for number in folds:
            fold: PreparedFold | None = None
            for entrant in self._run.entrants:
                # Baselines take no time, and without them there is nothing to report.
                if (number or not entrant.is_baseline) and self._too_late(entrant, number):
                    self._out_of_time = True
                    return
                if entrant.name not in self._failed:
                    fold = fold or prepare(self._run.training, number, tuned=self._tuned)
                    yield entrant, fold

    def _too_late(self, entrant: Entrant, number: int) -> bool:
        """Whether a turn would end well after the deadline; a model's first need only begin."""
        lasts = _longest(self._outcomes, entrant.name) / 2 if number else 0.0
        return time.perf_counter() + lasts >= self._run.clock.race_ends


def _longest(outcomes: list[Outcome] | tuple[Outcome, ...], name: str) -> float:
    return max((o.seconds for o in outcomes if o.model == name), default=0.0)


def _remote(home: int, fold: PreparedFold, entrant: Entrant, metric: Metric) -> Outcome:
    # Ctrl-C reaches the whole process group; only the parent decides what it means.
    if os.getpid() != home:
        ignore_interrupts()
    with threadpool_limits(1):
        return evaluate(fold, entrant, metric)
