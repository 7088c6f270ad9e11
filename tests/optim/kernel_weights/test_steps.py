"""Steps from weights to better weights."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from stack_problems import Stack

from margin.optim import Duel, Trainer
from margin.optim.kernel_weights._steps import (
    closed_step,
    curvature,
    largest_sum,
    newton_step,
    radius,
)

RNG = np.random.default_rng(3)


@pytest.fixture
def made():
    """Machines of thirty rows for three kernels."""
    A = RNG.normal(size=(3, 30, 4))
    matrices = list(A @ A.transpose(0, 2, 1) + 0.1 * np.eye(30))
    sign = np.where(A[0, :, 0] + A[1, :, 0] + 0.5 * RNG.normal(size=30) > 0, 1.0, -1.0)
    return Trainer(Stack(matrices), [Duel(np.arange(30), sign, np.full(30, 50.0))], 1e-9, 1)


def test_gradient_and_curvature_are_derivatives_of_the_optimal_value(made):
    weights, step = np.array([0.5, 0.3, 0.2]), 1e-5
    point = made.at(weights)
    H = curvature(point, made.stack, RNG)
    for k, axis in enumerate(np.eye(3)):
        ahead, behind = made.at(weights + step * axis), made.at(weights - step * axis)
        slope = (ahead.primal - behind.primal) / (2 * step)
        assert_allclose(point.gradient[k], slope, rtol=1e-4)
        assert_allclose(H[k], (ahead.gradient - behind.gradient) / (2 * step), rtol=1e-3)


def test_newton_step_goes_down_or_says_so(made):
    point = made.at(np.full(3, 1 / 3))
    found = newton_step(point, made, RNG)
    assert found.primal < point.primal
    assert_allclose(found.weights.sum(), 1.0)
    while found is not None:
        point, found = found, newton_step(found, made, RNG)
        assert found is None or found.primal < point.primal
    assert_allclose(largest_sum(point.norms, 1.0), point.weights @ point.norms, rtol=1e-6)


def test_closed_step_is_the_best_for_given_norms(made):
    point = made.at(np.array([0.2, 0.5, 0.3]))
    found = closed_step(point, made, 2.0).weights
    sizes = point.weights**2 * point.norms
    best = (sizes / found).sum()
    for _ in range(50):
        other = np.abs(found + 0.05 * RNG.normal(size=3))
        other *= radius(3, 2.0) / np.linalg.norm(other)
        assert (sizes / other).sum() >= best - 1e-12


@pytest.mark.parametrize("norm", [1.0, 1.3, 4.0, np.inf])
def test_largest_sum_over_the_allowed_weights(norm):
    norms = np.array([1.0, 3.0, 2.0])
    weights = np.vstack([np.ones(3), np.eye(3), RNG.exponential(size=(4000, 3)) ** 2])
    weights *= radius(3, norm) / np.linalg.norm(weights, norm, axis=1, keepdims=True)
    best = (weights @ norms).max()
    assert best <= largest_sum(norms, norm) * (1 + 1e-12)
    assert best >= 0.97 * largest_sum(norms, norm)
