"""First fits on few rows: what a model costs, and how its score grows."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from margin.evaluation.race._cost import FIRST_ROWS, WORST, Trial, predicted, steps
from margin.evaluation.race._entrants import LEVELS, Entrant
from margin.evaluation.race._fold import Outcome
from margin.evaluation.race._pool import Pool, Turn
from margin.evaluation.race._prepared import PreparedFold
from margin.evaluation.race._tuning import LIMIT, fits_per_fold

# Held-out rows that a trial is scored on.
TESTS = 1000
# Of the time for the race, what one trial and what all of them may take.
_ONE, _ALL = 0.02, 0.2
_SHORTEST = 0.1
_PATIENCE = 4.0


@dataclass
class Trials:
    """What was learned about one model from fits on few rows."""

    costs: list[Trial] = field(default_factory=list)
    scores: list[tuple[int, float]] = field(default_factory=list)
    stopped: bool = False
    failed: bool = False

    @property
    def untried(self) -> bool:
        """Whether nothing is known, not even that the model fails."""
        return not (self.costs or self.failed)

    def add(self, outcome: Outcome, columns: int, n_tests: int) -> None:
        """Count a fit; one that failed says nothing: it fails again where it is reported."""
        if outcome.error:
            self.failed = True
            return
        self.stopped = outcome.stopped
        predicting = outcome.predict_seconds
        if not outcome.stopped:
            self.scores.append((outcome.rows, outcome.score))
            predicting *= max(1.0, n_tests / TESTS)
        seconds = outcome.seconds - outcome.predict_seconds + predicting
        trial = Trial(outcome.rows, columns, seconds, not outcome.stopped)
        if self.costs and self.costs[-1][:2] == trial[:2]:
            trial = min(trial, self.costs.pop(), key=lambda t: t.seconds)
            self.scores = self.scores[:-1] if trial.finished and self.scores[1:] else self.scores
        self.costs.append(trial)

    def may_try(self, rows: int, columns: int, power: float, allowance: float) -> bool:
        """Whether a larger trial stays near the allowance, at the worst growth with columns.

        Loops stop at their limit, so what grows up to the square with the rows may be expected to
        take a few times as long; a factorisation cannot be stopped.
        """
        if not self.costs:
            return True
        last = self.costs[-1]
        growth = (rows / last.rows) ** power * (columns / last.columns) ** WORST
        patience = _PATIENCE if power <= 2 and columns == last.columns else 1.0
        return not self.stopped and last.seconds * growth <= patience * allowance

    def credit(self, rows: int) -> float:
        """What the score may still gain up to so many rows, if it grows as it did by fourfold rows.

        Examples
        --------
        >>> Trials(scores=[(256, 0.6), (1024, 0.7)]).credit(16384)
        0.2
        """
        if len(self.scores) < 2:
            return 0.0
        (few, low), (many, high) = self.scores[-2:]
        if not (many > few and math.isfinite(low) and math.isfinite(high)):
            return 0.0
        steps_left = math.log(max(rows, many) / many) / math.log(many / few)
        return round(max(high - low, 0.0) * steps_left, 12)


def try_out(
    entrants: Sequence[Entrant], fold: PreparedFold, pool: Pool, *, seconds: float, n_folds: int
) -> dict[str, Trials]:
    """Fit all models on growing parts of a fold, untuned, until it would take too long.

    They run in this process until workers have started, if there will be work for them; models
    of quick growth with the rows come last.

    Parameters
    ----------
    entrants : sequence of Entrant
        The models.
    fold : PreparedFold
        The first fold.
    pool : Pool
        Where to run.
    seconds : float
        Time for the whole race.
    n_folds : int
        Folds that the race may have.
    """
    trials = {e.name: Trials() for e in entrants}
    if fold.outer is None:
        return trials
    entrants = sorted(entrants, key=lambda e: e.power)
    n_rows, n_columns = fold.outer.Z_train.shape
    n_tests = len(fold.outer.y_test)
    allowance = max(_ONE * seconds, _SHORTEST)
    ends = time.perf_counter() + _ALL * seconds
    for rows, columns in steps(n_rows, n_columns):
        able = [
            e.tuned(0)
            for e in entrants
            if trials[e.name].may_try(rows, columns, e.power, allowance)
        ]
        part = fold.sampled(rows, columns, tests=TESTS)
        turns = _turns(able, part, allowance, ends)
        first_rows = rows <= FIRST_ROWS
        for outcome in pool.outcomes_here(turns) if first_rows else pool.outcomes(turns, 0.0):
            trials[outcome.model].add(outcome, columns, n_tests)
        known = [e for e in entrants if not trials[e.name].untried]
        whole = sum(fold_costs(e, trials[e.name], fold)[LIMIT] for e in known)
        pool.prepare(entrants, n_folds * whole)
    return trials


def _turns(
    entrants: Sequence[Entrant], fold: PreparedFold, limit: float, ends: float
) -> Iterator[Turn]:
    for entrant in entrants:
        if time.perf_counter() >= ends:
            return
        yield Turn(entrant, fold, limit)


def fold_costs(entrant: Entrant, trials: Trials, fold: PreparedFold) -> dict[int, float]:
    """Expected seconds of one fold of a model for every level of tuning."""
    if fold.outer is None:
        return dict.fromkeys(LEVELS, 0.0)
    n_rows, n_columns = fold.outer.Z_train.shape
    once = predicted(trials.costs, n_rows, n_columns, entrant.power)
    # one that failed does so again at once, where it is reported
    once = 0.0 if trials.failed and not trials.costs else once
    inner_rows = len(fold.inner[0].y_train) if fold.inner else n_rows
    return {
        level: once
        * fits_per_fold(
            len(entrant.tuned(level).settings(fold.seed)), n_rows, inner_rows, entrant.power
        )
        for level in LEVELS
    }
