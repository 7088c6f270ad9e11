import math

import numpy as np
import pytest
from sklearn.base import is_classifier

from benchmarks.everywhere import cells, page
from benchmarks.everywhere.pairs import COLUMNS, Pair, pairs, score, table


@pytest.fixture(scope="module")
def every():
    return {pair.name: pair for pair in pairs()}


@pytest.fixture
def hurried(monkeypatch):
    monkeypatch.setattr(cells, "PAUSE", 0.0)
    monkeypatch.setattr(cells, "BLOCK_SECONDS", 1e-4)
    monkeypatch.setattr(cells, "BLOCKS", 1)


def stored(*cells):
    fields = ("model", "work", "rows", "column", "ours", "theirs")
    found = [dict(zip(fields, cell, strict=True), family="linear") for cell in cells]
    return {"run": "today", "others_busy": 0.0, "cells": found}


def test_every_pair_is_ours_and_theirs(every):
    assert {"Ridge", "SVC", "GaussianProcessRegressor", "OneVsRestClassifier"} <= set(every)
    for pair in every.values():
        assert type(pair.ours).__module__.startswith("margin.")
        assert type(pair.theirs).__module__.startswith("sklearn.")
    assert every["Ridge"].answer == "predict"
    assert type(every["OneVsRestClassifier"].ours.estimator).__module__ == "margin.linear"


def test_tables_suit_their_models(every):
    X, y = table(every["MultinomialNB"].ours, 50)
    assert X.shape == (50, COLUMNS)
    assert (X >= 0).all()
    assert set(np.unique(y)) == {0, 1}
    assert (table(every["PoissonRegressor"].ours, 50)[1] > 0).all()
    assert np.array_equal(table(every["Ridge"].ours, 50)[0], table(every["Ridge"].ours, 50)[0])


def test_the_same_answers_on_both_sides(every):
    for name in ("Ridge", "GaussianNB"):
        pair = every[name]
        X, y = table(pair.ours, 80)
        both = [score(m, m.fit(X, y).predict(X), y) for m in (pair.ours, pair.theirs)]
        assert both[0] == pytest.approx(both[1])
        assert both[0] > 0.7
        assert is_classifier(pair.ours) == (name == "GaussianNB")
    assert score(every["OneClassSVM"].ours, np.ones(2), np.ones(2)) is None


def test_a_pair_is_measured_at_every_size(every, hurried):
    measured = list(cells.measure_pair(every["Ridge"], (20, 40)))
    assert [(c.work, c.rows) for c in measured] == [
        ("fit", 20), ("predict", 20), ("fit", 40), ("predict", 40),
    ]  # fmt: skip
    assert all(0 < c.ours < 10 and 0 < c.theirs < 10 for c in measured)
    assert measured[1].our_score == pytest.approx(measured[1].their_score)


class Slow:
    """A model that says it takes long."""

    def fit(self, X, y):
        return self


def test_a_model_that_grows_fast_stops_early(hurried, monkeypatch):
    asked = []
    seconds = {100: 0.01, 1_000: 0.9, 300: 0.1, 3_000: 9.0}

    def alternate(ours, theirs):
        rows = len(asked_rows[-1])
        asked.append(rows)
        return seconds[rows], 0.5 * seconds[rows]

    asked_rows = []

    def data(model, rows):
        asked_rows.append(np.zeros((rows, 1)))
        return asked_rows[-1], np.zeros(rows)

    monkeypatch.setattr(cells, "alternate", alternate)
    monkeypatch.setattr(cells, "table", data)
    pair = Pair("Slow", "none", Slow(), Slow(), "")
    assert [c.rows for c in cells.measure_pair(pair)] == [100, 1_000]
    assert asked == [100, 1_000]


def test_growth_is_expected_to_go_on():
    assert cells.expected(400, [(100, 1.0)]) == pytest.approx(8.0)
    assert cells.expected(1000, [(10, 1.0), (100, 100.0)]) == pytest.approx(1e4)
    assert cells.expected(1000, [(10, 1.0), (100, 1.0)]) == pytest.approx(10.0)


def test_the_best_of_both_sides_counts(hurried):
    ours, theirs = cells.alternate(lambda: sum(range(2_000)), lambda: sum(range(200_000)))
    assert 0 < ours < theirs < math.inf


def test_the_whole_table_is_plain_values(hurried, monkeypatch, every):
    monkeypatch.setattr(cells, "pairs", lambda: [every["Ridge"]])
    said = []
    measured = cells.measure(said.append, (20,))
    assert [cell["work"] for cell in measured["cells"]] == ["fit", "predict"]
    assert len(said) == 2
    assert "Ridge fit 20" in said[0]


def test_what_is_asked():
    good = stored(("A", "fit", 100, 100, 1.0, 5.0), ("A", "predict", 100, 100, 1.0, 2.0))
    assert [asked.met for asked in page.requirements(good)] == [True, True]
    bad = stored(("A", "fit", 1000, 1000, 1.0, 0.5), ("B", "fit", 100, 100, 1.0, 9.0))
    slower, mean = page.requirements(bad)
    assert not slower.met
    assert slower.attained == "0.50 × (A.fit at 1 000)"
    assert mean.attained == "2.12 ×"
    assert page.requirements(stored()) == []


def test_the_table_of_the_page():
    text, head, rows = page.section(
        stored(
            ("A", "fit", 100, 100, 1e-3, 5e-3),
            ("A", "fit", 3000, 10_000, 2.0, 1.0),
            ("A", "predict", 100, 100, 1e-3, 4e-3),
        )
    )
    assert head == ["model", "work", "100", "10 000"]
    assert rows == [
        ["linear.A", "fit", "5.00 × (1 ms)", "**0.50 ×** at 3 000 (2e+03 ms)"],
        ["linear.A", "predict", "4.00 × (1 ms)", "—"],
    ]
    assert "of the fits: 1.58 ×" in text
    assert "1 of 3" in text
