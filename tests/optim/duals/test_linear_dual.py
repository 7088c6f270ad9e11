"""The linear machine and its dual: weak duality, the losses, balance."""

import numpy as np
import pytest

from margin.optim import LinearDual


def hinge(constant=0.0, seed=0, n=20):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 3)), np.where(rng.random(n) > 0.5, 1.0, -1.0)
    return LinearDual(X, y, np.minimum(0, y), np.maximum(0, y), np.zeros(n), 0.0, constant)


def test_losses_are_the_hinge():
    """svm.03, svm.06"""
    problem = hinge()
    z = np.linspace(-2, 2, 20)
    expected = np.maximum(0, 1 - problem.target * z).sum()
    assert problem.losses(z, problem.answer(z)) == pytest.approx(expected)


@pytest.mark.parametrize("squared", [False, True])
def test_losses_are_the_tube(squared):
    y, z, C, e = np.linspace(-1, 1, 9), np.zeros(9), 2.0, 0.3
    bound = np.full(9, np.inf if squared else C)
    ridge = np.full(9, 0.5 / C if squared else 0.0)
    problem = LinearDual(np.ones((9, 1)), y, -bound, bound, ridge, e)
    slack = np.maximum(0, np.abs(y) - e)
    expected = C * ((slack**2).sum() if squared else slack.sum())
    assert problem.losses(z, problem.answer(z)) == pytest.approx(expected)


@pytest.mark.parametrize("constant", [0.0, 2.0, np.inf])
def test_weak_duality(constant):
    problem = hinge(constant)
    rng = np.random.default_rng(1)
    for _ in range(20):
        beta = problem.target * rng.random(20)
        assert problem.dual(beta) <= problem.primal(rng.normal(size=4)) + 1e-12


def test_balanced_sums_to_zero_within_the_box():
    problem = hinge(np.inf)
    beta = problem.balanced(0.7 * problem.target)
    assert beta.sum() == pytest.approx(0)
    assert (np.abs(beta) <= 0.7 + 1e-12).all()


def test_refuses():
    X, one = np.ones((2, 1)), np.ones(2)
    with pytest.raises(ValueError, match="LinearDual: lower and upper must enclose 0"):
        LinearDual(X, one, 0.5 * one, one, 0 * one)
    with pytest.raises(ValueError, match="LinearDual: target must be of length 2"):
        LinearDual(X, np.ones(3), -one, one, 0 * one)
    with pytest.raises(ValueError, match="LinearDual: epsilon and constant must be at least 0"):
        LinearDual(X, one, -one, one, 0 * one, -1.0)


@pytest.mark.parametrize("size", [0.2, 0.999, 1.0, 5.0])
def test_best_multiple_of_the_coefficients(size):
    problem = hinge(constant=1.0)
    w = size * np.array([0.4, -0.3, 0.2, 0.1])
    least, factor = problem.stretched(w)
    assert least == pytest.approx(problem.primal(factor * w))
    assert least <= problem.primal(w)
    grid = [problem.primal(f * w) for f in np.linspace(0.01, 2.0, 400)]
    assert least <= min(grid) + 0.25 * (problem.primal(w) - min(grid)) + 1e-6
