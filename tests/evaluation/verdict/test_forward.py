"""Forward in time."""

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import Pipeline

from margin.evaluation import compare
from margin.evaluation.table._problem import state_problem
from margin.evaluation.verdict._forward import ForwardScore, forward_score


def test_the_later_rows_judge_a_model_of_the_earlier_ones():
    n = 200
    t = np.arange(float(n))
    x = np.random.default_rng(0).normal(size=n)
    frame = pd.DataFrame(
        {"day": pd.date_range("2024-01-01", periods=n), "x": x, "y": x + 1e-3 * t**2}
    )
    problem = state_problem(frame, "y")
    assert problem.suspected.name == "day"
    pipeline = Pipeline([("columns", problem.preprocessor), ("model", LinearRegression())])
    score = forward_score(problem, problem.suspected, pipeline, test_size=0.25, random_score=0.9)
    model = pipeline.fit(problem.X[:150], problem.y[:150])
    assert score.score == problem.metric(problem.y[150:], model.predict(problem.X[150:]))
    assert (score.n_train, score.n_test, score.random_score) == (150, 50, 0.9)
    assert "compare with split 'time:day'" in score.text


def test_an_order_that_makes_no_difference():
    assert "no difference" in ForwardScore("", "they look alike", 0.9, 0.91, 5, 5).text
    assert "split 'time'" in ForwardScore("", "they look alike", 0.5, 0.91, 5, 5).text


def walk(n=300):
    rng = np.random.default_rng(0)
    day = pd.date_range("2024-01-01", periods=n)
    return pd.DataFrame({"when": day, "x": rng.normal(size=n), "y": rng.normal(size=n).cumsum()})


def test_the_warning_comes_however_short_the_time():
    (first, *_) = compare(walk(), "y", budget=0.01, jobs=1, models=["Ridge"]).warnings
    assert first.startswith("column 'when' holds dates")
    assert "was not measured: the time budget was spent" in first
    assert "compare with split 'time:when'" in first


def test_the_warning_says_why_it_could_not_be_measured():
    frame = walk(120)
    frame["y"] = np.where(np.arange(120) < 90, "early", "late")
    asked = {"metric": "ROC AUC", "budget": None, "jobs": 1}
    comparison = compare(frame, "y", models=["LogisticRegression"], **asked)
    assert comparison.forward is None
    (why,) = [words for words in comparison.warnings if "forward in time" in words]
    assert why.startswith("column 'when' holds dates")
    assert dict(comparison.missing)["forward"] in why
