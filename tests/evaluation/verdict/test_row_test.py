"""Two models on the same held-out rows."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from margin.evaluation import Metric
from margin.evaluation.verdict._row_test import row_gains, row_test

RNG = np.random.default_rng(3)


def probabilities(n, k=3):
    values = RNG.random((n, k)) + 0.05
    return values / values.sum(axis=1, keepdims=True)


CLASSES = (0, 1, 2)
COSTS = ((0.0, 1.0, 2.0), (5.0, 0.0, 1.0), (1.0, 3.0, 0.0))


@pytest.mark.parametrize(
    ("metric", "draw"),
    [
        (Metric("accuracy"), lambda n: RNG.integers(0, 3, n)),
        (Metric("balanced accuracy"), lambda n: RNG.integers(0, 3, n)),
        (Metric("cost", CLASSES, costs=COSTS), lambda n: RNG.integers(0, 3, n)),
        (Metric("log loss", CLASSES), probabilities),
        (Metric("R²"), lambda n: RNG.normal(size=n)),
        (Metric("RMSE"), lambda n: RNG.normal(size=n)),
        (Metric("MAE"), lambda n: RNG.normal(size=n)),
        (Metric("D² absolute"), lambda n: RNG.normal(size=n)),
        (Metric("D² Poisson"), lambda n: RNG.normal(size=n)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_gains_of_rows_add_up_to_the_difference(metric, draw):
    y = np.r_[0, 1, 2, RNG.integers(0, 3, 60)]
    a, b = draw(63), draw(63)
    gains = row_gains(metric, y, a, b)
    assert gains.sum() == pytest.approx(metric(y, a) - metric(y, b), rel=1e-9, abs=1e-12)
    test = row_test(metric, y, a, b)
    assert test.difference == pytest.approx(gains.sum(), abs=1e-12)
    assert 0 < test.p_value <= 1


@pytest.mark.parametrize(("ahead", "behind"), [(8, 2), (30, 11), (3, 3), (0, 0), (1, 0)])
def test_of_accuracy_it_is_mcnemars_exact_test(ahead, behind):
    y = np.zeros(60, dtype=int)
    a, b = np.zeros(60, dtype=int), np.zeros(60, dtype=int)
    b[:ahead] = 1
    a[ahead : ahead + behind] = 1
    n = ahead + behind
    exact = stats.binomtest(ahead, n).pvalue if n else 1.0
    assert row_test(Metric("accuracy"), y, a, b).p_value == pytest.approx(exact, rel=1e-9)


def test_few_rows_are_tried_in_every_way():
    y, a, b = RNG.normal(size=(3, 7))
    gains = row_gains(Metric("R²"), y, a, b)
    sums = [abs(np.dot(signs, gains)) for signs in product((-1, 1), repeat=7)]
    expected = np.mean(np.array(sums) >= abs(gains.sum()) - 1e-12)
    assert row_test(Metric("R²"), y, a, b).p_value == pytest.approx(expected)


def test_random_signs_and_the_normal_law_agree():
    y = RNG.normal(size=1900)
    a, b = y + RNG.normal(size=1900), y + 1.03 * RNG.normal(size=1900)
    gains = row_gains(Metric("R²"), y, a, b)
    z = abs(gains.sum()) / np.sqrt((gains**2).sum())
    assert row_test(Metric("R²"), y, a, b).p_value == pytest.approx(2 * stats.norm.sf(z), abs=0.02)


def test_equal_models_are_rarely_told_apart():
    p = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=40)
        p.append(row_test(Metric("MAE"), y, *(y + rng.normal(size=(2, 40)))).p_value)
    assert np.mean(np.array(p) < 0.05) < 0.15


def test_a_score_that_is_no_sum_is_resampled():
    y = np.r_[np.zeros(60), np.ones(60)].astype(int)
    good = np.clip(y + 0.6 * RNG.normal(size=120), 0, 1)
    poor = RNG.random(120)
    metric = Metric("ROC AUC", (0, 1))
    two = [np.column_stack([1 - p, p]) for p in (good, poor)]
    assert row_test(metric, y, *two).p_value < 0.01
    assert row_test(metric, y, two[1], two[1]).p_value == 1.0
    assert row_test(metric, y, *two) == row_test(metric, y, *two)


@pytest.mark.parametrize("name", ["ROC AUC", "average precision"])
def test_fewer_resamples_rest_on_their_spread(name):
    rng = np.random.default_rng(1)
    y = np.r_[np.zeros(200), np.ones(60)].astype(int)
    close = y + 1.5 * rng.normal(size=(2, 260))
    metric = Metric(name, (0, 1), 1)
    two = [np.column_stack([-v, v]) for v in close]
    many, few = (row_test(metric, y, *two, resamples=r) for r in (999, 60))
    assert few.difference == many.difference
    assert few.se == pytest.approx(many.se, rel=0.4)
    assert few.p_value == 2 * stats.norm.sf(abs(few.difference) / few.se)
    assert many.p_value == pytest.approx(few.p_value, abs=0.2)
    assert row_test(metric, y, two[0], two[0], resamples=60).p_value == 1.0


def test_a_target_that_does_not_vary_decides_nothing():
    y = np.ones(20)
    assert np.isfinite(row_test(Metric("R²"), y, y, y + 1).difference)
