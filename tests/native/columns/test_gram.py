"""Compiled Gram matrices against NumPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.native.columns.gram import column_products, row_products

SHAPES = [(0, 3), (1, 1), (3, 0), (5, 11), (300, 12), (257, 13), (1100, 50), (40, 260), (520, 300)]


def draw(n, p, dtype=np.float64, order="C"):
    rng = np.random.default_rng(n + p)
    X = np.array(rng.normal(size=(n, p)), dtype=dtype, order=order)
    return X, rng.random(n), rng.normal(size=(n, 3)), rng.normal(size=(1, p))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("weighted", [False, True])
def test_columns(shape, dtype, order, weighted):
    X, weight, targets, centre = draw(*shape, dtype, order)
    s = weight if weighted else np.ones(len(X))
    matrix, sums, moments = column_products(X, s if weighted else None, centre, None, targets, 2)
    D = X.astype(np.float64) - centre
    assert_allclose(matrix, (D.T * s) @ D, rtol=1e-11, atol=1e-11)
    assert_allclose(sums, s @ D, rtol=1e-11, atol=1e-11)
    assert_allclose(moments, (D.T * s) @ targets, rtol=1e-11, atol=1e-11)
    assert_array_equal(matrix, matrix.T)


@pytest.mark.parametrize("shape", [(1, 3), (11, 5), (12, 300), (13, 700), (250, 30), (265, 600)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows(shape, dtype, order):
    X, _, _, centre = draw(*shape, dtype, order)
    for middle in (None, centre[0]):
        D = X.astype(np.float64) - (0.0 if middle is None else middle)
        found = row_products(X, middle, 2)
        assert_allclose(found, D @ D.T, rtol=1e-11, atol=1e-11)
        assert_array_equal(found, found.T)


def test_each_group_has_its_own_centre():
    X, weight, targets, _ = draw(700, 30)
    group = np.random.default_rng(0).integers(0, 3, 700)
    centre = np.random.default_rng(1).normal(size=(3, 30))
    matrix, *_ = column_products(X, weight, centre, group, targets, 1)
    D = X - centre[group]
    assert_allclose(matrix, (D.T * weight) @ D, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("p", [30, 300])
def test_chosen_rows_in_any_order(p):
    X, weight, targets, _ = draw(700, p)
    rng = np.random.default_rng(0)
    rows, group = rng.permutation(700)[:320], rng.integers(0, 3, 700)
    centre = rng.normal(size=(3, p))
    chosen = column_products(X, weight, centre, group, targets, 2, rows)
    picked = (part[rows] for part in (X, weight, group, targets))
    X, weight, group, targets = map(np.ascontiguousarray, picked)
    for a, b in zip(chosen, column_products(X, weight, centre, group, targets, 2), strict=True):
        assert_array_equal(a, b)
    with pytest.raises(ValueError, match="row out of range"):
        column_products(X, weight, None, None, targets, 1, np.array([0, 320]))


@pytest.mark.parametrize("p", [50, 300])
def test_the_same_numbers_for_any_number_of_threads(p):
    X, weight, targets, centre = draw(10_000, p)  # work for more than one thread
    one = column_products(X, weight, centre, None, targets, 1)
    for threads in (2, 3):
        for a, b in zip(
            one, column_products(X, weight, centre, None, targets, threads), strict=True
        ):
            assert_array_equal(a, b)
    assert_array_equal(row_products(X[:300], None, 1), row_products(X[:300], None, 2))


def test_strides_and_special_values():
    X, *_ = draw(60, 20)
    part = X[::-2, ::3]
    assert_allclose(row_products(part, None, 1), part @ part.T, rtol=1e-12, atol=1e-13)
    X[3, 4] = np.nan
    matrix, *_ = column_products(X, None, None, None, X[:, :1].copy(), 1)
    assert np.isnan(matrix[4]).all()
    assert np.isfinite(np.delete(np.delete(matrix, 4, 0), 4, 1)).all()


def test_wrong_shapes_are_refused():
    X, weight, targets, centre = draw(20, 4)
    with pytest.raises(ValueError, match="shapes do not fit"):
        column_products(X, weight[:5], centre, None, targets, 1)
    with pytest.raises(ValueError, match="shapes do not fit"):
        row_products(X, centre[0, :2].copy(), 1)
    with pytest.raises(ValueError, match="group out of range"):
        column_products(X, None, centre, np.full(20, 7), targets, 1)
