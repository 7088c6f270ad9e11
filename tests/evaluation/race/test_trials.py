"""First fits on few rows."""

import numpy as np
import pandas as pd
import pytest

from margin.core import Card
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import Outcome
from margin.evaluation.race._pool import Pool
from margin.evaluation.race._prepared import prepare
from margin.evaluation.race._trials import Trials, fold_costs, try_out
from margin.evaluation.table._problem import state_problem

COST = {1: "linear", 2: "quadratic", 3: "cubic"}


def training_of(n, p):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n, p))).add_prefix("x")
    return state_problem(frame.assign(y=rng.normal(size=n)), "y").training(np.arange(n), 0)


@pytest.fixture
def tried(fake, clock):
    """Trials of one model of known cost, and the fold they were made on."""

    def run(n, p, *, seconds=1e9, **cost):
        training = training_of(n, p)
        fold = prepare(training, 0)
        card = Card(tasks=("regression",), cost=COST[cost.get("power", 1)])
        entrant = Entrant("m", "x", fake.Costly(**cost), card)
        trials = try_out([entrant], fold, Pool(1, training.metric), seconds=seconds, n_folds=5)
        return entrant, trials["m"], fold

    return run


@pytest.mark.parametrize("power", [1, 2, 3])
def test_the_cost_of_a_fold_is_read_off_small_fits(tried, fake, power):
    entrant, trials, fold = tried(5000, 3, unit=1e-9, power=power)
    assert [rows for rows, _ in fake.Costly.fits] == [64, 64, 256, 1024]
    assert fold_costs(entrant, trials, fold)[0] == pytest.approx(1e-9 * 4000**power, rel=1e-6)


def test_a_slow_model_is_tried_on_few_rows_only(tried, fake, clock):
    _, trials, _ = tried(5000, 3, seconds=50.0, unit=1e-4, power=3)
    assert {rows for rows, _ in fake.Costly.fits} == {64}
    assert trials.stopped
    assert clock.now <= 2.0


def test_wide_tables_are_approached_step_by_step(tried, fake):
    tried(60, 700, unit=1e-6)
    assert [columns for _, columns in fake.Costly.fits] == [200, 200, 500, 700]


def test_all_trials_together_have_an_end(fake, clock):
    training = training_of(5000, 3)
    fold = prepare(training, 0)
    field = [Entrant(f"m{i}", "x", fake.Costly(unit=0.9, power=0)) for i in range(100)]
    pool = Pool(1, training.metric)
    trials = try_out(field, fold, pool, seconds=50.0, n_folds=5)
    assert clock.now <= 0.2 * 50.0 + 1.0
    assert sum(bool(t.costs) for t in trials.values()) == 12


def test_a_model_that_fails_costs_nothing_yet(fake, line_training):
    fold = prepare(line_training, 0)
    entrant = Entrant("bad", "x", fake.Failing())
    pool = Pool(1, line_training.metric)
    trials = try_out([entrant], fold, pool, seconds=1.0, n_folds=5)
    assert trials["bad"].costs == []
    assert set(fold_costs(entrant, trials["bad"], fold).values()) == {0.0}


def test_a_repeated_trial_keeps_the_shorter_time():
    trials = Trials()
    for seconds in (0.9, 0.1):
        trials.add(Outcome("m", 0, 0.5, seconds, rows=64), 3, 10)
    assert [t.seconds for t in trials.costs] == [0.1]
    assert trials.scores == [(64, 0.5)]


def test_predictions_for_more_rows_cost_more():
    trials = Trials()
    trials.add(Outcome("m", 0, 0.5, 1.0, predict_seconds=0.5, rows=64), 3, 4000)
    assert trials.costs[0].seconds == pytest.approx(0.5 + 4 * 0.5)


def test_credit_continues_the_growth_of_the_score():
    trials = Trials(scores=[(64, 0.1), (256, 0.5), (1024, 0.6)])
    assert trials.credit(1024) == 0.0
    assert trials.credit(4096) == pytest.approx(0.1)
    assert Trials(scores=[(64, 0.5), (256, 0.4)]).credit(4096) == 0.0
    assert Trials().credit(4096) == 0.0
