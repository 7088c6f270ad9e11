"""Who leads, who is hopelessly behind."""

import numpy as np
import pytest

from margin.evaluation.race._fold import Outcome
from margin.evaluation.race._scoreboard import Scoreboard, adjusted


def board(**scores):
    """Scores by fold; block scores scatter around them by a hundredth, the same for all."""
    rng = np.random.default_rng(0)
    noise = rng.normal(scale=0.01, size=(10, 10))
    filled = Scoreboard(0.25)
    for name, folds in scores.items():
        own = np.random.default_rng(len(name)).normal(scale=0.01, size=10)
        for fold, score in enumerate(folds):
            blocks = tuple(score + noise[fold] + own - own.mean())
            filled.add(Outcome(name, fold, score, seconds=1.0 + fold, blocks=blocks))
    return filled


def test_the_leader_has_the_best_mean():
    filled = board(a=[0.8, 0.9], bb=[0.9, 0.95], ccc=[0.1, 0.2])
    assert filled.ranked(["a", "bb", "ccc", "absent"]) == ["bb", "a", "ccc"]
    assert filled.seconds("a") == 2.0
    assert filled.last("a").fold == 1


def test_equal_scores_rank_by_name_and_nan_last():
    assert board(b=[0.5], a=[0.5], c=[float("nan")]).ranked("abc") == ["a", "b", "c"]


def test_the_hopeless_leave_and_say_how_far_behind():
    filled = board(a=[0.9], bb=[0.895], ccc=[0.89], dddd=[0.2], eeeee=[0.888])
    leaving = filled.hopeless(["a", "bb", "ccc", "dddd", "eeeee"])
    assert list(leaving) == ["dddd"]
    assert leaving["dddd"].startswith("0.700 ± ")
    assert leaving["dddd"].endswith("behind a after 1 fold")


def test_the_best_three_stay_however_far_apart():
    assert board(a=[0.9], bb=[0.5], ccc=[0.1]).hopeless(["a", "bb", "ccc"]) == {}


def test_credit_keeps_a_model_in():
    filled = board(a=[0.9], bb=[0.9], ccc=[0.9], dddd=[0.7])
    names = ["a", "bb", "ccc", "dddd"]
    assert set(filled.hopeless(names)) == {"dddd"}
    assert filled.hopeless(names, {"dddd": 0.3}) == {}


def test_missed_folds_are_accounted_for():
    # Fold 1 is hard for everyone: the model that missed it is not the better for it.
    means = adjusted({"a": {0: 0.9, 1: 0.3}, "b": {0: 0.85}, "c": {1: 0.35}})
    assert means == pytest.approx({"a": 0.6, "b": 0.55, "c": 0.65})


def test_without_common_folds_the_mean_stands():
    assert adjusted({"a": {0: 0.9, 1: 0.3}, "b": {5: 0.4}})["b"] == 0.4
    assert adjusted({}) == {}


def test_a_fold_that_is_run_again_replaces_the_first():
    filled = board(a=[0.9, 0.8])
    filled.add(Outcome("a", 0, 0.1))
    assert [(o.fold, o.score) for o in filled.outcomes(["a", "b"])] == [(0, 0.1), (1, 0.8)]
