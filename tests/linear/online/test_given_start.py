"""Starts that the caller gives."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.linear import SGDClassifier, SGDRegressor
from margin.linear.online._given_start import given_start


def test_nothing_given_is_nothing():
    assert given_start("SGDClassifier", None, None, 3, 2) is None


def test_one_alone_goes_with_zeros():
    coef, intercept = given_start("SGDClassifier", None, [1.0, 2.0, 3.0], 3, 2)
    assert_array_equal(coef, np.zeros((3, 2)))
    assert_array_equal(intercept, [1.0, 2.0, 3.0])
    coef, intercept = given_start("SGDRegressor", None, 4.0, 1, 2)
    assert_array_equal(intercept, [4.0])


@pytest.mark.parametrize(("coef", "intercept"), [(np.ones(3), None), (None, np.ones(2))])
def test_wrong_shapes_are_refused(coef, intercept):
    with pytest.raises(ValueError, match=r"SGDClassifier: .*_init must be of shape"):
        given_start("SGDClassifier", coef, intercept, 1, 2)


def test_no_step_worth_making_leaves_the_start():
    """Limiting case: steps of nearly no length."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), rng.integers(3, size=30)
    still = {"learning_rate": "constant", "eta0": 1e-12, "max_iter": 2, "tol": None}
    coef, intercept = rng.normal(size=(3, 2)), rng.normal(size=3)
    model = SGDClassifier(**still).fit(X, y, coef_init=coef, intercept_init=intercept)
    assert_allclose(model.coef_, coef, atol=1e-8)
    assert_allclose(model.intercept_, intercept, atol=1e-8)
    line = SGDRegressor(**still).fit(X, y, coef_init=[1.0, 2.0], intercept_init=[3.0])
    assert_allclose(line.coef_, [1.0, 2.0], atol=1e-8)
    assert_allclose(line.intercept_, [3.0], atol=1e-8)
