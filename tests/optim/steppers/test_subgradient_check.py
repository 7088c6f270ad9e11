"""Check of claimed subgradients (optim.18)."""

import numpy as np
import pytest

from margin.losses import Absolute, EpsilonInsensitive, Hinge, Perceptron, Quantile, Tukey
from margin.optim import Function, LinearProblem, check_subgradient
from margin.penalties import L1, L2, Zero

RNG = np.random.default_rng(0)
X = RNG.normal(size=(8, 3))
Y = RNG.choice([-1.0, 1.0], size=8)


def test_hinge_subgradient_at_and_off_the_kink():
    """optim.18: -y_i x_i inside the margin, 0 outside, anything between at the kink."""
    x = np.array([2.0, -1.0])
    for y in (-1.0, 1.0):
        row = LinearProblem(x[None], np.array([y]), None, Hinge(), Zero(), intercept=False)
        inside, kink, outside = (m * y * x / (x @ x) for m in (0.3, 1.0, 1.7))
        assert check_subgradient(row, inside, -y * x) < 1e-12
        assert check_subgradient(row, outside, 0 * x) < 1e-12
        for share in (0.0, 0.4, 1.0):
            assert check_subgradient(row, kink, -share * y * x) < 1e-12
        for wrong in (-1.1 * y * x, 0.1 * y * x, np.array([1.0, 2.0])):
            assert check_subgradient(row, kink, wrong) > 1e-3
        assert check_subgradient(row, inside, y * x) > 1e-3


@pytest.mark.parametrize(
    "loss", [Hinge(), Perceptron(), Absolute(), Quantile(0.3), EpsilonInsensitive(0.2)]
)
@pytest.mark.parametrize("penalty", [Zero(), L2(0.3), L1(0.3)])
def test_what_linear_problems_claim_holds_also_at_kinks(loss, penalty):
    """optim.18: at random points, at zero (kink of the penalty) and where rows have kinks."""
    problem = LinearProblem(X, Y, None, loss, penalty, intercept=False)
    through = np.linalg.lstsq(X[:3], Y[:3])[0]  # residual 0 and margin 1 for three rows
    for x in (np.zeros(3), through, RNG.normal(size=3)):
        assert check_subgradient(problem, x) < 1e-10


def test_a_function_that_is_not_convex_is_found_out():
    problem = LinearProblem(X, 5 * Y, None, Tukey(1.0), Zero(), intercept=False)
    points = RNG.normal(size=(20, 3))
    assert max(check_subgradient(problem, x, radius=5.0) for x in points) > 1e-3


def test_a_wrong_gradient_is_found_out():
    wrong = Function(lambda x: (float(x @ x), x), 2)
    assert check_subgradient(wrong, np.ones(2)) > 0.1
