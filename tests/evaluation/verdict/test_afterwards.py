"""What makes the winner usable."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

from margin.evaluation import compare

RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def sold():
    n = 300
    frame = pd.DataFrame(
        {
            "x": RNG.normal(size=n),
            "kind": RNG.choice(["a", "b", None], n),
            "day": pd.date_range("2024-01-01", periods=n).strftime("%d.%m.%Y"),
            "note": [f"{w} {i}" for i, w in enumerate(RNG.choice(["good", "poor"], n))],
        }
    )
    frame["y"] = 3 * frame["x"] + 2.0 * (frame["kind"] == "a") + 0.2 * RNG.normal(size=n)
    frame.loc[::9, "x"] = np.nan
    return frame


def test_a_regression(sold):
    comparison = compare(sold, "y", models=[LinearRegression()], budget=None, jobs=1)
    cover = comparison.coverage
    low, high = comparison.y_interval.T
    assert cover.inside == np.sum((low <= comparison.y_test) & (comparison.y_test <= high))
    assert 0.75 < cover.share <= 1.0
    assert comparison.calibration is None
    effect = {e.feature: e for e in comparison.effects}
    slope = np.diff(effect["x"].mean) / np.diff(effect["x"].values)
    np.testing.assert_allclose(slope, slope[0], rtol=1e-6)
    assert slope[0] == pytest.approx(3.0, rel=0.2)
    assert set(effect["kind"].values) == {"a", "b"}
    assert effect["x"].outcome == "y"
    shown = comparison.explanation
    X = comparison.y_pred[list(comparison.explained_rows)]
    np.testing.assert_allclose(shown.prediction.ravel(), X, rtol=1e-6, atol=1e-9)
    assert shown.feature_names == ("x", "kind", "day", "note")
    assert [facts["name"] for facts in comparison.profile] == list(shown.feature_names)


def test_a_classification(sold):
    frame = sold.assign(y=np.where(sold["y"] > 3, "dear", "cheap"))
    comparison = compare(frame, "y", models=[LogisticRegression()], budget=None, jobs=1)
    assert comparison.coverage is None
    assert comparison.calibration.method in ("none", "sigmoid")
    assert comparison.effects[0].outcome == "probability of y = dear"
    assert comparison.effects[0].mean.min() >= 0
    rows = list(comparison.explained_rows)
    place = comparison.classes.index("dear")
    np.testing.assert_allclose(
        comparison.explanation.prediction.ravel(), comparison.y_proba[rows, place], atol=1e-9
    )


def test_a_model_that_only_answers(sold):
    frame = sold.assign(y=np.where(sold["y"] > 1, "dear", "cheap"))
    comparison = compare(frame, "y", models=[LinearSVC()], budget=None, jobs=1)
    assert comparison.calibration is None
    assert comparison.effects[0].outcome.startswith("share answered y = ")


def test_an_earlier_model(sold):
    first = compare(sold, "y", models=[LinearRegression()], budget=None, jobs=1)
    again = compare(
        sold, "y", models=[LinearRegression()], budget=None, jobs=1, against=first.model
    )
    assert again.against.model == "LinearRegression"
    assert again.against.score == pytest.approx(first.test_score)
    assert "not clearly better or worse" in again.against.text
