"""The table of a fitted regression."""

import numpy as np
import pytest

from margin.linear import Lasso, LinearRegression, summarise


@pytest.fixture
def table():
    X, y = np.array([[0.0], [1.0], [2.0], [4.0]]), np.array([1.0, 2.0, 4.0, 4.0])
    return summarise(LinearRegression().fit(X, y), X, y, level=0.9)


def test_frame_has_a_row_per_coefficient(table):
    frame = table.to_frame()
    assert list(frame.index) == ["intercept", "x0"]
    assert list(frame.columns) == ["coef", "std error", "t", "p", "low", "high"]
    np.testing.assert_array_equal(frame["coef"], table.coef)


def test_repr_shows_criteria_and_coefficients(table):
    text = repr(table)
    assert "rows 4" in text
    assert "90 % interval" in text
    assert f"R² {table.r2:.4f}" in text
    assert "intercept" in text.splitlines()[-2]


def test_a_model_without_a_summary_is_refused():
    X, y = np.eye(3), np.arange(3.0)
    with pytest.raises(ValueError, match="summarise: model must be a LinearRegression or a Ridge"):
        summarise(Lasso().fit(X, y), X, y)
