"""What a test set of a given size can tell."""

import numpy as np
import pytest
from scipy import stats

from margin.evaluation import SizeReport, expected_best


@pytest.mark.parametrize(("n_test", "examples"), [(100, 1), (1000, 10), (10_000, 100)])
def test_one_per_cent_in_examples(n_test, examples):
    """evaluation.06"""
    assert SizeReport(n_test, gain=0.01).examples == pytest.approx(examples)


def test_rows_needed_make_the_interval_as_wide_as_the_gain():
    """evaluation.06"""
    report = SizeReport(1000, accuracy=0.85, gain=0.02)
    n = report.rows_needed
    low, high = SizeReport(n, accuracy=0.85).interval
    assert high - low == pytest.approx(0.02, rel=0.01)


def test_report_in_words():
    text = SizeReport(500, accuracy=0.9).text
    assert text.startswith("a gain of 1.0% is 5 of 500 test rows")


def test_hill_climbing_by_luck_matches_simulation():
    """evaluation.06: the best of many worthless variants looks better than it is."""
    rng = np.random.default_rng(0)
    best = rng.binomial(50, 0.5, size=(20_000, 30)).max(axis=1) / 50
    assert expected_best(50, 30) == pytest.approx(best.mean(), abs=4 * best.std() / np.sqrt(20_000))


def test_hill_climbing_limits():
    """evaluation.06"""
    assert expected_best(80, 1, accuracy=0.7) == pytest.approx(0.7)
    assert expected_best(1, 3, accuracy=0.5) == pytest.approx(1 - 0.5**3)
    assert expected_best(20, 10**9) == pytest.approx(1.0)
    larger = [expected_best(n, 20) for n in (10, 100, 1000)]
    assert larger == sorted(larger, reverse=True)


def test_interval_has_the_level_asked_for():
    low, high = SizeReport(200, accuracy=0.5, level=0.8).interval
    z = stats.norm.ppf(0.9)
    assert high - low == pytest.approx(z / np.sqrt(200 + z**2), rel=1e-9)
