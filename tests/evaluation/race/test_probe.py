"""How long a fit will take."""

import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from margin.core import Card
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._probe import Probe, affordable
from margin.evaluation.race._run import Clock
from margin.evaluation.table._problem import state_problem


class Cost(BaseEstimator):
    """A fit of known cost on a clock of its own."""

    now = 0.0
    tried: list = []

    def __init__(self, rows=1, columns=1, unit=1e-6):
        self.rows, self.columns, self.unit = rows, columns, unit

    def fit(self, X, y):
        Cost.tried.append(X.shape)
        Cost.now += self.unit * X.shape[0] ** self.rows * X.shape[1] ** self.columns
        return self


def arena_of(n, p):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n, p))).add_prefix("x")
    return state_problem(frame.assign(y=rng.normal(size=n)), "y").training(np.arange(n), 0)


@pytest.fixture
def clock(monkeypatch):
    Cost.now, Cost.tried = 0.0, []
    monkeypatch.setattr(time, "perf_counter", lambda: Cost.now)


def entrant(growth="linear", **cost):
    return Entrant("m", "x", Cost(**cost), Card(tasks=("regression",), cost=growth))


@pytest.mark.parametrize(("growth", "rows"), [("linear", 1), ("quadratic", 2), ("cubic", 3)])
def test_growth_with_the_rows_is_that_of_the_card(clock, growth, rows):
    probe = Probe(arena_of(2500, 3), most_seconds=1e9)
    estimate = probe(entrant(growth, rows=rows, unit=1e-9), 10_000)
    assert estimate == pytest.approx(1e-9 * 10_000**rows * 3)


def test_wide_tables_are_approached_step_by_step(clock):
    probe = Probe(arena_of(30, 700), most_seconds=4.0)
    estimate = probe(entrant(columns=3, unit=1e-9), 30)
    assert max(columns for _, columns in Cost.tried) == 500
    assert estimate == pytest.approx(1e-9 * 30 * 700**3)


def test_no_trial_is_longer_than_the_allowance(clock):
    probe = Probe(arena_of(30, 700), most_seconds=1.0)
    before = Cost.now
    probe(entrant(columns=3, unit=1e-7), 30)
    assert Cost.now - before < 1e-7 * 30 * 200**3 + 1.0


def test_a_model_that_fails_counts_as_instant(fake):
    probe = Probe(arena_of(60, 2), most_seconds=1.0)
    assert probe(Entrant("bad", "x", fake.Failing()), 1000) == 0.0


def test_quick_models_come_first_and_slow_ones_stay_away(line_run, monkeypatch):
    monkeypatch.setattr(time, "perf_counter", lambda: Cost.now)
    Cost.now = 0.0
    field = [
        Entrant("slow", "x", Cost(unit=1e-3)),
        Entrant("never", "x", Cost(unit=1.0)),
        Entrant("base", "x", Cost(), is_baseline=True),
        Entrant("quick", "x", Cost()),
    ]
    run = affordable(line_run(field, jobs=1, clock=Clock(1e3, 0.0)))
    assert [e.name for e in run.entrants] == ["base", "quick", "slow"]
    assert [name for name, _ in run.skipped] == ["never"]
