"""Autoregression with holes."""

import numpy as np
import pytest

from margin.core import Sequences
from margin.sequence.autoregressive._estimates import least_squares
from margin.sequence.autoregressive._incomplete import incomplete_least_squares


def series(T, seed=0):
    rng = np.random.default_rng(seed)
    v = np.zeros(T)
    for t in range(1, T):
        v[t] = 0.5 + 0.7 * v[t - 1] + rng.normal()
    return v


@pytest.mark.parametrize("intercept", [True, False])
def test_without_holes_it_is_least_squares(intercept):
    given = Sequences([series(50)[:, None], series(3, 1)[:, None], np.zeros((1, 1))])
    found = incomplete_least_squares(given, 2, intercept=intercept, tol=1e-10, max_iter=50)
    best = least_squares(given, 2, intercept=intercept)
    np.testing.assert_allclose(found.x.coef, best.coef, atol=1e-8)
    assert found.x.variance == pytest.approx(best.variance, rel=1e-8)


def test_every_second_number_of_a_first_order_series():
    """What is left is an AR(1) of coefficient a²; its law is that of least squares there."""
    v = series(4001)
    holed = v.copy()
    holed[1::2] = np.nan
    found = incomplete_least_squares(
        Sequences([holed[:, None]]), 1, intercept=True, tol=1e-9, max_iter=3000
    )
    best = least_squares(Sequences([v[::2]]), 1)
    assert found.x.coef[0] ** 2 == pytest.approx(best.coef[0], abs=2e-3)
    a, q = found.x.coef[0], found.x.variance
    assert q * (1 + a**2) == pytest.approx(best.variance, rel=5e-3)
    assert found.extras["smallest_step"] > -1e-6
