"""What copies of the winner say of the training rows they were not fitted to."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from margin.core.types import Floats
from margin.evaluation.race._quiet_fit import fit_quietly
from margin.evaluation.table._folds import one_repeat
from margin.evaluation.table._metric import aligned
from margin.evaluation.table._training import Training
from margin.evaluation.verdict._final import Final
from margin.evaluation.verdict._intervals import on_scale, residual_quantiles


def held_out_residuals(training: Training, model: Pipeline) -> Floats:
    """Residuals of training rows, or their levels for a model with ``predict_dist``.

    They come from the folds of one repetition, each predicted by a copy of the pipeline fitted on
    the other rows; NaN for rows that no fold holds out. A level is the probability that the
    distribution gives to what lies below the target.
    """
    residuals = np.full(len(training.y), np.nan)
    for train, test in one_repeat(training.folds):
        part = clone(model)
        fit_quietly(part, training.X.iloc[train], training.y[train])
        X_test, y_test = training.X.iloc[test], training.y[test]
        if hasattr(part[-1], "predict_dist"):
            law = part[-1].predict_dist(part[:-1].transform(X_test))
            residuals[test] = law.cdf(y_test)
        else:
            guess = on_scale(part[-1], part.predict(X_test))
            residuals[test] = on_scale(part[-1], y_test) - guess
    return residuals


def with_residuals(final: Final, residuals: Floats) -> Final:
    """The same fit whose pipeline carries quantiles of residuals, for prediction intervals."""
    known = residuals[np.isfinite(residuals)]
    if not len(known):
        return final
    model = copy.copy(final.model)
    if hasattr(model[-1], "predict_dist"):
        model.level_quantiles_ = residual_quantiles(known)
    else:
        model.residual_quantiles_ = residual_quantiles(known)
    return replace(final, model=model)


def held_out_probabilities(training: Training, model: Pipeline) -> Floats:
    """Probabilities of the classes for training rows; NaN for rows that no fold holds out."""
    classes = training.metric.classes
    probability = np.full((len(training.y), len(classes)), np.nan)
    for train, test in one_repeat(training.folds):
        part = clone(model)
        fit_quietly(part, training.X.iloc[train], training.y[train])
        seen = part.predict_proba(training.X.iloc[test])
        probability[test] = aligned(seen, part.classes_, classes)
    return probability
