import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import confusion_matrix

from margin.report import _statistics


def test_reliability_bins_partition_the_rows_and_match_plain_averages():
    rng = np.random.default_rng(0)
    p = rng.uniform(size=400)
    happened = rng.uniform(size=400) < p**2
    found = _statistics.reliability(p, happened)
    assert found.count.sum() == 400
    assert found.predicted @ found.count == pytest.approx(p.sum())
    assert found.observed @ found.count == pytest.approx(happened.sum())
    assert (found.low <= found.observed).all()
    assert (found.observed <= found.high).all()
    gaps = np.abs(found.predicted - found.observed)
    assert found.error == pytest.approx(np.average(gaps, weights=found.count))


def test_reliability_of_constant_and_of_few_forecasts_is_one_bin():
    found = _statistics.reliability(np.full(50, 0.25), np.arange(50) < 25)
    assert found.predicted.tolist() == [0.25]
    assert found.error == pytest.approx(0.25)
    assert len(_statistics.reliability(np.array([0.1, 0.9]), np.array([False, True])).count) == 1


def test_confusion_agrees_with_scikit_learn():
    rng = np.random.default_rng(1)
    labels = np.array(["b", "a", "c"])
    truth, guess = labels[rng.integers(3, size=60)], labels[rng.integers(3, size=60)]
    found = _statistics.confusion(truth, guess, ("b", "a", "c"))
    assert (found == confusion_matrix(truth, guess, labels=["b", "a", "c"])).all()


def test_trend_is_flat_for_a_line_of_zeros_and_keeps_the_mean():
    x = np.random.default_rng(2).normal(size=96)
    y = 3 * x + 1
    middle, mean = _statistics.trend(x, y)
    assert mean == pytest.approx(3 * middle + 1)
    assert (np.diff(middle) > 0).all()
    assert mean.mean() == pytest.approx(y.mean())


def test_trend_of_very_few_rows():
    middle, mean = _statistics.trend(np.array([1.0]), np.array([2.0]))
    assert (middle.tolist(), mean.tolist()) == ([1.0], [2.0])


def test_normal_quantiles_do_not_depend_on_location_and_scale():
    values = np.random.default_rng(3).normal(size=40)
    expected, found = _statistics.normal_quantiles(values)
    again = _statistics.normal_quantiles(5 * values - 100)[1]
    assert found == pytest.approx(again)
    assert found.mean() == pytest.approx(0, abs=1e-12)
    blom = stats.norm.ppf((np.arange(1, 41) - 0.375) / 40.25)
    assert expected == pytest.approx(blom)


def test_normal_quantiles_of_equal_values_are_zero():
    assert _statistics.normal_quantiles(np.full(4, 2.0))[1].tolist() == [0, 0, 0, 0]


def test_coverage_counts_the_ends_as_inside():
    hits, inside = _statistics.coverage(np.array([0.0, 1.0, 1.1]), np.array([[0.0, 1.0]] * 3))
    assert hits == 2
    assert inside.tolist() == [True, True, False]


def test_thinned_rows_are_different_sorted_and_repeatable():
    found = _statistics.thinned(1000, 50)
    assert len(set(found.tolist())) == 50
    assert (np.diff(found) > 0).all()
    assert (found == _statistics.thinned(1000, 50)).all()
