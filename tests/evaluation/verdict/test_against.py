"""A model from before."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

from margin.evaluation import Metric
from margin.evaluation.verdict._against import against

RNG = np.random.default_rng(0)


def test_a_worse_model_is_told_from_the_new_one():
    X = RNG.normal(size=(200, 2))
    y = X @ [1.0, 2.0]
    old = LinearRegression().fit(X[:, :2] * [1, 0], y)
    told = against("Old", old, X * [1, 0], y, y, Metric("R²"), seed=0)
    assert told.score == pytest.approx(old.score(X * [1, 0], y))
    assert told.test.difference == pytest.approx(1 - told.score)
    assert told.test.p_value < 0.001
    assert "the new one is better by" in told.text
    other = against("Old", old, X * [1, 0], y, RNG.normal(size=200), Metric("R²"), seed=0)
    assert "the new one is worse by" in other.text


def test_the_same_answers_are_not_better():
    X = RNG.normal(size=(50, 2))
    y = X[:, 0] + 0.1 * X[:, 1]
    old = LinearRegression().fit(X[:, :1], y)
    told = against("Old", old, X[:, :1], y, old.predict(X[:, :1]), Metric("R²"), seed=0)
    assert "not clearly better or worse (0.000)" in told.text


@pytest.mark.parametrize("name", ["accuracy", "log loss", "cost"])
def test_classes_that_come_and_go(name):
    X = pd.DataFrame({"x": RNG.normal(size=120)})
    seen = np.digitize(X["x"], [-0.5, 0.5]).astype(str)  # 0, 1, 2
    old = LogisticRegression().fit(X, seen)
    now = np.where(X["x"] > 0, "3", "1")
    costs = ((0.0, 1.0), (2.0, 0.0)) if name == "cost" else None
    metric = Metric(name, ("1", "3"), "3", costs)
    own = np.column_stack([now == "1", now == "3"]).astype(float) if name == "log loss" else now
    told = against("Old", old, X, now, own, metric, seed=0)
    assert np.isfinite(told.score)
    assert told.test.difference > 0
