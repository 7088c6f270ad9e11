"""Distance covariance and correlation (distributions.19)."""

import resource

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import (
    distance_correlation,
    distance_correlation_test,
    distance_covariance,
)


def by_matrices(x, y):
    n = len(x)
    C = np.eye(n) - 1 / n
    A = C @ np.linalg.norm(x[:, None] - x[None], axis=-1) @ C
    B = C @ np.linalg.norm(y[:, None] - y[None], axis=-1) @ C
    return np.sqrt(np.sum(A * B)) / n


def test_worked_number():
    """distributions.19: a parabola has no Pearson correlation, but R = 0.5159234569."""
    x = np.arange(-2.0, 3.0)
    assert_allclose(np.corrcoef(x, x**2)[0, 1], 0.0, atol=1e-15)
    assert_allclose(distance_correlation(x, x**2), 0.5159234569, rtol=1e-9)


@pytest.mark.parametrize("dims", [(1, 1), (2, 1), (3, 2)])
def test_against_centred_matrices(dims):
    """distributions.19: both engines, and dimensions that differ."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(50, dims[0])), rng.normal(size=(50, dims[1]))
    y[:, 0] += x[:, 0] ** 2
    assert_allclose(distance_covariance(x, y), by_matrices(x, y))
    own = np.sqrt(by_matrices(x, x) * by_matrices(y, y))
    assert_allclose(distance_correlation(x, y), by_matrices(x, y) / own)


def test_invariance():
    """distributions.19: 1 for a turned and stretched copy, whatever the shift."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 2))
    turn = np.linalg.qr(rng.normal(size=(2, 2)))[0]
    assert_allclose(distance_correlation(x, 3.0 - 2.0 * x @ turn), 1.0)
    assert_allclose(distance_correlation(x[:, 0], 5.0 - x[:, 0]), 1.0)
    assert distance_correlation(x[:, 0], np.ones(30)) == 0.0


def test_squared_distances_give_the_covariance():
    """distributions.19: centred squared distances are -2 times the products, so 4 Cov^2."""
    x, y = np.random.default_rng(0).normal(size=(2, 40))
    C = np.eye(40) - 1 / 40
    A, B = (C @ (v[:, None] - v) ** 2 @ C for v in (x, y))
    assert_allclose(np.sum(A * B) / 40**2, 4 * np.cov(x, y, ddof=0)[0, 1] ** 2)


def test_permutations():
    """distributions.19: small for dependence, uniform without it, the same by both engines."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=60)
    assert distance_correlation_test(x, x**2 + 0.1 * rng.normal(size=60)).p_value < 0.01
    line = distance_correlation_test(x, rng.normal(size=60), n_permutations=99, rng=3)
    assert 0.05 < line.p_value <= 1.0
    noise = rng.normal(size=60)
    flat = distance_correlation_test(x, noise, n_permutations=99, rng=3)
    wide = np.column_stack([x, np.zeros(60)]), np.column_stack([noise, np.zeros(60)])
    plane = distance_correlation_test(*wide, n_permutations=99, rng=3)
    assert_allclose(flat, plane)
    values = [
        distance_correlation_test(*rng.normal(size=(2, 20)), n_permutations=39, rng=s).p_value
        for s in range(60)
    ]
    assert 0.35 < np.mean(values) < 0.65


@pytest.mark.parametrize("dims", [(1, 1), (2, 1), (3, 3)])
@pytest.mark.parametrize("scale", [1e-200, 1e-3, 1e200])
def test_origin_and_unit_do_not_matter(dims, scale):
    """distributions.19: nothing is lost far from the origin, nor by squares of huge numbers."""
    rng = np.random.default_rng(1)
    x, y = (rng.integers(-(2**20), 2**20, size=(300, d)) / 2.0**20 for d in dims)
    y[:, 0] += x[:, 0] ** 2
    near = distance_correlation(x, y)
    assert_allclose(distance_correlation(x + 2.0**20, y - 2.0**20), near, rtol=1e-9)
    assert_allclose(distance_correlation(scale * x, y / scale), near, rtol=1e-12)
    covariance = distance_covariance(x, y)
    assert_allclose(distance_covariance(scale * x, y), np.sqrt(scale) * covariance, rtol=1e-12)


@pytest.mark.parametrize("dims", [(1, 1), (2, 2)])
def test_independent_columns_keep_their_digits(dims):
    """distributions.19: what is left of many pairs is small, and must not be rounding."""
    x, y = (np.random.default_rng(d).normal(size=(1000, d)) for d in dims)
    own = np.sqrt(by_matrices(x, x) * by_matrices(y, y))
    assert_allclose(distance_correlation(x, y), by_matrices(x, y) / own, rtol=1e-10)


def test_constants_and_single_rows():
    rows = np.random.default_rng(0).normal(size=(20, 2))
    for x in (np.full((20, 2), 0.1), np.full((20, 1), 1e6 / 3), np.zeros((20, 3))):
        assert distance_correlation(x, rows) == distance_correlation(rows[:, 0], x) == 0.0
    assert distance_correlation([1.0], [2.0]) == distance_covariance([[1.0, 3.0]], [2.0]) == 0.0


def test_memory_is_that_of_the_rows():
    """distributions.19: matrices of 6 000 rows would be 288 MB each."""
    x, y = np.random.default_rng(0).normal(size=(2, 6000, 2))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert 0 < distance_correlation(x, y) < 0.1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_early_stop_by_both_engines():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(2, 40))
    wide = np.column_stack([x, np.zeros(40)])
    line, plane = (
        distance_correlation_test(first, y, n_permutations=500, enough=5, rng=0)
        for first in (x, wide)
    )
    assert_allclose(line, plane)
    drawn = 5 / line.p_value
    assert drawn == pytest.approx(round(drawn))
    assert drawn < 500


def test_refusals():
    with pytest.raises(ValueError, match="distance_covariance: y must be of 2 rows, got 3"):
        distance_covariance([1.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="distance_correlation: x must be finite rows"):
        distance_correlation([np.nan], [1.0])
    with pytest.raises(ValueError, match="n_permutations must be an integer of at least 1"):
        distance_correlation_test([1.0], [1.0], n_permutations=0)
