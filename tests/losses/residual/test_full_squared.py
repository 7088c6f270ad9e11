"""The squared residual without a factor (losses.02)."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn.metrics import mean_squared_error

from margin.losses import FullSquared, Squared
from margin.optim import LBFGS, LinearProblem, minimise
from margin.penalties import L2
from margin.testing import LossContract

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(40, 3)), RNG.normal(size=40)


class TestFullSquaredContract(LossContract):
    def make(self):
        return [FullSquared()]


def test_is_the_mean_squared_error():
    """losses.02: the mean over the rows, and twice the half square."""
    z = RNG.normal(size=40)
    assert_allclose(FullSquared().value(z, Y).mean(), mean_squared_error(Y, z))
    assert_allclose(FullSquared().value(z, Y), 2 * Squared().value(z, Y))


def test_a_penalty_weighs_half_as_much():
    """losses.02: the minimiser of the full square is that of the half square at half of alpha."""
    full = minimise(LinearProblem(X, Y, None, FullSquared(), L2(3.0)), LBFGS(1e-10))
    half = minimise(LinearProblem(X, Y, None, Squared(), L2(1.5)), LBFGS(1e-10))
    assert_allclose(full.x, half.x, atol=1e-9)
    assert_allclose(full.objective, 2 * half.objective)
