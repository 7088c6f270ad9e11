"""The winner before the test rows."""

import time

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor

from margin.evaluation import compare
from margin.evaluation.race._entrants import entrants
from margin.evaluation.race._race import Progress, race
from margin.evaluation.table._problem import state
from margin.evaluation.verdict._final import refit
from margin.evaluation.verdict._judge import judge
from margin.evaluation.verdict._standings import standings


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("margin.evaluation.race._folds._REPEATS", 1)
    monkeypatch.setattr("margin.evaluation.verdict._learning_curve._SHARES", (0.5, 1.0))


@pytest.fixture
def stage(line, fake):
    problem = state(line, "y")
    split = problem.split(0.25, 0)
    arena = problem.arena(split.train, 0)
    field, _ = entrants("regression", [("Shrunk", fake.Shrunk)], 90)
    run = race(arena, field, deadline=np.inf, jobs=1)
    results = standings(arena, field, run)
    final = refit(arena, field[-1], {})
    return problem, split, arena, results, field, final, run


def test_the_baseline_is_scored_on_the_same_test_rows(stage, line):
    found = judge(*stage, np.inf, Progress())
    rows = stage[1].test
    assert found.n_test == len(found.y_test) == len(rows)
    np.testing.assert_array_equal(found.y_test, line["y"].to_numpy()[rows])
    assert found.test_score == stage[5].model.score(line.iloc[rows], found.y_test)
    assert found.baseline.model == "depth-1 rule"
    train = stage[1].train
    mean = DummyRegressor().fit(np.zeros((len(train), 1)), line["y"].iloc[train])
    floor = mean.score(np.zeros((len(rows), 1)), found.y_test)
    assert floor < found.baseline.score < found.test_score


def test_interruption_leaves_out_what_can_be_left_out(stage):
    stage[-1].interrupted = True
    found = judge(*stage, np.inf, Progress())
    assert found.learning_curve is None
    assert found.importances == ()
    assert found.y_interval is None
    assert np.isfinite(found.test_score)
    assert found.interrupted


def test_ctrl_c_during_the_learning_curve_is_no_loss(stage, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("margin.evaluation.verdict._judge.learning_curve", interrupted)
    found = judge(*stage, np.inf, Progress())
    assert found.interrupted
    assert found.importances == ()


def test_no_time_left_is_no_loss(stage):
    found = judge(*stage, time.perf_counter(), Progress())
    assert found.learning_curve is None
    assert found.importances == ()
    assert np.isfinite(found.test_score)


def test_rare_classes_are_reported(two_classes, fake):
    two_classes.loc[:3, "label"] = "odd"
    found = compare(two_classes, "label", models=[("Logit", fake.Logit)], budget=None, jobs=1)
    assert any("'odd'" in text for text in found.warnings)
    assert found.metric == "balanced accuracy"
