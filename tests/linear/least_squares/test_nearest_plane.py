"""The hyperplane nearest to rows and targets (linear.08)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from margin.core import FitError
from margin.linear.least_squares._nearest_plane import nearest_plane


def sample(n=30, p=3, seed=0):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, p))
    t = A @ [1.0, -0.5, 2.0][:p] + 0.3 * rng.normal(size=n)
    return A - A.mean(axis=0), t - t.mean()


@pytest.mark.parametrize("ratio", [0.3, 1.0, 5.0])
def test_is_the_minimum_of_the_squared_distances(ratio):
    """linear.08: by a general minimiser of the written-out objective."""
    A, t = sample()
    plane = nearest_plane(A, t, ratio)

    def objective(w):
        return np.sum((t - A @ w) ** 2) / (ratio**2 + w @ w)

    assert_allclose(plane.distance**2, objective(plane.coef), rtol=1e-10)
    best = minimize(objective, np.zeros(3), method="BFGS", options={"gtol": 1e-9})
    assert_allclose(plane.coef, best.x, atol=1e-5)
    assert plane.solution.certificate.value < 1e-10


def test_dependent_columns_share_their_slope():
    """linear.08: the shortest of equals, and the rank says how many directions there are."""
    A, t = sample(p=2)
    plane = nearest_plane(np.column_stack([A, A[:, 0]]), t, 1.0)
    assert plane.rank == 2
    assert_allclose(plane.coef[0], plane.coef[2], rtol=1e-10)


def test_a_plane_that_does_not_depend_on_the_target_is_refused():
    A = np.diag([1.0, 1e-3, 1.0])
    with pytest.raises(FitError, match="does not depend on y"):
        nearest_plane(A[:, :2], np.array([0.0, 0.0, 5.0]), 1.0)
