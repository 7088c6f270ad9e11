"""Rows ready for a factorisation."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from margin.linear import LinearRegression
from margin.linear.regression._centred_rows import centred_rows


def test_plain_least_squares_on_the_rows_is_the_weighted_one():
    rng = np.random.default_rng(0)
    X, y, s = rng.normal(size=(30, 3)) + 4, rng.normal(size=30), rng.random(30)
    for intercept in (True, False):
        made = centred_rows(X, y, s, intercept)
        coef = np.linalg.lstsq(made.rows, made.target)[0]
        wanted = LinearRegression(fit_intercept=intercept).fit(X, y, sample_weight=s)
        assert_allclose(coef, wanted.coef_, rtol=1e-10)
        assert_allclose(made.intercept(coef), wanted.intercept_, rtol=1e-10, atol=1e-14)
        assert_allclose(made.total, s.sum())


def test_constant_columns_are_exactly_zero_and_the_input_is_kept():
    X = np.column_stack([np.full(7, 0.1), np.arange(7) * 1e-9 + 1.0])
    before = X.copy()
    made = centred_rows(X, np.arange(7.0), None, True)
    assert_array_equal(made.rows[:, 0], 0.0)
    assert np.abs(made.rows[:, 1]).max() > 1e-9
    assert_array_equal(X, before)
    # A row of no weight does not make a column vary.
    X[3, 0] = 99.0
    weight = np.ones(7)
    weight[3] = 0.0
    assert_array_equal(centred_rows(X, np.arange(7.0), weight, True).rows[:, 0], 0.0)
