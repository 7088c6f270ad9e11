"""Newton's method for factor analysis."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime

from margin.decomposition.factor._newton import (
    first_noise,
    known_noise,
    log_likelihood,
    newton,
)
from margin.decomposition.probabilistic._covariance_em import Loadings

RNG = np.random.default_rng(0)
W = RNG.normal(size=(7, 2))
X = RNG.normal(size=(300, 2)) @ W.T + RNG.normal(size=(300, 7)) * RNG.uniform(0.5, 2, 7)
S = np.cov(X.T, bias=True)
FLOOR = np.full(7, 1e-6)


def test_gradient_vanishes_in_every_direction():
    """decomposition.09: a stationary point of the likelihood in loadings and noise."""
    found = newton(S, 300.0, 2, first_noise(S, 2, FLOOR), FLOOR, tol=1e-10, max_iter=100)
    assert found.status.ok
    assert (np.diff(found.trace["objective"]) < 0).all()
    assert found.n_iter < 15

    def value(v):
        return log_likelihood(S, 1.0, Loadings(v[:14].reshape(7, 2), np.exp(v[14:])))

    at = np.concatenate([found.x.loadings.ravel(), np.log(found.x.noise)])
    assert_allclose(300 * value(at), -found.objective, rtol=1e-12)
    assert np.abs(approx_fprime(at, value, 1e-6)).max() < 1e-5


def test_known_noise_is_best_for_that_noise():
    """decomposition.09: loadings by eigenvectors; no neighbour is better."""
    noise = RNG.uniform(0.5, 2, 7)
    best = known_noise(S, 300.0, 2, noise)
    top = log_likelihood(S, 300.0, best)
    for _ in range(20):
        other = Loadings(best.loadings + 0.05 * RNG.normal(size=(7, 2)), noise)
        assert log_likelihood(S, 300.0, other) < top


@pytest.mark.parametrize("k", [0, 1, 6, 7])
def test_any_number_of_factors(k):
    found = newton(S, 300.0, k, np.ones(7), FLOOR, tol=1e-3, max_iter=500)
    assert found.status.ok
    assert found.x.loadings.shape == (7, k)
    if k == 0:
        assert_allclose(found.x.noise, np.diagonal(S), rtol=1e-2)


def test_heywood_case_ends_at_the_bound():
    """decomposition.09: two columns that one factor explains wholly."""
    z = RNG.normal(size=(50, 1))
    table = np.hstack([z, 2 * z, z + RNG.normal(size=(50, 1)), RNG.normal(size=(50, 1))])
    matrix = np.cov(table.T, bias=True)
    floor = 1e-8 * np.diagonal(matrix)
    found = newton(matrix, 50.0, 1, first_noise(matrix, 1, floor), floor, tol=1e-2, max_iter=1000)
    assert np.isfinite(found.objective)
    assert (found.x.noise >= floor * (1 - 1e-9)).all()
    assert found.x.noise[0] < 1e-4
