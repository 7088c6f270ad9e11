"""Tests of residuals over environments: level, power, and other implementations."""

import numpy as np
import pytest
from scipy import stats

from margin.causal.discovery.invariance._residual_tests import same_line, same_normal, same_ranks


@pytest.mark.parametrize("test", [same_normal, same_ranks])
def test_the_level_holds_and_differences_are_seen(test):
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], [30, 40, 50])
    quiet = [test(rng.standard_normal(120), groups) for _ in range(400)]
    assert np.mean(np.array(quiet) < 0.05) < 0.075
    loud = rng.standard_normal(120)
    assert test(loud + 3 * (groups == 1), groups) < 1e-6
    assert test(loud * np.where(groups == 2, 5.0, 1.0), groups) < 1e-6


def test_two_groups_as_in_scipy():
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal(20), 1.4 * rng.standard_normal(31) + 0.3
    groups = np.repeat([0, 1], [20, 31])
    t = stats.ttest_ind(a, b, equal_var=False).pvalue
    ratio = a.var(ddof=1) / b.var(ddof=1)
    f = 2 * min(stats.f.cdf(ratio, 19, 30), stats.f.sf(ratio, 19, 30))
    assert same_normal(np.concatenate([a, b]), groups) == pytest.approx(min(1, 2 * min(t, f)))
    w = stats.mannwhitneyu(a, b).pvalue
    spread = stats.levene(a, b, center="median").pvalue
    assert same_ranks(np.concatenate([a, b]), groups) == pytest.approx(min(1, 2 * min(w, spread)))


def test_chow_is_exact_and_equals_its_long_form():
    rng = np.random.default_rng(2)
    groups = np.repeat([0, 1], [8, 12])
    p_values = []
    for _ in range(1500):
        X = np.column_stack([np.ones(20), rng.standard_normal((20, 2))])
        y = X @ [1.0, 2.0, -1.0] + rng.standard_normal(20)
        p_values.append(same_line(X, y, groups))
    assert abs(np.mean(np.array(p_values) < 0.1) - 0.1) < 0.025
    away, here = groups == 1, groups == 0
    inverse = np.linalg.inv(X[away].T @ X[away])
    line = inverse @ X[away].T @ y[away]
    error = y[here] - X[here] @ line
    variance = np.sum((y[away] - X[away] @ line) ** 2) / 9
    spread = np.eye(8) + X[here] @ inverse @ X[here].T
    first = stats.f.sf(error @ np.linalg.solve(spread, error) / (8 * variance), 8, 9)
    assert same_line(X, y, groups) <= 2 * first + 1e-12


def test_residuals_of_no_size():
    groups = np.repeat([0, 1], 5)
    assert same_normal(np.zeros(10), groups) == 1.0
    assert same_normal(np.repeat([0.0, 1.0], 5), groups) == 0.0
    assert same_normal(np.r_[np.zeros(5), np.arange(5.0) - 2], groups) == 0.0
    assert same_ranks(np.zeros(10), groups) == 1.0
    assert same_line(np.ones((10, 1)), np.ones(10), groups) == 1.0
