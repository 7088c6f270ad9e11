"""The leader of the race, fitted on all training rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.evaluation.race._course import Race
from margin.evaluation.race._limit import OverTimeError
from margin.evaluation.race._quiet_fit import one_line
from margin.evaluation.race._run import Run
from margin.evaluation.verdict._final import Final, refit
from margin.evaluation.verdict._result import NO_TIME, ModelResult
from margin.evaluation.verdict._standings import standings


@dataclass(frozen=True)
class Winner:
    """The leaderboard, its first model fitted on all training rows, and whether Ctrl-C came."""

    results: tuple[ModelResult, ...]
    final: Final
    interrupted: bool = False


def refit_winner(run: Run, raced: Race) -> Winner:
    """Fit the best model on all training rows; one that fails there gives way to the next.

    After Ctrl-C, or when tuning on all rows would take more than the time left for it, the
    setting that the folds chose most often is taken instead of a new search. A fit that would end
    after the budget is not begun, or stopped, and the next model takes its place.

    Raises
    ------
    KeyboardInterrupt
        If there is no finished model and the race was interrupted.
    ValueError
        If every model failed.
    """
    failed, late = dict(raced.failed), set[str]()
    while True:
        board = replace(raced, failed=dict(failed))
        results = standings(run.training, run.entrants, board, late)
        if not results or np.isnan(results[0].score) or results[0].model in late:
            break
        best, *others = results
        run.progress.phase(f"fitting {best.model} on all training rows")
        hurry = raced.interrupted or raced.longest(best.model) > run.clock.half
        try:
            final, stopped = _refit(run, best, best.params if hurry else None)
        except OverTimeError:
            late.add(best.model)
            continue
        except Exception as error:
            failed[best.model] = one_line(error)
            continue
        best = replace(best, params=final.setting)
        return Winner((best, *others), final, raced.interrupted or stopped)
    if raced.interrupted:
        raise KeyboardInterrupt
    failed.update(dict.fromkeys(late, NO_TIME))
    name, message = next(iter(failed.items()), ("", "no model was run"))
    raise ValueError(f"every model failed; {name}: {message}" if name else message)


def _refit(run: Run, result: ModelResult, setting: dict[str, Any] | None) -> tuple[Final, bool]:
    """The fitted model, and whether Ctrl-C cut the search for its setting short."""
    entrant = run.entrant(result.model)
    seconds = math.inf if entrant.is_baseline else run.clock.patience
    # what is not done on fewer rows is not done on all: the time is left to the next model
    if result.fit_seconds > seconds:
        raise OverTimeError
    try:
        return refit(run.training, entrant, setting, seconds=seconds), False
    except KeyboardInterrupt:
        return refit(run.training, entrant, result.params), True
