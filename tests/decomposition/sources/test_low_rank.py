import numpy as np
import pytest
from scipy.optimize import minimize

from margin.decomposition.sources._low_rank import alternating_ridge, soft_impute

RNG = np.random.default_rng(0)
TRUE = RNG.normal(size=(14, 2)) @ RNG.normal(size=(2, 9))
SEEN = RNG.random(TRUE.shape) < 0.7
X = np.where(SEEN, TRUE + 0.1 * RNG.normal(size=TRUE.shape), 0.0)


def test_the_gap_bounds_the_distance_to_the_optimum():
    """decomposition.15: a low-rank matrix with a proof."""
    rough = soft_impute(X, SEEN, 0.5, 9, tol=1e-3, max_iter=1000)
    exact = soft_impute(X, SEEN, 0.5, 9, tol=1e-11, max_iter=20_000)
    energy = 0.5 * (X**2).sum()
    gap = rough.objective - exact.objective
    assert 0 <= gap <= rough.certificate.value * energy + 1e-9
    R = np.where(SEEN, X - exact.x.matrix, 0.0)
    assert np.linalg.norm(R, 2) == pytest.approx(0.5, abs=1e-3)


def test_complete_matrices_are_shrunk():
    everything = np.ones(TRUE.shape, bool)
    found = soft_impute(TRUE, everything, 1.0, 9, tol=1e-12, max_iter=100).x
    values = np.linalg.svd(TRUE, compute_uv=False)
    np.testing.assert_allclose(found.values, np.maximum(values - 1, 0)[: len(found.values)])


def test_factors_have_the_penalty_of_the_nuclear_norm():
    """Enough factors reach the convex optimum, for alternating steps as for a foreign optimiser."""
    exact = soft_impute(X, SEEN, 0.5, 9, tol=1e-10, max_iter=20_000)
    start = (np.zeros((14, 6)), RNG.normal(size=(9, 6)))
    found = alternating_ridge(X, SEEN, 0.5, start, tol=1e-10, max_iter=5000)
    assert found.objective == pytest.approx(exact.objective, rel=1e-4)
    assert np.diff(found.trace["objective"]).max() <= 1e-9

    def value(z):
        A, B = z[: 14 * 6].reshape(14, 6), z[14 * 6 :].reshape(9, 6)
        gap = (X - A @ B.T)[SEEN]
        return 0.5 * gap @ gap + 0.25 * (z @ z)

    z = np.concatenate([found.x[0].ravel(), found.x[1].ravel()])
    assert minimize(value, z, options={"maxiter": 5}).fun == pytest.approx(value(z), rel=1e-5)
