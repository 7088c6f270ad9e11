"""Explanations of rows."""

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from margin.evaluation import Metric, reasons, row_reasons
from margin.evaluation.winner._explain import explain
from margin.evaluation.winner._outcome import outcome
from margin.inspection import Explanation

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": RNG.normal(size=80), "b": RNG.normal(size=80), "c": RNG.normal(size=80)})
MODEL = make_pipeline(FunctionTransformer(), LinearRegression()).fit(
    FRAME, 3 * FRAME["a"] - FRAME["b"]
)


def test_rows_from_low_to_high():
    answer = outcome(MODEL, Metric("R²"), "y", classification=False)
    rows, shown = explain(answer, FRAME, FRAME)
    guess = MODEL.predict(FRAME)
    assert len(rows) == 6
    assert (np.diff(guess[rows]) > 0).all()
    assert guess[rows[0]] == guess.min()
    np.testing.assert_allclose(shown.prediction.ravel(), guess[rows])


def test_very_many_columns_are_left_alone():
    wide = pd.DataFrame(np.zeros((5, 61)))
    assert explain(lambda X: np.zeros(len(X)), wide, wide) is None


def test_reasons_of_every_row():
    told = row_reasons(MODEL, FRAME, Metric("R²"), "y", classification=False)
    assert len(told) == 80
    assert "c = " not in told[0]
    assert row_reasons(MODEL, FRAME.head(0), Metric("R²"), "y", classification=False) == []


def test_odd_values_are_shown():
    values = np.array([[[1.0], [-2.0], [0.5]]])
    data = np.array([[None, np.nan, "x" * 50]], dtype=object)
    shown = Explanation(values, np.zeros(1), data, ("p", "q", "r"))
    assert reasons(shown, 0) == f"q = missing -2; p = missing +1; r = {'x' * 29}… +0.5"
