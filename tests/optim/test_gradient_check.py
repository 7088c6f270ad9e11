"""Finite differences against a claimed gradient (optim.24)."""

import numpy as np
import pytest

from margin.optim import Function, check_gradient


def quartic(scale=1.0):
    return Function(lambda x: (float(np.sum(x**4)), scale * 4 * x**3), 3)


def test_right_gradients_pass_and_wrong_ones_do_not():
    """optim.24: a factor, a sign and a swapped coordinate are all found."""
    x = np.array([1.0, -2.0, 0.5])
    assert check_gradient(quartic(), x) < 1e-8
    assert check_gradient(quartic(1.01), x) > 5e-3
    assert check_gradient(quartic(-1.0), x) > 1.0
    swapped = Function(lambda x: (float(np.sum(x**4)), 4 * x[::-1] ** 3), 3)
    assert check_gradient(swapped, x) > 0.1


def test_one_wrong_entry_among_many_is_found():
    """optim.24: the largest deviation counts, not the mean."""

    def expand(x):
        gradient = 2 * x
        gradient[37] += 1e-3
        return float(x @ x), gradient

    x = np.random.default_rng(0).normal(size=100)
    assert check_gradient(Function(expand, 100), x) > 1e-4
    assert check_gradient(Function(lambda x: (float(x @ x), 2 * x), 100), x) < 1e-8


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
def test_steps_follow_the_size_of_the_point(size):
    """optim.24: far from the origin a fixed step would drown in rounding."""
    x = size * np.array([1.0, -2.0, 3.0])
    assert check_gradient(Function(lambda x: (float(x @ x), 2 * x), 3), x) < 1e-6
    assert check_gradient(Function(lambda x: (float(x @ x), 2.1 * x), 3), x) > 1e-10


def test_the_point_is_left_alone_and_the_maths_of_linear_problems_is_right(classification):
    """optim.24, linear.01: gradients of logistic and softmax risk, dense and sparse."""
    rng = np.random.default_rng(0)
    for n_classes in (2, 3):
        for storage in ("dense", "float32", "sparse"):
            problem = classification(n_classes, storage)
            x = rng.normal(size=problem.dimension)
            before = x.copy()
            assert check_gradient(problem, x) < 1e-9
            assert np.array_equal(x, before)
