"""The weighted, centred view of regression data."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.linalg.data._centred import centred, centred_with_products


def sample(n=70, p=4, k=1, dtype=np.float64, order="C", shift=0.0, seed=0):
    rng = np.random.default_rng(seed)
    X = np.array(rng.normal(size=(n, p)) + shift, dtype=dtype, order=order)
    return X, rng.normal(size=(n, k)), rng.random(n), rng.normal(size=(p, k))


def by_hand(X, Y, weight, intercept):
    X = X.astype(np.float64)
    s = np.ones(len(X)) if weight is None else weight
    if not intercept:
        return X, Y, s
    return X - np.average(X, axis=0, weights=s), Y - np.average(Y, axis=0, weights=s), s


CASES = pytest.mark.parametrize(
    ("k", "dtype", "order", "shift", "weighted", "intercept"),
    [
        (k, dtype, order, shift, weighted, intercept)
        for k in (1, 3)
        for dtype in (np.float32, np.float64)
        for order in ("C", "F")
        for shift in (0.0, 1e3)
        for weighted in (False, True)
        for intercept in (False, True)
    ],
)


@CASES
def test_every_product_is_that_of_the_centred_copy(k, dtype, order, shift, weighted, intercept):
    X, Y, s, coef = sample(k=k, dtype=dtype, order=order, shift=shift)
    weight = s if weighted else None
    view = centred(X, Y, weight, intercept, 1)
    D, T, s = by_hand(X, Y, weight, intercept)
    size = np.abs(D).max()
    assert_allclose(view.product(coef), D @ coef, rtol=1e-9, atol=1e-11 * size)
    assert_allclose(view.transposed_product(Y), D.T @ Y, rtol=1e-9, atol=1e-10 * size)
    error = D @ coef - T
    value, gradient = view.objective_and_gradient(coef, 0.7)
    assert_allclose(value, 0.5 * np.sum(s[:, None] * error**2) + 0.35 * np.sum(coef**2), rtol=1e-10)
    wanted = (D.T * s) @ error + 0.7 * coef
    assert_allclose(gradient, wanted, rtol=1e-8, atol=1e-10 * np.abs(wanted).max())
    same, matrix, moments = centred_with_products(X, Y, weight, intercept, 1)
    assert_allclose(same.x_mean, view.x_mean, rtol=1e-12, atol=1e-14)
    assert same.near_origin == view.near_origin
    assert_allclose(matrix, (D.T * s) @ D, rtol=1e-9, atol=1e-9 * size**2)
    assert_allclose(moments, (D.T * s) @ T, rtol=1e-8, atol=1e-9 * size)
    design, target = view.dense()
    assert_allclose(design, np.sqrt(s)[:, None] * D, rtol=1e-9, atol=1e-11 * size)
    assert_allclose(target, np.sqrt(s)[:, None] * T, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("k", [1, 2])
def test_gradient_far_from_the_origin_keeps_its_digits(order, k):
    """At a mean of 1e8 and a spread of one, products of uncentred rows would lose eight digits."""
    X, Y, s, coef = sample(k=k, order=order, shift=1e8)
    view = centred(X, Y, s, True, 1)
    assert not view.near_origin
    D, T, _ = by_hand(X.astype(np.longdouble), Y.astype(np.longdouble), s.astype(np.longdouble), 1)
    error = D.astype(np.longdouble) @ coef - T
    exact = (D.T * s) @ error
    _, gradient = view.objective_and_gradient(coef, 0.0)
    assert np.abs(gradient - exact).max() < 1e-6 * np.abs(exact).max()
    target = centred(X, Y + 1e8, s, True, 1)
    assert not target.near_origin


def test_data_near_the_origin_take_the_compiled_pass():
    X, Y, *_ = sample(shift=3.0)
    assert centred(X, Y, None, True, 1).near_origin
    assert centred(X + 1e9, Y, None, False, 1).near_origin, "nothing is subtracted"
    with_ones = np.column_stack([X, np.ones(len(X))])
    assert centred(with_ones, Y, None, True, 1).near_origin, "a column of ones is harmless"
    rare = np.zeros((5000, 2))
    rare[7, 0] = rare[::2, 1] = 1.0
    assert centred(rare, np.arange(5000.0)[:, None], None, True, 1).near_origin


def test_any_number_of_threads_gives_the_same_bits():
    X, Y, s, coef = sample(n=5000)
    one = centred(X, Y, s, True, 1).objective_and_gradient(coef, 0.1)
    for n_threads in (2, 3):
        other = centred(X, Y, s, True, n_threads).objective_and_gradient(coef, 0.1)
        assert other[0] == one[0]
        assert_array_equal(other[1], one[1])


def test_largest_possible_rank_counts_rows_with_weight():
    X, Y, *_ = sample(n=10)
    assert centred(X, Y, None, True, 1).n_effective == 9
    assert centred(X, Y, None, False, 1).n_effective == 10
    weight = np.array([0.0] * 6 + [1.0] * 4)
    assert centred(X, Y, weight, True, 1).n_effective == 3


def test_intercept_makes_the_residuals_vanish_on_average():
    X, Y, s, coef = sample(k=2)
    view = centred(X, Y, s, True, 1)
    residual = Y - X @ coef - view.intercept_of(coef)
    assert_allclose(s @ residual, 0.0, atol=1e-12)
    assert_array_equal(centred(X, Y, s, False, 1).intercept_of(coef), np.zeros(2))


def test_constant_columns_and_targets_become_exact_zeros():
    X = np.column_stack([np.full(50, 0.1), np.arange(50.0)])
    data = (X, np.full((50, 1), 1 / 3), None, True, 1)
    design, target = centred(*data).dense()
    assert not design[:, 0].any()
    assert not target.any()
    assert centred_with_products(*data)[1][0, 0] == 0.0


def test_strided_weights_are_taken():
    X, Y, s, coef = sample()
    strided = np.repeat(s, 2)[::2]
    found = centred(X, Y, strided, True, 1).objective_and_gradient(coef, 0.0)
    assert_allclose(found[1], centred(X, Y, s, True, 1).objective_and_gradient(coef, 0.0)[1])
