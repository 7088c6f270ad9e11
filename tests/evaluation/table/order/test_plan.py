"""Rows that may judge others."""

import numpy as np
import pytest

from margin.evaluation.table.order._plan import Plan

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 200)


def test_the_latest_rows_judge():
    order = RNG.permutation(200).astype(float)
    split = Plan("time", order).holdout(Y, test_size=0.25, stratify=True, seed=0)
    assert len(split.test) == 50
    assert order[split.train].max() < order[split.test].min()


def test_rows_of_one_time_stay_together():
    order = np.repeat(np.arange(8.0), 25)
    plan = Plan("time", order)
    split = plan.holdout(Y, test_size=0.25, stratify=True, seed=0)
    assert set(order[split.test]) == {6.0, 7.0}
    for train, test in plan.folds(Y, stratify=True, seed=0):
        assert order[train].max() < order[test].min()


def test_folds_go_forward_and_judge_no_row_twice():
    order = RNG.permutation(200).astype(float)
    folds = Plan("time", order).folds(Y, stratify=True, seed=0)
    assert len(folds) == 5
    judged = np.concatenate([test for _, test in folds])
    assert len(np.unique(judged)) == len(judged)
    sizes = [len(train) for train, _ in folds]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("stratify", [True, False])
def test_groups_are_never_torn_apart(stratify):
    groups = RNG.integers(0, 23, 200)
    plan = Plan("group", None, groups, "shop")
    split = plan.holdout(Y, test_size=0.25, stratify=stratify, seed=0)
    assert not set(groups[split.train]) & set(groups[split.test])
    assert len(split.train) + len(split.test) == 200
    folds = plan.folds(Y, stratify=stratify, seed=0)
    assert len(folds) == 10
    for train, test in folds:
        assert not set(groups[train]) & set(groups[test])
    inner = plan.take(split.train).inner(Y[split.train], 3, stratify=stratify, seed=1)
    assert all(not set(groups[split.train][a]) & set(groups[split.train][b]) for a, b in inner)


def test_groups_in_time_come_at_their_latest_row():
    groups = np.repeat(np.arange(10), 20)
    order = (groups + np.tile([0.0, 0.9], 100)).astype(float)
    order[0] = 99.0  # the first group has a late row
    plan = Plan("time", order, groups)
    split = plan.holdout(Y, test_size=0.2, stratify=False, seed=0)
    assert set(groups[split.test]) == {0, 9}
    assert not set(groups[split.train]) & set(groups[split.test])


def test_inner_folds_go_forward_too():
    plan = Plan("time", np.arange(200.0))
    for train, test in plan.inner(Y, 3, stratify=True, seed=0):
        assert train.max() < test.min()
    assert Plan("time", np.zeros(5)).inner(Y[:5], 3, stratify=False, seed=0) is None
    assert Plan().inner(Y, 3, stratify=True, seed=0) is None


def test_in_words():
    plan = Plan("time", np.arange(60.0), name="day")
    folds = plan.folds(Y[:60], stratify=False, seed=0)
    assert plan.in_words(folds, 5) == "5 folds forward in time (day)"
    assert plan.in_words(folds, 2) == "5 folds forward in time (day), 2 of them run"
    groups = Plan("group", None, np.arange(60) % 9, "shop")
    words = groups.in_words(groups.folds(Y[:60], stratify=True, seed=0), 10)
    assert words == "10 folds of whole groups (shop)"
    plain = Plan().folds(Y[:60], stratify=True, seed=0)
    assert Plan().in_words(plain, 10) == "2 × 5-fold cross-validation"
