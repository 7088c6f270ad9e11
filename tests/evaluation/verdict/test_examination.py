"""What is measured about the winner."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor

from margin.evaluation.race._entrants import entrants
from margin.evaluation.race._race import race
from margin.evaluation.race._run import Clock, Run
from margin.evaluation.table._problem import state_problem
from margin.evaluation.verdict._examination import examine_winner
from margin.evaluation.verdict._winner import refit_winner


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("margin.evaluation.table._folds._REPEATS", 1)
    monkeypatch.setattr("margin.evaluation.verdict._learning_curve._SHARES", (0.5, 1.0))


@pytest.fixture
def run(line, fake):
    problem = state_problem(line, "y")
    split = problem.split(0.25, 0)
    field, _ = entrants("regression", [("Shrunk", fake.Shrunk)], 90)
    return Run(problem, split, problem.training(split.train, 0), tuple(field), jobs=1)


@pytest.fixture
def winner(run):
    return refit_winner(run, race(run))


def test_the_baseline_is_scored_on_the_same_test_rows(run, winner, line):
    examined = examine_winner(run, winner)
    train, rows = run.split.train, run.split.test
    y_test = line["y"].to_numpy()[rows]
    assert len(examined.test.y_pred) == len(rows)
    assert examined.test.score == winner.final.model.score(line.iloc[rows], y_test)
    assert examined.baseline.model == "depth-1 rule"
    assert examined.against_baseline.difference > 0
    mean = DummyRegressor().fit(np.zeros((len(train), 1)), line["y"].iloc[train])
    floor = mean.score(np.zeros((len(rows), 1)), y_test)
    assert floor < examined.baseline.score < examined.test.score


def test_residuals_go_to_the_model_that_is_handed_out_only(run, winner):
    examined = examine_winner(run, winner)
    assert examined.test.y_interval.shape == (len(run.split.test), 2)
    assert hasattr(examined.final.model, "residual_quantiles_")
    assert not hasattr(winner.final.model, "residual_quantiles_")


def test_interruption_leaves_out_what_can_be_left_out(run, winner):
    examined = examine_winner(run, replace(winner, interrupted=True))
    assert examined.curve is None
    assert examined.importances == ()
    assert examined.test.y_interval is None
    assert np.isfinite(examined.test.score)
    assert examined.interrupted


@pytest.mark.parametrize("during", ["permutation_importance", "learning_curve"])
def test_ctrl_c_during_what_is_optional_is_no_loss(run, winner, monkeypatch, during):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"margin.evaluation.verdict._examination.{during}", interrupted)
    examined = examine_winner(run, winner)
    assert examined.interrupted
    assert examined.curve is None
    assert (examined.importances == ()) == (during == "permutation_importance")


def test_ctrl_c_during_the_importances_leaves_out_what_follows(run, winner, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(
        "margin.evaluation.verdict._examination.permutation_importance", interrupted
    )
    examined = examine_winner(run, winner)
    assert examined.interrupted
    assert examined.importances == examined.effects == ()
    assert examined.explained is None


def test_no_time_left_is_no_loss(run, winner):
    examined = examine_winner(replace(run, clock=Clock(0.0)), winner)
    assert examined.curve is None
    assert examined.importances == ()
    assert np.isfinite(examined.test.score)


def test_what_is_missing_has_its_reason(run, winner, monkeypatch):
    assert examine_winner(run, winner).missing == ()
    late = dict(examine_winner(replace(run, clock=Clock(0.0)), winner).missing)
    assert {"learning curve", "importance", "effects", "explanation", "intervals"} <= set(late)
    assert all("time budget was spent" in why for why in late.values())
    stopped = dict(examine_winner(run, replace(winner, interrupted=True)).missing)
    assert set(stopped) == set(late)
    assert all("interrupted" in why for why in stopped.values())

    def lacking(*args, **kwargs):
        raise ValueError("the folds lack a class")

    monkeypatch.setattr("margin.evaluation.verdict._examination.learning_curve", lacking)
    assert examine_winner(run, winner).missing == (("learning curve", "the folds lack a class"),)


def test_little_time_means_fewer_resamples(run, winner):
    assert examine_winner(run, winner).test.resamples == 999
    assert examine_winner(replace(run, clock=Clock(0.0)), winner).test.resamples == 50


@pytest.mark.parametrize("k", [2, 3])
def test_every_class_has_its_curves(line, fake, k):
    line["y"] = np.array(["a", "b", "c"])[:k][np.arange(len(line)) % k]
    line["x"] = np.arange(len(line)) % k + 0.1 * np.sin(np.arange(len(line)))
    problem = state_problem(line, "y")
    split = problem.split(0.25, 0)
    field, _ = entrants("classification", [("Logit", fake.Logit)], 90, n_classes=k)
    run = Run(problem, split, problem.training(split.train, 0), tuple(field), jobs=1)
    examined = examine_winner(run, refit_winner(run, race(run)))
    found = [curve.positive for curve in examined.curves]
    assert found == (["a", "b", "c"] if k == 3 else [problem.metric.positive])
    assert [curve.threshold is None for curve in examined.curves] == [k == 3] * len(found)
    for curve in examined.curves:
        assert curve.share == np.mean(run.held_out[1] == curve.positive)
        assert curve.roc_auc > 0.9
