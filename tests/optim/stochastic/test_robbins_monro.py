"""Stochastic approximation (optim.15)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.core import Status
from margin.optim import Constant, Harmonic, PowerDecay, RobbinsMonro


def gap(z, theta):
    return theta - z


def test_points_are_the_running_means():
    """optim.15: f = theta - z with the rate 1/k, whatever the start."""
    z = np.random.default_rng(0).normal(size=3000)
    means = np.cumsum(z) / np.arange(1, 3001)
    for start in (0.0, 50.0):
        solution = RobbinsMonro(Harmonic()).run(gap, z, start)
        assert_allclose(solution.trace["x"][1:, 0], means, atol=1e-12)
        assert solution.n_iter == 3000
    assert solution.status is Status.CONVERGED
    assert solution.certificate.value <= 1e-2


def test_vectors_and_stochastic_gradients():
    """optim.15: the gradient of one squared error as f gives the least-squares weights."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20_000, 2))
    y = X @ [2.0, -1.0] + 0.1 * rng.normal(size=len(X))
    solution = RobbinsMonro(PowerDecay(0.5)).run(
        lambda row, w: (row[:2] @ w - row[2]) * row[:2], np.column_stack([X, y]), np.zeros(2)
    )
    assert_allclose(solution.x, [2, -1], atol=0.02)
    assert solution.status is Status.CONVERGED


def test_a_median_by_signs():
    """optim.15: P(z < theta) - 1/2 is increasing with the median as its root."""
    z = np.random.default_rng(2).exponential(size=50_000)
    solution = RobbinsMonro(PowerDecay(1.0)).run(lambda z, m: float(z < m) - 0.5, z, 3.0)
    assert_allclose(solution.x, np.log(2), atol=0.03)


def test_the_status_tells_the_truth():
    """optim.15: a constant rate never settles, a huge one leaves all bounds."""
    z = np.random.default_rng(3).normal(size=40)
    noisy = RobbinsMonro(Constant(0.9), tol=1e-6).run(gap, z, 0.0)
    assert noisy.status is Status.MAX_ITER
    assert "still moves" in noisy.message
    assert noisy.certificate.value > 1e-6
    with np.errstate(over="ignore", invalid="ignore"):
        lost = RobbinsMonro(Constant(1e200)).run(gap, z, 1.0)
    assert lost.status is Status.FAILED
    assert lost.n_iter < 5
    nothing = RobbinsMonro().run(gap, [], 1.5)
    assert nothing.status is Status.MAX_ITER
    assert_array_equal(nothing.x, [1.5])


def test_a_tolerance_of_zero_is_refused():
    with pytest.raises(ValueError, match="RobbinsMonro: tol"):
        RobbinsMonro(tol=0.0)
