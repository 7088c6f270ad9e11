"""One model on one fold: tune inside, fit, score."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._prepared import PreparedFold
from margin.evaluation.race._quiet_fit import fit_quietly, one_line, report_of
from margin.evaluation.race._tuning import tune
from margin.evaluation.table._metric import Metric


@dataclass(frozen=True)
class Outcome:
    """What became of one model on one fold; ``error`` is empty unless it failed."""

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


def evaluate(fold: PreparedFold, entrant: Entrant, metric: Metric) -> Outcome:
    """Tune, fit and score one model on one fold; an exception becomes a failed outcome.

    The times are those of the model alone, without the preprocessing that all models share.
    """
    if fold.outer is None:
        return Outcome(entrant.name, fold.number, error=fold.error)
    started = time.perf_counter()
    try:
        estimator = entrant.seeded(fold.seed)
        setting = tune(estimator, fold.inner, entrant.settings(fold.seed), metric)
        model = entrant.seeded(fold.seed).set_params(**setting)
        before_fit = time.perf_counter()
        status = fit_quietly(model, fold.outer.Z_train, fold.outer.y_train)
        fitted = time.perf_counter()
        answers = metric.answers(model, fold.outer.Z_test)
        done = time.perf_counter()
        score = metric(fold.outer.y_test, answers)
    except Exception as error:
        spent = time.perf_counter() - started
        return Outcome(entrant.name, fold.number, seconds=spent, error=one_line(error))
    return Outcome(
        entrant.name,
        fold.number,
        score,
        seconds=done - started,
        fit_seconds=fitted - before_fit,
        predict_seconds=done - fitted,
        status=status,
        report=report_of(model),
        setting=setting,
    )
