"""Alternating least squares on the observed entries."""

import numpy as np
from numpy.testing import assert_allclose

from margin.decomposition.linear._alternating import Plane, alternate, coordinates

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2)) @ RNG.normal(size=(2, 6)) + 0.2 * RNG.normal(size=(40, 6))
X[RNG.random(X.shape) < 0.2] = np.nan
START = Plane(np.zeros(6), RNG.normal(size=(6, 2)))


def test_coordinates_against_least_squares():
    plane = Plane(RNG.normal(size=6), RNG.normal(size=(6, 2)))
    for row, told in zip(X, coordinates(X, plane, 0.0), strict=True):
        seen = ~np.isnan(row)
        exact = np.linalg.lstsq(plane.directions[seen], (row - plane.offset)[seen], rcond=None)[0]
        assert_allclose(told, exact, atol=1e-8)


def test_objective_never_rises():
    """decomposition.05: neither step can raise the sum of squares of the observed entries."""
    found = alternate(X, None, START, ridge=1e-9, tol=1e-9, max_iter=2000)
    assert found.status.ok
    assert found.extras["smallest_step"] > -1e-9
    Y = coordinates(X, found.x, 1e-9)
    rest = X - found.x.offset - Y @ found.x.directions.T
    assert_allclose(found.objective, np.nansum(rest**2), rtol=1e-4)


def test_weights_are_repetitions():
    count = RNG.integers(1, 3, 40)
    one = alternate(X, count.astype(float), START, ridge=1e-9, tol=0, max_iter=5)
    many = alternate(np.repeat(X, count, axis=0), None, START, ridge=1e-9, tol=0, max_iter=5)
    assert_allclose(one.objective, many.objective, rtol=1e-9)
