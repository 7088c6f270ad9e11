"""How far one model is behind another."""

import math

import numpy as np
import pytest

from margin.evaluation import Metric
from margin.evaluation.race._evidence import BLOCKS, Gap, block_scores, gap, hopeless


def test_pseudo_values_of_a_mean_are_the_means_of_the_blocks():
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, (2, 200))
    number = np.arange(200) % BLOCKS
    expected = [np.mean((y == p)[number == b]) for b in range(BLOCKS)]
    np.testing.assert_allclose(block_scores(Metric("accuracy"), y, p), expected)


def test_accuracy_in_one_pass_is_the_jackknife_of_any_score():
    rng = np.random.default_rng(1)
    y, p = rng.choice(["a", "b", "c"], (2, 83))
    number = np.arange(83) % BLOCKS
    score = Metric("accuracy")
    expected = [
        BLOCKS * score(y, p) - (BLOCKS - 1) * score(y[number != b], p[number != b])
        for b in range(BLOCKS)
    ]
    np.testing.assert_allclose(block_scores(score, y, p), expected)


@pytest.mark.parametrize("name", ["R²", "balanced accuracy"])
def test_the_mean_of_pseudo_values_is_about_the_score(name):
    rng = np.random.default_rng(2)
    y = rng.normal(size=400) if name == "R²" else rng.integers(0, 3, 400)
    p = y + 0.5 * rng.normal(size=400) if name == "R²" else np.where(rng.random(400) < 0.7, y, 0)
    metric = Metric(name)
    assert np.mean(block_scores(metric, y, p)) == pytest.approx(metric(y, p), abs=0.01)


def test_a_handful_of_rows_has_no_blocks():
    assert block_scores(Metric("R²"), np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])) == ()


def test_the_gap_is_paired_over_common_folds():
    rng = np.random.default_rng(3)
    noise = rng.normal(size=(3, 10))
    first = {f: list(0.9 + noise[f]) for f in range(3)}
    second = {f: list(0.8 + noise[f]) for f in (0, 2)}
    difference, se = gap(first, second, test_share=0.25)
    assert difference == pytest.approx(0.1)
    assert se == pytest.approx(0.0, abs=1e-12)


def test_the_error_grows_with_shared_training_rows():
    blocks = {0: [0.1, 0.3, 0.2, 0.4]}, {0: [0.0, 0.0, 0.0, 0.0]}
    alone = gap(*blocks, test_share=0.0).se
    assert alone == pytest.approx(np.std([0.1, 0.3, 0.2, 0.4], ddof=1) / 2)
    assert gap(*blocks, test_share=0.25).se == pytest.approx(alone * math.sqrt(1.25))


@pytest.mark.parametrize("second", [{}, {1: [0.1] * 10}, {0: [math.nan] * 10}, {0: ()}])
def test_nothing_in_common_is_no_evidence(second):
    advantage = gap({0: [0.5] * 10}, second, test_share=0.25)
    assert advantage.se == math.inf
    assert not hopeless(advantage, 0)


def test_credit_keeps_a_model_in():
    assert hopeless(Gap(0.2, 0.01), 1)
    assert not hopeless(Gap(0.2, 0.01), 1, credit=0.18)
    assert hopeless(Gap(0.2, 0.01), 1, credit=-5.0)
    assert not hopeless(Gap(-0.2, 0.0), 1)
