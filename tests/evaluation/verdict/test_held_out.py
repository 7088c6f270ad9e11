"""Rows held out in turn."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression, Ridge

from margin.evaluation import ScaledTarget, prediction_interval
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.table._problem import state_problem
from margin.evaluation.verdict._final import refit
from margin.evaluation.verdict._held_out import (
    held_out_probabilities,
    held_out_residuals,
    with_residuals,
)
from margin.linear import LinearRegression as OurLine


def entrant(cls):
    return Entrant(cls.__name__, "x", cls(), cls.card)


def test_residuals_are_those_of_rows_held_out(line_training, fake):
    final = refit(line_training, entrant(fake.Shrunk), {})
    model = with_residuals(final, held_out_residuals(line_training, final.model)).model
    residuals = []
    for train, test in line_training.folds[:5]:
        part = line_training.part(train, test)
        residuals.extend(part.y_test - Ridge().fit(part.Z_train, part.y_train).predict(part.Z_test))
    assert len(residuals) == 90
    np.testing.assert_allclose(
        model.residual_quantiles_[[0, 100, 200]], np.quantile(residuals, [0, 0.5, 1])
    )


def test_levels_of_a_predictive_distribution(line_training):
    """Student's law of a linear regression: levels of held-out rows by the formula."""
    final = refit(line_training, Entrant("line", "x", OurLine()), {})
    levels = held_out_residuals(line_training, final.model)
    train, test = line_training.folds[0]
    part = line_training.part(train, test)
    law = OurLine().fit(part.Z_train, part.y_train).predict_dist(part.Z_test)
    np.testing.assert_allclose(levels[test], law.cdf(part.y_test))
    assert stats.kstest(levels, "uniform").pvalue > 0.001
    model = with_residuals(final, levels).model
    assert not hasattr(model, "residual_quantiles_")
    assert (np.diff(model.level_quantiles_) >= 0).all()


def test_a_law_that_is_too_sure_is_widened():
    """The calibrated levels of a law whose spread is wrong restore the coverage."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1200, 1))
    y = x[:, 0] + rng.standard_t(3, size=1200)
    frame = pd.DataFrame({"x": x[:, 0], "y": y})
    training = state_problem(frame, "y").training(np.arange(800), 0)
    final = refit(training, Entrant("line", "x", OurLine()), {})
    model = with_residuals(final, held_out_residuals(training, final.model)).model
    low, high = prediction_interval(model, frame.iloc[800:][["x"]], level=0.9).T
    inside = np.mean((low <= y[800:]) & (y[800:] <= high))
    assert inside == pytest.approx(0.9, abs=0.035)


def test_intervals_on_a_logarithmic_scale_grow_with_the_target():
    rng = np.random.default_rng(0)
    x = rng.normal(size=900)
    frame = pd.DataFrame({"x": x, "y": np.exp(1.5 * x + 0.4 * rng.normal(size=900))})
    training = state_problem(frame, "y").training(np.arange(600), 0)
    model = ScaledTarget(LinearRegression(), scale="log", mean=False)
    final = refit(training, Entrant("line", "x", model), {})
    final = with_residuals(final, held_out_residuals(training, final.model))
    new = frame.iloc[600:]
    interval = prediction_interval(final.model, new[["x"]])
    width, guess = np.ptp(interval, axis=1), final.model.predict(new[["x"]])
    np.testing.assert_allclose(width / guess, (width / guess)[0])
    inside = (interval[:, 0] <= new["y"]) & (new["y"] <= interval[:, 1])
    assert inside.mean() == pytest.approx(0.9, abs=0.05)


def test_probabilities_of_rows_held_out(class_training, fake):
    final = refit(class_training, entrant(fake.Logit), {})
    p = held_out_probabilities(class_training, final.model)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    train, test = class_training.folds[0]
    part = class_training.part(train, test)
    again = fake.Logit().fit(part.Z_train, part.y_train).predict_proba(part.Z_test)
    np.testing.assert_allclose(p[test], again)


def test_rows_that_no_fold_holds_out_are_unknown(line):
    problem = state_problem(line, "y", split="time")
    training = problem.training(np.arange(90), 0)
    final = refit(training, Entrant("line", "x", LinearRegression()), {})
    residuals = held_out_residuals(training, final.model)
    assert np.isnan(residuals).sum() == 15
    assert hasattr(with_residuals(final, residuals).model, "residual_quantiles_")
    nothing = np.full(90, np.nan)
    assert with_residuals(final, nothing) is final
