"""The search for the weights of kernels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from stack_problems import Stack

from margin.core import Status
from margin.optim import Duel, Trainer, fixed_weights, learn_weights
from margin.optim.kernel_weights._steps import largest_sum, radius

RNG = np.random.default_rng(3)


def trainer(n=30, m=3, C=1.0, tol=1e-9):
    A = RNG.normal(size=(m, n, 4))
    stack = Stack(A @ A.transpose(0, 2, 1) + 0.1 * np.eye(n))
    sign = np.where(A[0, :, 0] + A[1, :, 0] + 0.5 * RNG.normal(size=n) > 0, 1.0, -1.0)
    return Trainer(stack, [Duel(np.arange(n), sign, np.full(n, C))], tol, 1)


def dual_by_slsqp(made, norm):
    """The dual of the whole problem, by a general solver."""
    duel, K = made.duels[0], np.array(made.stack.matrices)
    n, m = len(duel.sign), 1 if norm == 1 else len(K)  # the largest norm, or all
    Q = K * np.outer(duel.sign, duel.sign)

    def room(z):
        return z[n:] - np.einsum("i,mij,j->m", z[:n], Q, z[:n])

    def room_slope(z):
        return np.hstack([-2 * Q @ z[:n], np.eye(m) if m > 1 else np.ones((len(K), 1))])

    def value(z):
        top = z[n] if norm == 1 else largest_sum(z[n:], norm)
        return 0.5 * top - z[:n].sum()

    limits = [{"type": "ineq", "fun": room, "jac": room_slope}]
    limits.append({"type": "eq", "fun": lambda z: z[:n] @ duel.sign})
    best = minimize(
        value,
        np.r_[np.full(n, 1e-3), np.ones(m)],
        method="SLSQP",
        bounds=[(0, c) for c in duel.bound] + [(0, None)] * m,
        constraints=limits,
        options={"ftol": 1e-13, "maxiter": 2000},
    )
    return -best.fun


@pytest.mark.parametrize("norm", [1.0, 1.5, 3.0])
def test_optimum_is_that_of_a_general_solver(norm):
    """svm.19"""
    made = trainer(n=14, C=0.7, tol=1e-7)
    solution = learn_weights(made, norm, tol=1e-7, max_iter=200, rng=RNG)
    point = solution.extras["machines"]
    assert solution.status is Status.CONVERGED
    assert solution.certificate.holds
    assert_allclose(point.primal, dual_by_slsqp(made, norm), rtol=1e-6)
    assert_allclose(np.linalg.norm(point.weights, norm), radius(3, norm))


@pytest.mark.parametrize("norm", [1.0, 2.0])
def test_objective_never_rises_and_the_gap_bounds_it(norm):
    made = trainer(C=5.0)
    solution = learn_weights(made, norm, tol=1e-8, max_iter=100, rng=RNG)
    objective, gap = solution.trace["objective"], solution.trace["gap"]
    assert np.diff(objective).max(initial=-1.0) <= 1e-7 * objective[0]
    assert (objective - gap <= solution.objective * (1 + 1e-7)).all()


def test_fixed_weights_and_limits():
    made = trainer(tol=1e-4)
    solution = fixed_weights(made, np.array([1.0, 0.0, 0.0]), 1e-4, "hand")
    point = solution.extras["machines"]
    assert solution.certificate.holds
    assert_allclose(point.fixed_dual, point.primal, rtol=1e-4)
    stopped = learn_weights(made, 1.0, tol=1e-12, max_iter=1, rng=RNG)
    assert stopped.status is Status.MAX_ITER
    assert "raise max_iter" in stopped.message


def test_an_interruption_keeps_the_weights():
    def stop(iteration, objective):
        raise KeyboardInterrupt

    solution = learn_weights(trainer(), 1.0, tol=1e-12, max_iter=50, rng=RNG, callback=stop)
    assert solution.message == "interrupted after 1 change of the weights"
    assert_allclose(solution.x, 1 / 3)
