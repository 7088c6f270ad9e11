"""Median distances and cosines, against NumPy."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from margin.native.dependence.features import chebyshev_rows, fourier_features, median_distance


@pytest.mark.parametrize("n", [2, 3, 4, 5, 50, 51, 300])
@pytest.mark.parametrize("p", [1, 2, 3, 7])
def test_the_median_is_that_of_the_list(n, p):
    rng = np.random.default_rng(10 * n + p)
    smooth = rng.standard_normal((n, p))
    for X in (smooth, np.round(smooth), np.exp(80.0 * smooth), 1e-140 * smooth):
        distance = pdist(X)
        distance = distance[distance > 0]
        expected = np.median(distance) if len(distance) else 0.0
        assert median_distance(X) == pytest.approx(expected, rel=1e-15, abs=0.0)


def test_rows_without_distances():
    for X in (np.zeros((0, 2)), np.ones((1, 2)), np.ones((9, 2)), np.ones((4, 0))):
        assert median_distance(X) == 0.0


def test_one_distance_of_many_is_not_zero():
    X = np.zeros((40, 1))
    X[7] = 3.0
    assert median_distance(X) == 3.0
    X[8] = 5.0
    assert median_distance(X) == 3.0  # one of 2, and 38 each of 3 and of 5
    assert median_distance(X[6:9]) == 3.0
    assert median_distance(np.array([[0.0], [0.0], [1.0], [9.0]])) == 8.0  # 1 1 8 9 9


@pytest.mark.parametrize(("n", "p", "m"), [(0, 2, 3), (1, 1, 1), (700, 3, 5), (1025, 0, 2)])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_features_are_cosines(n, p, m, n_threads):
    rng = np.random.default_rng(n)
    columns, turns = rng.normal(size=(p, n)), rng.normal(size=(m, p))
    phase, origin = rng.uniform(size=(2, m))
    out = np.full((m, n), np.nan)
    fourier_features(columns, turns, phase, origin, out, n_threads)
    expected = np.cos(2 * np.pi * (turns @ columns + phase[:, None])) - origin[:, None]
    np.testing.assert_allclose(out, expected, atol=1e-14)


def test_cosines_all_around_and_far_away():
    t = np.concatenate([np.linspace(-3, 3, 24_001), [1e6 + 0.125, 2.0**60, -(2.0**51) - 1]])
    out = np.empty((1, len(t)))
    fourier_features(t[None], np.ones((1, 1)), np.zeros(1), np.zeros(1), out)
    near = np.abs(t) < 4
    rest = t[near] - np.round(t[near])
    np.testing.assert_allclose(out[0, near], np.cos(2 * np.pi * rest), rtol=0, atol=1e-15)
    np.testing.assert_allclose(out[0, ~near], [np.sqrt(0.5), 1.0, 1.0], atol=1e-15)
    assert (np.abs(out) <= 1.0).all()
    for bad in (np.nan, np.inf):
        one = np.empty((1, 1))
        fourier_features(np.full((1, 1), bad), np.ones((1, 1)), np.zeros(1), np.zeros(1), one)
        assert np.isnan(one).all()


def test_shapes_must_agree():
    with pytest.raises(ValueError, match="fourier_features: arrays of different shape"):
        fourier_features(np.ones((2, 3)), np.ones((4, 1)), *np.ones((2, 4)), np.ones((4, 3)))
    with pytest.raises(ValueError, match="fourier_features: arrays of different shape"):
        fourier_features(np.ones((2, 3)), np.ones((4, 2)), np.ones(4), np.ones(3), np.ones((4, 3)))


def test_rows_that_are_equal_have_equal_features():
    columns, out = np.full((3, 1301), 0.3), np.empty((9, 1301))
    turns, phase = np.random.default_rng(0).normal(size=(9, 3)), np.linspace(0, 1, 9)
    fourier_features(columns, turns, phase, np.zeros(9), out, 2)
    one = np.empty((9, 1))
    fourier_features(columns[:, :1].copy(), turns, phase, np.zeros(9), one)
    assert (out == one).all()


@pytest.mark.parametrize(("n", "count"), [(0, 3), (5, 0), (5, 1), (5, 2), (1030, 60)])
def test_polynomials(n, count):
    t = np.linspace(-1, 1, n)
    out = np.full((count, n), np.nan)
    chebyshev_rows(t, out, 3)
    expected = np.cos(np.arange(count)[:, None] * np.arccos(t))
    np.testing.assert_allclose(out, expected, atol=1e-12)
    with pytest.raises(ValueError, match="chebyshev_rows: arrays of different shape"):
        chebyshev_rows(np.zeros(n + 1), out)
