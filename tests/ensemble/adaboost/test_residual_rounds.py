"""AdaBoost.R2 (tree.12)."""

from itertools import islice

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Empirical
from margin.ensemble.adaboost._residual_rounds import (
    relative_loss,
    residual_rounds,
    weighted_median,
)
from margin.ensemble.adaboost._round import EXHAUSTED, PERFECT


def test_losses_run_from_zero_to_one():
    residual = np.array([0.0, -2.0, 4.0])
    assert_allclose(relative_loss(residual, "linear"), [0.0, 0.5, 1.0])
    assert_allclose(relative_loss(residual, "square"), [0.0, 0.25, 1.0])
    assert_allclose(relative_loss(residual, "exponential"), [0, 1 - np.exp(-0.5), 1 - np.exp(-1)])
    assert_allclose(relative_loss(np.zeros(3), "linear"), 0.0)


def run(answers, y, n, weight=None, rate=1.0):
    supply = iter(answers)
    start = np.ones(len(y)) if weight is None else weight
    return list(
        islice(residual_rounds(lambda w: next(supply), np.asarray, y, start, rate, "linear"), n)
    )


def test_one_round_by_hand():
    y = np.array([0.0, 1.0, 2.0, 3.0])
    _, state = run([np.array([0.0, 1.0, 2.0, 5.0])], y, 2)
    mean = 0.25
    beta = mean / (1 - mean)
    assert state.x[0].error == pytest.approx(mean)
    assert state.x[0].vote == pytest.approx(-np.log(beta))
    weight = np.array([beta, beta, beta, 1.0])
    assert_allclose(state.extras["weight"], weight / weight.sum())
    assert state.objective == pytest.approx(weight.mean())


def test_perfect_and_useless_learners_end_the_search():
    y = np.array([0.0, 1.0, 2.0, 3.0])
    good = np.array([0.0, 1.0, 2.0, 5.0])
    assert run([good, y], y, 9)[-1].done == PERFECT
    assert run([good, y], y, 9)[-1].x[1].vote > run([good, y], y, 9)[-1].x[0].vote
    bad = run([good, y + 1.0], y, 9)[-1]
    assert bad.done == EXHAUSTED
    assert len(bad.x) == 1
    alone = run([y + 1.0], y, 9)[-1]
    assert len(alone.x) == 1  # a single learner is kept, whatever it is worth


def test_rows_without_weight_do_not_set_the_scale():
    y = np.array([0.0, 1.0, 2.0, 3.0])
    answer = np.array([0.0, 1.1, 2.0, 500.0])
    state = run([answer], y, 2, weight=np.array([1.0, 1.0, 1.0, 0.0]))[-1]
    assert state.x[0].error == pytest.approx(1 / 3)
    assert state.extras["weight"][3] == 0.0


def test_the_median_is_that_of_the_distribution_of_the_answers():
    """Blocks of rows, ties of answers, halves of votes met exactly."""
    rng = np.random.default_rng(3)
    answers = rng.integers(0, 5, size=(3000, 6)).astype(float)
    votes = np.array([1.0, 2.0, 0.0, 3.0, 1.0, 1.0])
    assert_allclose(weighted_median(answers, votes), Empirical(answers, votes).quantile(0.5))
    assert_allclose(weighted_median(np.array([[4.0, 2.0]]), np.array([0.3, 0.3])), [2.0])
