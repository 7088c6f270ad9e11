"""Median distances and cosines, against NumPy."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from margin.native import _native
from margin.native.dependence.features import (
    Functions,
    function_combinations,
    function_moments,
    median_distance,
)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 20, 41, 50, 51, 300])
@pytest.mark.parametrize("p", [1, 2, 3, 7])
def test_the_median_is_that_of_the_list(n, p):
    rng = np.random.default_rng(10 * n + p)
    smooth = rng.standard_normal((n, p))
    for X in (
        smooth,
        np.round(smooth),
        np.round(3 * smooth),
        np.exp(80.0 * smooth),
        1e-140 * smooth,
    ):
        distance = pdist(X)
        distance = distance[distance > 0]
        expected = np.median(distance) if len(distance) else 0.0
        assert median_distance(X) == pytest.approx(expected, rel=1e-15, abs=0.0)


def test_rows_without_distances():
    for X in (
        np.zeros((0, 2)),
        np.zeros((0, 1)),
        np.ones((1, 1)),
        np.ones((1, 2)),
        np.ones((9, 2)),
        np.ones((4, 0)),
    ):
        assert median_distance(X) == 0.0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("p", [1, 2])
def test_what_is_not_finite_has_no_median(bad, p):
    X = np.random.default_rng(0).standard_normal((9, p))
    X[4, p - 1] = bad
    assert np.isnan(median_distance(X))


def test_one_distance_of_many_is_not_zero():
    X = np.zeros((40, 1))
    X[7] = 3.0
    assert median_distance(X) == 3.0
    X[8] = 5.0
    assert median_distance(X) == 3.0  # one of 2, and 38 each of 3 and of 5
    assert median_distance(X[6:9]) == 3.0
    assert median_distance(np.array([[0.0], [0.0], [1.0], [9.0]])) == 8.0  # 1 1 8 9 9


def cosines(columns, turns, phase, origin):
    return Functions(np.empty(0), 0, columns, turns, phase, origin)


def values(functions, n_threads=1):
    size = len(functions)
    return function_combinations(functions, np.eye(size), np.zeros(size), n_threads)


# Around the size of a block (512), and of all parts of the sums (8192).
@pytest.mark.parametrize("n", [0, 1, 7, 511, 512, 513, 1500, 8200])
@pytest.mark.parametrize(("p", "m", "count"), [(3, 5, 0), (0, 2, 1), (2, 0, 7), (1, 9, 2)])
def test_against_tables_of_functions(n, p, m, count):
    rng = np.random.default_rng(n)
    columns, turns = rng.normal(size=(p, n)), rng.normal(size=(m, p))
    turns[rng.uniform(size=turns.shape) < 0.3] = 0.0
    phase, origin = rng.uniform(size=(2, m))
    t = np.linspace(-1, 1, n)
    functions = Functions(t, count, columns, turns, phase, origin)
    table = np.vstack(
        [
            np.cos(np.arange(count)[:, None] * np.arccos(t)),
            np.cos(2 * np.pi * (turns @ columns + phase[:, None])) - origin[:, None],
        ]
    )
    np.testing.assert_allclose(values(functions), table, atol=1e-13)
    coefficients, offset = rng.normal(size=(6, m + count)), rng.normal(size=6)
    one, three = (function_combinations(functions, coefficients, offset, k) for k in (1, 3))
    np.testing.assert_allclose(one, coefficients @ table - offset[:, None], atol=1e-12)
    assert np.array_equal(one, three)
    (sums, inner), again = (function_moments(functions, k) for k in (1, 3))
    np.testing.assert_allclose(sums, table.sum(axis=1), atol=1e-12 * (n + 1))
    np.testing.assert_allclose(inner, table @ table.T, atol=1e-12 * (n + 1))
    assert np.array_equal(sums, again[0])
    assert np.array_equal(inner, again[1])


def test_cosines_all_around_and_far_away():
    t = np.concatenate([np.linspace(-3, 3, 24_001), [1e6 + 0.125, 2.0**60, -(2.0**51) - 1]])
    out = values(cosines(t[None], np.ones((1, 1)), np.zeros(1), np.zeros(1)))
    near = np.abs(t) < 4
    rest = t[near] - np.round(t[near])
    np.testing.assert_allclose(out[0, near], np.cos(2 * np.pi * rest), rtol=0, atol=1e-15)
    np.testing.assert_allclose(out[0, ~near], [np.sqrt(0.5), 1.0, 1.0], atol=1e-15)
    assert (np.abs(out) <= 1.0).all()
    for bad in (np.nan, np.inf):
        one = cosines(np.full((1, 1), bad), np.ones((1, 1)), np.zeros(1), np.zeros(1))
        assert np.isnan(values(one)).all()
        assert np.isnan(function_moments(one)[1]).all()


def test_many_polynomials():
    t = np.linspace(-1, 1, 1030)
    empty = np.empty(0)
    out = values(Functions(t, 60, np.empty((0, 1030)), np.empty((0, 0)), empty, empty))
    np.testing.assert_allclose(out, np.cos(np.arange(60)[:, None] * np.arccos(t)), atol=1e-12)


def test_rows_that_are_equal_have_equal_features():
    columns, phase = np.full((3, 1301), 0.3), np.linspace(0, 1, 9)
    turns = np.random.default_rng(0).normal(size=(9, 3))
    one = values(cosines(columns[:, :1].copy(), turns, phase, np.zeros(9)))
    assert (values(cosines(columns, turns, phase, one[:, 0].copy()), 2) == 0.0).all()


def test_shapes_must_agree():
    columns, turns, ones = np.ones((2, 3)), np.ones((4, 2)), np.ones(4)
    for functions in (
        cosines(columns, np.ones((4, 1)), ones, ones),
        cosines(columns, turns, np.ones(3), ones),
        cosines(columns, turns, ones, np.ones(3)),
        Functions(np.ones(2), 1, columns, turns, ones, ones),
        Functions(np.ones(3), -1, columns, turns, ones, ones),
    ):
        with pytest.raises(ValueError, match="functions: arrays of different shape"):
            function_moments(functions)
    right = cosines(columns, turns, ones, ones)
    with pytest.raises(ValueError, match="function_combinations: arrays of different shape"):
        function_combinations(right, np.ones((2, 3)), np.ones(2))
    with pytest.raises(ValueError, match="function_combinations: arrays of different shape"):
        function_combinations(right, np.ones((2, 4)), np.ones(3))
    with pytest.raises(ValueError, match="function_moments: arrays of different shape"):
        _native.function_moments(*right.arguments(), np.empty(4), np.empty((4, 3)), 1)
