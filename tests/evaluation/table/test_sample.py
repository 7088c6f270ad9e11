"""How many rows a budget can take."""

import math
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from margin.evaluation.table._sample import FEWEST_ROWS, affordable_rows, sample


class Clock:
    """Stands for perf_counter: time passes only where somebody works."""

    now = 0.0

    def __call__(self):
        return Clock.now


class Slow(BaseEstimator):
    """Preprocessing that takes a thousandth of a second per row."""

    def fit_transform(self, X, y=None):
        Clock.now += 1e-3 * len(X) + 0.5
        return X


@pytest.fixture
def table(monkeypatch):
    monkeypatch.setattr(time, "perf_counter", Clock())
    return pd.DataFrame({"x": np.arange(100_000.0)}), np.arange(100_000.0)


def test_rows_follow_the_budget_in_powers_of_two(table):
    X, y = table
    # 25 passes at 1 ms per row in half of 1000 s: 20 000 rows, rounded down.
    assert affordable_rows(Slow(), X, y, seconds=1000.0) == 2**14


def test_enough_time_keeps_all_rows(table):
    X, y = table
    assert affordable_rows(Slow(), X, y, seconds=1e5) == 100_000
    assert affordable_rows(Slow(), X, y, seconds=math.inf) == 100_000


def test_small_tables_are_never_cut(table):
    X, y = table
    assert affordable_rows(Slow(), X.iloc[:3000], y[:3000], seconds=1e-9) == 3000
    assert affordable_rows(Slow(), X, y, seconds=1e-9) == FEWEST_ROWS


def test_a_sample_keeps_the_classes_in_proportion():
    rows, y = np.arange(100, 300), np.repeat([0, 1], [220, 80])
    kept = sample(rows, y, 50, stratify=True, seed=0)
    assert len(set(kept.tolist())) == 50
    assert kept.min() >= 100
    assert np.bincount(y[kept]).tolist() == [30, 20]


def test_a_sample_of_everything_is_everything():
    rows = np.arange(7)
    assert sample(rows, rows, 7, stratify=False, seed=0) is rows
