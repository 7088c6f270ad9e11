"""The winner, fitted on all training rows and scored once on the test rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from margin.evaluation.race import _fold
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._folds import one_repeat
from margin.evaluation.race._tuning import tune
from margin.evaluation.table._prepared import Arena, PreparedFold
from margin.evaluation.verdict._intervals import (
    prediction_interval,
    residual_quantiles,
    score_interval,
)


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
    """Predictions for the test rows and their score."""

    score: float
    interval: tuple[float, float]
    y_pred: NDArray[Any]
    y_proba: NDArray[np.float64] | None
    y_interval: NDArray[np.float64] | None


def refit(arena: Arena, entrant: Entrant, setting: dict[str, Any] | None = None) -> Final:
    """Fit a model on all training rows, tuned on them unless the setting is given."""
    if setting is None:
        everything = np.arange(len(arena.y))
        whole = PreparedFold(arena, everything, everything[:0], arena.seed)
        settings = entrant.settings(arena.seed)
        estimator = entrant.seeded(arena.seed)
        setting = tune(estimator, lambda: whole.inner, settings, arena.metric)
    pipeline = entrant.pipeline(arena.preprocessor, setting, arena.seed)
    status = _fold.fit(pipeline, arena.X, arena.y)
    return Final(entrant.name, pipeline, setting, status, _fold.report_of(pipeline))


def keep_residuals(arena: Arena, model: Pipeline) -> None:
    """Store the quantiles of held-out residuals on a regression pipeline without ``predict_dist``.

    The residuals come from the folds of one repetition, each predicted by a copy of the pipeline
    fitted on the other rows.
    """
    if hasattr(model[-1], "predict_dist"):
        return
    residuals = np.full(len(arena.y), np.nan)
    for train, test in one_repeat(arena.folds):
        copy = clone(model)
        _fold.fit(copy, arena.X.iloc[train], arena.y[train])
        residuals[test] = arena.y[test] - copy.predict(arena.X.iloc[test])
    model.residual_quantiles_ = residual_quantiles(residuals)


def verify(arena: Arena, model: Pipeline, X_test: Any, y_test: NDArray[Any]) -> Verified:
    """Score a fitted pipeline on test rows, with a confidence interval."""
    y_pred = np.asarray(model.predict(X_test))
    proba = getattr(model, "predict_proba", None)
    return Verified(
        score=arena.metric(y_test, y_pred),
        interval=score_interval(arena.metric, y_test, y_pred, seed=arena.seed),
        y_pred=y_pred,
        y_proba=np.asarray(proba(X_test)) if arena.stratify and proba is not None else None,
        y_interval=None if arena.stratify else prediction_interval(model, X_test),
    )
