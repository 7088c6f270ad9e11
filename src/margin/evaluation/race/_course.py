"""The race while it lasts: turns are run, their outcomes kept, those who cannot go on leave."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from margin.evaluation.race import _plan
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import Outcome
from margin.evaluation.race._pool import Pool, Turn
from margin.evaluation.race._prepared import PreparedFold, prepare
from margin.evaluation.race._run import Run
from margin.evaluation.race._scoreboard import Scoreboard
from margin.evaluation.table._folds import one_repeat

# Folds that are kept as matrices: a round hardly needs more than the last two.
_KEPT_FOLDS = 2


@dataclass(frozen=True)
class Race:
    """Outcomes of all turns, the models that failed, left or were stopped, and why it ended.

    ``left`` holds the models that were sent home, ``waiting`` those that wanted more folds when the
    time was up, ``stopped`` those of which a fit reached its limit, ``entrants`` all models as they
    ran, tuned as far as the time went.
    """

    outcomes: tuple[Outcome, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    interrupted: bool = False
    out_of_time: bool = False
    left: Mapping[str, str] = field(default_factory=dict)
    stopped: Mapping[str, str] = field(default_factory=dict)
    entrants: tuple[Entrant, ...] = ()
    waiting: Mapping[str, str] = field(default_factory=dict)

    def longest(self, name: str) -> float:
        """Seconds of the longest fold of a model."""
        return max((o.seconds for o in self.outcomes if o.model == name), default=0.0)


class Course:
    """What all rounds of a race share.

    Parameters
    ----------
    run : Run
        The comparison.
    interrupted : Event
        Set when Ctrl-C was pressed, even if an engine answered it with its best so far.
    """

    def __init__(self, run: Run, interrupted: threading.Event) -> None:
        self.run = run
        self.pool = Pool(run.jobs, run.training.metric)
        self.board = Scoreboard(run.training.test_share)
        self.entrants = {e.name: e for e in run.entrants}
        self.failed: dict[str, str] = {}
        self.left: dict[str, str] = {}
        self.stopped: dict[str, str] = {}
        self.waiting: dict[str, str] = {}
        # Expected seconds of one fit on a fold, of models that have not run one yet.
        self.expected_fit: dict[str, float] = {}
        self.out_of_time = False
        # Folds that tell how sure the answer is.
        self.enough = len(one_repeat(run.training.folds))
        self._interrupted = interrupted
        self._tuned = any(len(e.settings(0)) > 1 for e in run.entrants)
        self._folds: dict[int, PreparedFold] = {}

    def fold(self, number: int) -> PreparedFold:
        """The matrices of a fold, made once for all models."""
        if number not in self._folds:
            while len(self._folds) >= _KEPT_FOLDS:
                del self._folds[next(iter(self._folds))]
            self._folds[number] = prepare(self.run.training, number, tuned=self._tuned)
        return self._folds[number]

    @property
    def models(self) -> list[str]:
        """Models that are still in, without the baselines."""
        return [n for n, e in self.entrants.items() if not e.is_baseline and self.is_in(n)]

    def is_in(self, name: str) -> bool:
        """Whether a model may run on."""
        out = (self.failed, self.left, self.stopped, self.waiting)
        return not any(name in names for names in out)

    def kept(self) -> float:
        """Seconds to keep for what follows the race, should it end now."""
        budget, names = self.run.clock.budget, self.board.ranked(self.models)
        if not self.run.clock.limited:
            return 0.0
        if not names:
            return _plan.reserve(budget)
        last = self.board.last(names[0])
        return _plan.reserve(
            budget,
            fit=last.fit_seconds + last.predict_seconds,
            tuned=last.seconds,
            held_out=self.enough,
            settled=all(len(self.board.folds(n)) >= self.enough for n in names[: _plan.LEADERS]),
        )

    def seconds_left(self) -> float:
        """Seconds left for the race."""
        return self.run.clock.left(self.kept())

    def _seconds_left_for(self, name: str) -> float:
        """Seconds left for a fold of a model, which may lead after it and be fitted again."""
        if not self.run.clock.limited:
            return math.inf
        fit = self.expected_fit.get(name, 0.0)
        if self.board.folds(name):
            last = self.board.last(name)
            fit = last.fit_seconds + last.predict_seconds
        own = _plan.refit_reserve(self.run.clock.budget, fit)
        return self.run.clock.left(max(self.kept(), own))

    def play(
        self,
        turns: Sequence[tuple[str, int]],
        seconds: Mapping[str, float] | None = None,
        limits: Mapping[str, float] | None = None,
        *,
        until: float = math.inf,
    ) -> None:
        """Run models on folds, one turn each.

        Parameters
        ----------
        turns : sequence of (str, int)
            Names and folds, in their order.
        seconds : mapping of str to float, optional
            Expected seconds of a turn of each model: one that would end after the time for the
            race is not begun.
        limits : mapping of str to float, optional
            Most seconds of a turn of each model.
        until : float
            Value of :func:`time.perf_counter` after which no turn is begun.
        """
        seconds, limits = seconds or {}, limits or {}
        ahead = sum(seconds.get(name, self.board.seconds(name)) for name, _ in turns)
        for outcome in self.pool.outcomes(self._begun(turns, seconds, limits, until), ahead):
            self._record(outcome, limits.get(outcome.model, math.inf))

    def _begun(
        self,
        turns: Sequence[tuple[str, int]],
        seconds: Mapping[str, float],
        limits: Mapping[str, float],
        until: float,
    ) -> Iterator[Turn]:
        for name, number in turns:
            entrant = self.entrants[name]
            if not self.is_in(name):
                continue
            # Baselines take no time, and without them there is nothing to report.
            limit, ends = math.inf, math.inf
            if not (entrant.is_baseline and number == 0):
                left = self._seconds_left_for(name)
                if left <= seconds.get(name, 0.0) or time.perf_counter() >= until:
                    self.out_of_time = True
                    continue
                limit, ends = limits.get(name, math.inf), time.perf_counter() + left
            yield Turn(entrant, self.fold(number), limit, ends)

    def _record(self, outcome: Outcome, limit: float) -> None:
        """Keep an outcome; a model that failed or was stopped starts no further fold."""
        self.check_interrupt()
        if outcome.stopped:
            self.note_stop(outcome, limit)
            return
        if outcome.error:
            self.failed.setdefault(outcome.model, outcome.error)
        self.board.add(outcome)
        self.run.progress.update(outcome.model, outcome.fold, outcome.score, outcome.seconds)

    def check_interrupt(self) -> None:
        """Stop if Ctrl-C was pressed, also where an engine has answered it."""
        # An engine may answer Ctrl-C with its best so far: that fold is not a fair one.
        if self._interrupted.is_set():
            raise KeyboardInterrupt

    def note_stop(self, outcome: Outcome, limit: float) -> None:
        """A fit was stopped, by its own limit or by the end of the race."""
        if outcome.seconds < 0.9 * limit:
            self.out_of_time = True
            return
        words = f"stopped after {in_words(outcome.seconds)} on {outcome.rows} rows"
        self.stopped.setdefault(outcome.model, words)

    def result(self, *, interrupted: bool) -> Race:
        """What the race came to."""
        return Race(
            self.board.outcomes(self.entrants),
            dict(self.failed),
            interrupted,
            self.out_of_time,
            dict(self.left),
            dict(self.stopped),
            tuple(self.entrants.values()),
            dict(self.waiting),
        )


def in_words(seconds: float) -> str:
    """A time with as many digits as it deserves.

    Examples
    --------
    >>> in_words(0.04), in_words(0.4), in_words(12.3), in_words(1e6)
    ('0.04 s', '0.4 s', '12 s', '278 hours')
    """
    if seconds >= 3600:
        hours = seconds / 3600
        return f"{hours:.0f} hour{'' if round(hours) == 1 else 's'}"
    return f"{seconds:.0f} s" if seconds >= 1 else f"{seconds:.1g} s"
