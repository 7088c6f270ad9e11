"""Constraint on the sum of absolute values (penalties.07)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

from margin.penalties import L1, L1Ball
from margin.testing import PenaltyContract

RNG = np.random.default_rng(0)


class TestL1BallContract(PenaltyContract):
    """Points of the set, where a constraint is finite."""

    def make(self):
        return [L1Ball(1.0)]

    def draw(self, rng, shape):
        w = super().draw(rng, shape)
        return w / max(1.0, 1.1 * np.abs(w).sum())


@pytest.mark.parametrize("shape", [(5,), (3, 2)])
def test_projection_is_the_nearest_point(shape):
    """penalties.07: against random points of the set, on its edge and inside."""
    for _ in range(20):
        w = 2 * RNG.normal(size=shape)
        p = L1Ball(1.5).prox(w, 0.1)
        assert np.abs(p).sum() <= 1.5 + 1e-12
        others = RNG.normal(size=(500, *shape))
        sums = np.abs(others).sum(axis=tuple(range(1, others.ndim)), keepdims=True)
        others *= 1.5 / sums
        least = np.sqrt(((w - others) ** 2).reshape(500, -1).sum(axis=1)).min()
        assert np.linalg.norm(w - p) <= least + 1e-12


def test_projection_is_a_soft_threshold():
    """penalties.07: the constraint form of the lasso with orthonormal columns."""
    w = np.array([3.0, -2.0, 0.5, 0.1])
    p = L1Ball(2.0).prox(w, 1.0)
    level = 3.0 - p[0]
    assert_allclose(p, L1(level).prox(w, 1.0))
    assert_allclose(np.abs(p).sum(), 2.0)


def test_least_subgradient_by_a_search_over_multipliers():
    """penalties.07: the element of least norm of slope + theta sign(w), theta >= 0."""
    for _ in range(50):
        w = RNG.normal(size=5) * (RNG.random(5) < 0.6)
        if not w.any():
            continue
        w /= np.abs(w).sum()
        slope = RNG.normal(size=5)

        def size(theta, w=w, slope=slope):
            return np.linalg.norm(L1(theta).least_subgradient(w, slope))

        best = minimize_scalar(size, bounds=(0, 20), method="bounded", options={"xatol": 1e-10})
        found = np.linalg.norm(L1Ball(1.0).least_subgradient(w, slope))
        assert_allclose(found, min(best.fun, size(0.0)), atol=1e-6)
    assert_allclose(L1Ball(9.0).least_subgradient(w, slope), slope)


def test_outside_is_infinite():
    assert L1Ball(1.0).value(np.array([1.0, 1.0])) == np.inf
    with pytest.raises(ValueError, match="L1Ball: budget must be a number above 0"):
        L1Ball(-1.0)
