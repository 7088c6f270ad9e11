"""Anderson's acceleration."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import Anderson, Expectation, expectation_maximisation


def identity(x):
    return x


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_as_many_rates_as_it_remembers_are_solved_exactly(depth):
    """The closed form: a linear map with depth - 1 rates."""
    rates = np.array([0.95, 0.7, 0.2])[: depth - 1]
    path = [1.0 + rates**k for k in range(depth + 1)]
    assert_allclose(Anderson(identity, identity, depth)(*path), 1.0, atol=1e-9)


def test_no_proposal_where_the_path_says_nothing():
    mix = Anderson(identity, identity)
    assert mix(*[np.ones(2)] * 4) is None
    assert mix(np.zeros(1), np.ones(1)) is None


def test_fewer_iterations_and_no_fall_of_the_bound():
    """A slow EM: how often a hidden coin shows heads when nine tosses of ten are lost."""
    target = np.array([0.3, 0.6, 0.8])
    rates = np.array([0.99, 0.95, 0.9])

    def expect(at):
        return Expectation(-float((at - target) @ ((at - target) / (1 - rates))), None)

    def maximise(_, at):
        return target + rates * (at - target)

    def run(accelerate):
        start = [np.array([0.9, 0.1, 0.5])]
        return expectation_maximisation(
            expect, maximise, start, tol=1e-14, max_iter=5000, accelerate=accelerate
        )

    plain, fast = run(None), run(Anderson(identity, identity, 4))
    assert fast.n_iter < plain.n_iter / 5
    assert fast.extras["smallest_step"] >= 0
    assert fast.extras["n_accelerated"] > 0
    assert_allclose(fast.x, target, atol=1e-4)


def test_depth_must_be_a_count():
    with pytest.raises(ValueError, match="Anderson: depth must be an integer of at least 1"):
        Anderson(identity, identity, 0)
