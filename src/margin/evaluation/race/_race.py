"""All models over all folds, round by round, until the folds or the time run out."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import joblib
from threadpoolctl import threadpool_limits

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import Outcome, evaluate
from margin.evaluation.table._prepared import Arena, forget

# Starting workers costs a few seconds: not worth it for less work than this.
_WORTH_WORKERS = 6.0


class Progress:
    """Calls the methods that a progress object has; silent about those it has not.

    Parameters
    ----------
    listener : object or None
        May have ``start(models, n_folds)``, ``update(model, fold, score, seconds)``,
        ``phase(text)`` and ``finish()``.
    """

    def __init__(self, listener: Any = None) -> None:
        self._listener = listener

    def __getattr__(self, name: str) -> Any:
        return getattr(self._listener, name, _nothing)


def _nothing(*args: Any) -> None:
    """Do nothing, for a progress object without that method."""


@dataclass
class Race:
    """Outcomes so far and why it ended."""

    outcomes: list[Outcome] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False
    out_of_time: bool = False

    def longest(self, name: str) -> float:
        """Seconds of the longest fold of a model so far."""
        return max((o.seconds for o in self.outcomes if o.model == name), default=0.0)

    def record(self, outcome: Outcome, progress: Progress) -> None:
        """Keep an outcome; a model that failed starts no further fold."""
        self.outcomes.append(outcome)
        if outcome.error:
            self.failed.setdefault(outcome.model, outcome.error)
        progress.update(outcome.model, outcome.fold, outcome.score, outcome.seconds)


def race(
    arena: Arena,
    field_: list[Entrant],
    *,
    deadline: float,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Race:
    """Run every model on every fold, fold by fold, so that all have seen about the same folds.

    Runs in ``jobs`` worker processes; when that is left open, here until the work ahead proves
    large. Scores do not depend on ``jobs``.

    Parameters
    ----------
    arena : Arena
        Data and folds.
    field_ : list of Entrant
        Models, in the order in which each fold is run.
    deadline : float
        Value of :func:`time.perf_counter` after which no further fit is started.
    jobs : int or None
        Worker processes, counted as by joblib; ``None`` decides by the expected time, or by that
        of the first fold.
    progress : Progress, optional
        Told of every outcome.
    """
    progress = progress or Progress()
    found = Race()
    everything = range(len(arena.folds))
    expected = sum(e.seconds for e in field_) * len(everything)
    # One thread per fit, here and in the workers: the same sums in the same order everywhere.
    with _watched_interrupts() as interrupted, threadpool_limits(1):
        try:
            started = time.perf_counter()
            alone = 1 if jobs is None and expected < _WORTH_WORKERS else 0
            _here(arena, field_, everything[:alone], found, deadline, interrupted, progress)
            rest = everything[alone:]
            ahead = max(expected, (time.perf_counter() - started) * len(rest))
            n_jobs = 1 if jobs is None and ahead < _WORTH_WORKERS else workers(jobs)
            if n_jobs == 1 or not rest:
                _here(arena, field_, rest, found, deadline, interrupted, progress)
            else:
                _workers(arena, field_, rest, found, deadline, n_jobs, progress)
        except KeyboardInterrupt:
            found.interrupted = True
        finally:
            forget()
        found.interrupted |= interrupted.is_set()
    return found


def workers(jobs: int | None) -> int:
    """Worker processes for ``jobs``; up to eight cores when left open."""
    if jobs is None:
        return int(min(joblib.cpu_count(only_physical_cores=True), 8))
    return int(joblib.effective_n_jobs(jobs))


def _turns(
    field_: list[Entrant], folds: range, found: Race, deadline: float
) -> Iterator[tuple[Entrant, int]]:
    for fold in folds:
        for entrant in field_:
            # Baselines take no time, and without them there is nothing to report.
            if (fold or not entrant.is_baseline) and _too_late(found, entrant, fold, deadline):
                found.out_of_time = True
                return
            if entrant.name not in found.failed:
                yield entrant, fold


def _too_late(found: Race, entrant: Entrant, fold: int, deadline: float) -> bool:
    """Whether a turn would end well after the deadline; the first of a model need only begin."""
    lasts = found.longest(entrant.name) / 2 if fold else 0.0
    return time.perf_counter() + lasts >= deadline


def _here(
    arena: Arena,
    field_: list[Entrant],
    folds: range,
    found: Race,
    deadline: float,
    interrupted: threading.Event,
    progress: Progress,
) -> None:
    for entrant, fold in _turns(field_, folds, found, deadline):
        outcome = evaluate(arena, entrant, fold)
        # An engine may answer Ctrl-C with its best so far: that fold is not a fair one.
        if interrupted.is_set():
            raise KeyboardInterrupt
        found.record(outcome, progress)


def _workers(
    arena: Arena,
    field_: list[Entrant],
    folds: range,
    found: Race,
    deadline: float,
    n_jobs: int,
    progress: Progress,
) -> None:
    parallel = joblib.Parallel(
        n_jobs=n_jobs, return_as="generator", pre_dispatch="1.5*n_jobs", batch_size=1
    )
    turns = _turns(field_, folds, found, deadline)
    home = os.getpid()
    with _deaf_to_interrupts():
        outcomes = parallel(
            joblib.delayed(_remote)(home, arena, entrant, fold) for entrant, fold in turns
        )
    try:
        for outcome in outcomes:
            found.record(outcome, progress)
    finally:
        outcomes.close()


def _remote(home: int, arena: Arena, entrant: Entrant, fold: int) -> Outcome:
    # Ctrl-C reaches the whole process group; only the parent decides what it means.
    if os.getpid() != home and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with threadpool_limits(1):
        return evaluate(arena, entrant, fold)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Workers started meanwhile ignore Ctrl-C from their first instruction on."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _watched_interrupts() -> Iterator[threading.Event]:
    """Remember Ctrl-C even when an engine catches it to return its best so far."""
    seen = threading.Event()
    default = signal.getsignal(signal.SIGINT)
    if (
        threading.current_thread() is not threading.main_thread()
        or default is not signal.default_int_handler
    ):
        yield seen
        return

    def note(number: int, frame: Any) -> None:
        seen.set()
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, default)
