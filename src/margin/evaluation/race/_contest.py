"""A race against the clock: cheap trials first, then folds for those that deserve them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace

from margin.evaluation.race import _plan
from margin.evaluation.race._cost import Trial
from margin.evaluation.race._course import Course, in_words
from margin.evaluation.race._entrants import LEVELS, Entrant
from margin.evaluation.race._pool import Turn
from margin.evaluation.race._prepared import PreparedFold
from margin.evaluation.race._scoreboard import Scoreboard
from margin.evaluation.race._trials import Trials, fold_costs, try_out

# Rows of the first round on a large table, which then has to have twice as many.
SCREEN_ROWS = 4096
_SCREEN_TESTS = 4000
# Of the time, what the first fold of all models may take; the rest is for those that stay.
_FIRST_SHARE = 0.5
# Workers wait for each other at the end of a round.
_BUSY = 0.9
# A turn may take so many times what was expected.
_PATIENCE = 4.0


def compete(course: Course) -> None:
    """Run the whole race within the time of its run.

    Fits on few rows tell what each model costs. All that can afford it run the first fold, on a
    large table a part of its rows before; those hopelessly behind leave, and what they do not
    need goes to the others, who are tuned more and run on, the leaders first. Decisions by scores
    are made between rounds, so that they do not depend on the number of workers.
    """
    contest = _Contest(course)
    contest.first_fold()
    contest.tune_more()
    for number in range(1, len(course.run.training.folds)):
        contest.round(number)
    contest.say_who_waits()


class _Contest:
    def __init__(self, course: Course) -> None:
        self._course = course
        self._entrants = course.entrants
        self._board = course.board
        self._enough = course.enough
        self._baselines = [n for n, e in course.entrants.items() if e.is_baseline]
        # Models whose first fold is run again, tuned more.
        self._again: set[str] = set()
        # Models whose first fold took over the setting that was found on fewer rows.
        self._screened: set[str] = set()
        course.play([(name, 0) for name in self._baselines])
        models = [self._entrants[name] for name in course.models]
        fold = course.fold(0)
        course.run.progress.phase("timing the models")
        self._trials = try_out(
            models,
            fold,
            course.pool,
            seconds=course.seconds_left(),
            n_folds=len(course.run.training.folds),
        )
        course.check_interrupt()
        self._costs = {e.name: fold_costs(e, self._trials[e.name], fold) for e in models}
        self._guess_untried(models, fold)
        course.expected_fit.update({name: costs[0] for name, costs in self._costs.items()})
        course.run.progress.phase("cross-validation")

    def _guess_untried(self, models: Iterable[Entrant], fold: PreparedFold) -> None:
        """Take a model that no trial was reached for to be as dear as the dearest that was."""
        known = [c[0] for name, c in self._costs.items() if not self._trials[name].untried]
        for entrant in models:
            if self._trials[entrant.name].untried and fold.outer is not None:
                n, p = fold.outer.Z_train.shape
                pretended = Trial(n, p, max(known, default=0.0))
                self._costs[entrant.name] = fold_costs(entrant, Trials([pretended]), fold)

    def first_fold(self) -> None:
        """All models that can afford it on the first fold, cheap ones first."""
        pool = self._pool()
        fast = {n: c for n, c in self._costs.items() if self._enough * c[0] <= pool}
        # no search for a model whose cost is a guess
        fast = {n: {0: c[0]} if self._trials[n].untried else c for n, c in fast.items()}
        level = _plan.levels(fast, _FIRST_SHARE * pool)
        for name in self._costs:
            if name not in level:
                cost, budget = self._costs[name][0], self._course.run.clock.budget
                untried = self._trials[name].untried
                self._course.waiting[name] = too_dear(cost, budget, untried=untried)
            else:
                self._entrants[name] = self._entrants[name].tuned(level[name])
        names = sorted(level, key=lambda n: (self._trials[n].untried, self._costs[n][level[n]], n))
        seconds = {n: self._costs[n][level[n]] for n in names}
        chosen = self._screen(names, seconds)
        names = [n for n in names if self._course.is_in(n)]
        seconds.update({n: self._costs[n][0] for n in chosen})
        for name, setting in chosen.items():
            self._entrants[name] = replace(self._entrants[name], chosen=setting)
        self._screened = set(chosen)
        until = time.perf_counter() + _FIRST_SHARE * self._course.seconds_left()
        self._course.play([(n, 0) for n in names], seconds, self._limits(seconds), until=until)
        for name in chosen:
            self._entrants[name] = replace(self._entrants[name], chosen=None)
        self._send_home()

    def _screen(
        self, names: Iterable[str], seconds: Mapping[str, float]
    ) -> dict[str, dict[str, object]]:
        """On a large table, a first look at some of its rows; the settings that were chosen there.

        The search of the first fold sees the same rows, so its choice stands.
        """
        course, fold = self._course, self._course.fold(0)
        if fold.outer is None or len(fold.outer.y_train) < 2 * SCREEN_ROWS:
            return {}
        part = fold.sampled(SCREEN_ROWS, tests=_SCREEN_TESTS, tuned=True)
        ends = time.perf_counter() + _FIRST_SHARE * course.seconds_left()
        limits = self._limits(seconds)
        turns = (Turn(self._entrants[n], part, limits[n], ends) for n in names)
        board = Scoreboard(len(fold.outer.y_test) / len(fold.outer.y_train))
        for outcome in course.pool.outcomes(turns, sum(seconds.values())):
            course.check_interrupt()
            if outcome.stopped:
                course.note_stop(outcome, limits[outcome.model])
            elif not outcome.error:
                board.add(outcome)
        credit = {n: self._trials[n].credit(len(fold.outer.y_train)) for n in names}
        seen = [n for n in names if board.folds(n)]
        for name, why in board.hopeless(seen, credit).items():
            course.left[name] = why.replace("after 1 fold", f"on {SCREEN_ROWS} rows")
        return {n: dict(board.last(n).setting) for n in seen if course.is_in(n)}

    def tune_more(self) -> None:
        """Give the time of those who left to the search of those who stay."""
        names = [n for n in self._course.models if self._board.folds(n)]
        costs = {n: self._calibrated(self._entrants[n]) for n in names}
        for name, level in _plan.levels(costs, self._pool(), folds=self._enough).items():
            better = self._entrants[name].tuned(level)
            fold = self._course.fold(0)
            if better.settings(fold.seed) != self._entrants[name].settings(fold.seed):
                self._again.add(name)
            self._entrants[name] = better

    def _calibrated(self, entrant: Entrant) -> dict[int, float]:
        """Seconds of a fold per level from the present one on, by the fold that was measured."""
        costs, name = self._costs[entrant.name], entrant.name
        if self._board.folds(name):
            measured = costs[0 if name in self._screened else entrant.limit]
            factor = self._board.seconds(name) / max(measured, 1e-9)
            costs = {level: factor * seconds for level, seconds in costs.items()}
        kept = {level: costs[level] for level in LEVELS if level >= entrant.limit}
        return {0: costs[entrant.limit], **kept}

    def round(self, number: int) -> None:
        """The next fold, and earlier ones for those who lack them."""
        course = self._course
        names = self._runners(number)
        turns = [
            (name, fold)
            for fold in range(number + 1)
            for name in [*self._baselines, *names]
            if fold not in self._board.folds(name) or (fold == 0 and name in self._again)
        ]
        seconds = {name: self._seconds(name) for name in names}
        self._again -= set(names)
        course.play(turns, seconds, self._limits(seconds))
        self._send_home()

    def _runners(self, number: int) -> list[str]:
        """Models of the next round; not all, where time is short."""
        models = self._course.models
        names = self._board.ranked(models)
        names += [n for n in models if not self._board.folds(n)]
        target = self._enough if number < self._enough else number + 1
        seconds = {n: self._seconds(n) for n in names}
        missing = {
            n: max(target - len(self._board.folds(n)), 0) + (n in self._again) for n in names
        }
        chosen = _plan.runners(names, seconds, missing, self._pool())
        if len(chosen) < len(names):
            self._course.out_of_time = True
        leaders = names[: _plan.LEADERS]
        return sorted(chosen, key=lambda n: (n not in leaders, seconds[n], n))

    def _seconds(self, name: str) -> float:
        """Expected seconds of the next fold of a model."""
        folds = self._board.folds(name)
        if folds and name not in self._again and (len(folds) > 1 or name not in self._screened):
            return self._board.seconds(name)
        return self._calibrated(self._entrants[name])[self._entrants[name].limit]

    def _pool(self) -> float:
        """Seconds of all workers together that are left for the race."""
        return max(_BUSY * self._course.pool.size * self._course.seconds_left(), 0.0)

    def _limits(self, seconds: Mapping[str, float]) -> dict[str, float]:
        share = self._pool() / max(len(seconds), 1)
        return {name: max(_PATIENCE * expected, share) for name, expected in seconds.items()}

    def _send_home(self) -> None:
        self._course.left.update(self._board.hopeless(self._course.models))

    def say_who_waits(self) -> None:
        """The models that wanted more folds and got none for lack of time."""
        most = max((len(self._board.folds(n)) for n in self._entrants), default=0)
        for name in self._course.models:
            if len(self._board.folds(name)) < most:
                more = "more folds" if self._board.folds(name) else "a fold"
                self._course.waiting[name] = f"no time left for {more}"
                self._course.out_of_time = True


def too_dear(seconds: float, budget: float, *, untried: bool = False) -> str:
    """Why a model gets no fold; a cost that is a guess is not told as one that is known.

    Examples
    --------
    >>> too_dear(90.0, 60.0)
    'needs about 90 s per fold, over the budget'
    >>> too_dear(0.2, 60.0)
    'needs about 0.2 s per fold, more than was left for it'
    """
    if untried:
        return "no time left to try it"
    limit = "over the budget" if seconds > budget else "more than was left for it"
    return f"needs about {in_words(seconds)} per fold, {limit}"
