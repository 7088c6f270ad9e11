"""The winner, fitted on all training rows and scored once on the test rows."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from margin.core.types import Array, Floats
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._limit import time_limit
from margin.evaluation.race._prepared import inner_parts
from margin.evaluation.race._quiet_fit import fit_quietly, report_of
from margin.evaluation.race._tuning import tune
from margin.evaluation.resamples._draws import MOST, affordable
from margin.evaluation.resamples._weighted import weighted_score
from margin.evaluation.table._training import Training
from margin.evaluation.verdict._intervals import prediction_interval, score_interval


@dataclass(frozen=True)
class Final:
    """A fitted pipeline with its hyper-parameters and how the fit ended."""

    name: str
    model: Pipeline
    setting: dict[str, Any]
    status: str
    report: str


@dataclass(frozen=True)
class Verified:
    """Predictions for the test rows and their score; ``answers`` is what the score judges.

    ``resamples`` is how many its interval and tests may draw.
    """

    score: float
    interval: tuple[float, float]
    y_pred: Array
    y_proba: Floats | None
    y_interval: Floats | None
    answers: Array | None = None
    resamples: int = MOST


def refit(
    training: Training,
    entrant: Entrant,
    setting: dict[str, Any] | None = None,
    *,
    seconds: float = math.inf,
) -> Final:
    """Fit a model on all training rows, tuned on them unless the setting is given.

    Half of the seconds are for the search, which then takes the best setting so far; a fit that
    goes on after all of them is stopped by an :class:`OverTimeError`.
    """
    started = time.perf_counter()
    seed = training.seed
    if setting is None:
        settings = entrant.settings(seed)
        several = len(settings) > 1
        parts = inner_parts(training, np.arange(len(training.y)), seed) if several else ()
        model = entrant.seeded(seed)
        setting = tune(model, parts, settings, training.metric, seconds=seconds / 2)
    pipeline = entrant.pipeline(training.preprocessor, setting, seed)
    with time_limit(seconds - (time.perf_counter() - started)):
        status = fit_quietly(pipeline, training.X, training.y)
    return Final(entrant.name, pipeline, setting, status, report_of(pipeline))


def verify(
    training: Training, model: Pipeline, X_test: Any, y_test: Array, *, seconds: float = math.inf
) -> Verified:
    """Score a fitted pipeline on test rows, with a confidence interval.

    Parameters
    ----------
    training : Training
        Rows and metric.
    model : Pipeline
        Fitted.
    X_test, y_test : DataFrame, ndarray
        Test rows.
    seconds : float
        What all resamples of one score may take: where that is short, there are fewer.
    """
    metric = training.metric
    y_pred = np.asarray(model.predict(X_test))
    proba = getattr(model, "predict_proba", None)
    answers = metric.answers(model, X_test) if metric.of_probabilities else y_pred
    resamples = MOST
    if np.isfinite(seconds):
        resamples = affordable(weighted_score(metric, y_test, answers), len(y_test), seconds)
    interval = score_interval(metric, y_test, answers, seed=training.seed, resamples=resamples)
    return Verified(
        score=metric(y_test, answers),
        interval=interval,
        y_pred=y_pred,
        y_proba=np.asarray(proba(X_test)) if training.stratify and proba is not None else None,
        y_interval=None if training.stratify else prediction_interval(model, X_test),
        answers=answers,
        resamples=resamples,
    )
