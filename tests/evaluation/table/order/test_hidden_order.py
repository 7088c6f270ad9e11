"""Rows that follow one another."""

import numpy as np
import pandas as pd
import pytest

from margin.evaluation.table._columns import describe
from margin.evaluation.table.order._hidden_order import hidden_order, likeness, times

RNG = np.random.default_rng(0)


def order(frame, target="y"):
    columns = describe(frame, {})
    return hidden_order(frame, columns, frame[target].to_numpy())


def walk(n):
    return np.cumsum(RNG.normal(size=n))


def test_a_date_column_is_an_order():
    frame = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=80), "y": RNG.normal(size=80)})
    hidden = order(frame.sample(frac=1, random_state=0))
    assert (hidden.name, hidden.reason) == ("day", "column 'day' holds dates")


def test_a_walk_is_noticed():
    hidden = order(pd.DataFrame({"x": RNG.normal(size=200), "y": walk(200)}))
    assert hidden.name == ""
    assert "resembles that of the row before" in hidden.reason


@pytest.mark.parametrize(
    "y",
    [
        RNG.normal(size=200),
        np.sort(RNG.normal(size=200)),
        np.repeat([0, 1, 2], 70),
        RNG.integers(0, 3, 200),
        walk(40),
    ],
)
def test_shuffled_or_sorted_rows_are_not(y):
    assert order(pd.DataFrame({"x": RNG.normal(size=len(y)), "y": y})) is None


def test_classes_that_come_in_long_runs():
    y = np.repeat(RNG.choice(["a", "b"], 60), 5)
    assert order(pd.DataFrame({"x": RNG.normal(size=300), "y": y})) is not None
    assert likeness(y) > 0.5
    assert likeness(np.array([1.0, 1.0, 1.0])) == 0.0


def test_times_of_columns():
    assert times(pd.Series([3.0, None, 1.0])).tolist() == [3.0, 0.0, 1.0]
    assert times(pd.Series(["1970-01-03", None])).tolist() == [2.0, 1.0]
