"""Non-linear conjugate gradients (optim.11)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.optim import GradientDescent, NonlinearCG, minimise
from margin.testing import SolverContract


class TestPolakRibiereContract(SolverContract):
    def make(self):
        return [NonlinearCG(), NonlinearCG(restart=3)]


class TestFletcherReevesContract(SolverContract):
    def make(self):
        return [NonlinearCG(variant="FR")]


@pytest.mark.parametrize("variant", ["PR+", "FR"])
def test_about_as_many_steps_as_unknowns_on_a_quadratic(variant, quadratic):
    """optim.11: far fewer than gradient descent, which depends on the condition number."""
    problem, best = quadratic(6, 1e4)
    solution = minimise(problem, NonlinearCG(1e-6, variant=variant), np.zeros(6))
    assert solution.status is Status.CONVERGED
    assert solution.n_iter <= 60
    assert_allclose(solution.x, best, atol=1e-5)
    slow = minimise(problem, GradientDescent(1e-6, 2000, "exact"), np.zeros(6))
    assert slow.n_iter > 5 * solution.n_iter


@pytest.mark.parametrize("variant", ["PR+", "FR"])
def test_curved_valley(variant, rosenbrock):
    """optim.11: the banana valley, with the path kept."""
    solution = minimise(
        rosenbrock, NonlinearCG(1e-8, variant=variant), np.array([-1.2, 1.0]), trace=True
    )
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, [1, 1], atol=1e-6)
    assert_allclose(solution.trace["x"][0], [-1.2, 1.0])
    assert_allclose(solution.trace["x"][-1], solution.x)


def test_bad_settings_are_refused():
    with pytest.raises(ValueError, match="NonlinearCG: variant must be one of 'PR\\+', 'FR'"):
        NonlinearCG(variant="HS")
    with pytest.raises(ValueError, match="NonlinearCG: restart must be an integer of at least 1"):
        NonlinearCG(restart=0)
