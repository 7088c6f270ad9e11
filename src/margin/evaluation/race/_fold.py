"""One model on one fold: tune inside, fit, score."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._evidence import block_scores
from margin.evaluation.race._limit import OverTimeError, time_limit
from margin.evaluation.race._prepared import PreparedFold
from margin.evaluation.race._quiet_fit import fit_quietly, one_line, report_of
from margin.evaluation.race._tuning import tune
from margin.evaluation.table._metric import Metric


@dataclass(frozen=True)
class Outcome:
    """What became of one model on one fold; ``error`` is empty unless it failed.

    ``rows`` counts the training rows; ``blocks`` are the scores of parts of the held-out rows
    (:func:`~margin.evaluation.race._evidence.block_scores`); ``stopped`` says that the fit reached
    its limit of time and has no score.
    """

    model: str
    fold: int
    score: float = float("nan")
    seconds: float = 0.0
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    status: str = ""
    report: str = ""
    setting: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    rows: int = 0
    blocks: tuple[float, ...] = ()
    stopped: bool = False


def evaluate(
    fold: PreparedFold, entrant: Entrant, metric: Metric, seconds: float = math.inf
) -> Outcome:
    """Tune, fit and score one model on one fold; an exception becomes a failed outcome.

    The times are those of the model alone, without the preprocessing that all models share.

    Parameters
    ----------
    fold : PreparedFold
        Matrices.
    entrant : Entrant
        The model.
    metric : Metric
        Higher is better.
    seconds : float
        Limit: half of it for tuning, which then takes the best setting so far, and what is left
        for the fit, which then is stopped.
    """
    if fold.outer is None:
        return Outcome(entrant.name, fold.number, error=fold.error)
    started = time.perf_counter()
    number, rows = fold.number, len(fold.outer.y_train)
    try:
        estimator = entrant.seeded(fold.seed)
        settings = entrant.settings(fold.seed)
        setting = tune(estimator, fold.inner, settings, metric, seconds=seconds / 2)
        model = entrant.seeded(fold.seed).set_params(**setting)
        before_fit = time.perf_counter()
        with time_limit(seconds - (before_fit - started)):
            status = fit_quietly(model, fold.outer.Z_train, fold.outer.y_train)
            fitted = time.perf_counter()
            answers = metric.answers(model, fold.outer.Z_test)
            done = time.perf_counter()
        score = metric(fold.outer.y_test, answers)
        blocks = block_scores(metric, fold.outer.y_test, answers)
    except OverTimeError:
        spent = time.perf_counter() - started
        return Outcome(entrant.name, number, seconds=spent, rows=rows, stopped=True)
    except Exception as error:
        spent = time.perf_counter() - started
        return Outcome(entrant.name, number, seconds=spent, rows=rows, error=one_line(error))
    return Outcome(
        entrant.name,
        number,
        score,
        seconds=done - started,
        fit_seconds=fitted - before_fit,
        predict_seconds=done - fitted,
        status=status,
        report=report_of(model),
        setting=setting,
        rows=rows,
        blocks=blocks,
    )
