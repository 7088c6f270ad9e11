"""Limited-memory BFGS (optim.10)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize, rosen, rosen_der

from margin.core import Status
from margin.optim import BFGS, LBFGS, Function, NonlinearCG, minimise
from margin.optim.steppers._lbfgs import Pairs
from margin.testing import SolverContract


class TestLBFGSContract(SolverContract):
    conditions = (1.0, 10.0, 1e3, 1e6)

    def make(self):
        return [LBFGS(), LBFGS(tol=1e-4, memory=30)]


class TestShortMemoryContract(SolverContract):
    def make(self):
        return [LBFGS(memory=1)]


def dense_inverse(pairs, start):
    """The BFGS inverse Hessian written as matrices."""
    H = start.copy()
    identity = np.eye(len(H))
    for s, y in pairs:
        rho = 1 / (s @ y)
        H = (identity - rho * np.outer(s, y)) @ H @ (identity - rho * np.outer(y, s))
        H += rho * np.outer(s, s)
    return H


@pytest.mark.parametrize("count", [0, 1, 3, 6])
def test_two_loop_recursion_is_the_bfgs_matrix(count):
    """optim.10: products with the implicit inverse Hessian equal the explicit one."""
    rng = np.random.default_rng(0)
    A = np.diag([1.0, 3.0, 10.0, 40.0])
    pairs, held = Pairs(), []
    for _ in range(count):
        s = rng.normal(size=4)
        pairs = pairs.push(s, A @ s, memory=10)
        held.append((s, A @ s))
    gradient = rng.normal(size=4)
    scale = held[-1][0] @ held[-1][1] / (held[-1][1] @ held[-1][1]) if held else 1.0
    wanted = dense_inverse(held, scale * np.eye(4)) @ gradient
    assert_allclose(pairs.times(gradient, None), wanted, rtol=1e-10)
    inverse = np.diag([1.0, 0.5, 0.2, 0.1])
    scale = held[-1][0] @ held[-1][1] / (held[-1][1] @ inverse @ held[-1][1]) if held else 1.0
    wanted = dense_inverse(held, scale * inverse) @ gradient
    assert_allclose(pairs.times(gradient, lambda v: inverse @ v), wanted, rtol=1e-10)


def test_memory_keeps_the_newest_pairs_and_satisfies_the_secant_equation():
    """optim.10: the newest change of gradient is mapped back to its step."""
    rng = np.random.default_rng(0)
    pairs = Pairs()
    steps = [rng.normal(size=3) for _ in range(5)]
    for s in steps:
        pairs = pairs.push(s, 2 * s + 0.1 * np.roll(s, 1), memory=2)
    assert len(pairs.steps) == len(pairs.changes) == len(pairs.inner) == 2
    assert_allclose(pairs.steps[-1], steps[-1])
    assert_allclose(pairs.times(pairs.changes[-1], None), pairs.steps[-1], rtol=1e-10)


def test_finite_termination_on_a_quadratic(quadratic):
    """optim.10: a handful of steps suffice for a quadratic in few variables."""
    problem, best = quadratic(3, 50.0)
    solution = minimise(problem, LBFGS(tol=1e-9), np.full(3, 5.0))
    assert solution.n_iter <= 20
    assert_allclose(solution.x, best, atol=1e-8)


@pytest.mark.parametrize("dimension", [2, 10])
def test_rosenbrock_in_many_variables_agrees_with_scipy(dimension):
    """optim.10: the same minimum as SciPy's L-BFGS-B, with no more iterations than twice."""
    problem = Function(lambda x: (rosen(x), rosen_der(x)), dimension)
    x0 = np.tile([-1.2, 1.0], dimension // 2)
    solution = minimise(problem, LBFGS(tol=1e-6), x0)
    peer = minimize(rosen, x0, jac=rosen_der, method="L-BFGS-B", options={"gtol": 1e-6, "ftol": 0})
    assert solution.status is Status.CONVERGED
    assert solution.objective <= peer.fun + 1e-10
    assert_allclose(solution.x, 1.0, atol=1e-5)
    assert solution.n_iter <= 2 * peer.nit


def test_a_good_preconditioner_makes_the_first_step_newtons(quadratic):
    problem, best = quadratic(12, 1e4)
    A = problem.hessian(best)
    plain = minimise(problem, LBFGS(tol=1e-6), np.full(12, 3.0))
    helped = minimise(
        problem, LBFGS(tol=1e-6, precondition=lambda g: np.linalg.solve(A, g)), np.full(12, 3.0)
    )
    assert plain.status is helped.status is Status.CONVERGED
    assert helped.n_iter <= 2 < plain.n_iter
    assert_allclose(helped.x, best, atol=1e-6)


def test_tiny_curvature_is_not_divided_by():
    """Scores so flat that changes of the gradient underflow end the search in order."""
    for tol in (1e-12, 1e-300):
        problem = Function(
            lambda x: (float(np.exp(-x[0])), -np.exp(-x)), 1
        )  # no minimum: x runs away
        solution = minimise(problem, LBFGS(tol=tol))
        assert solution.status in (Status.CONVERGED, Status.STALLED, Status.MAX_ITER)
        assert np.isfinite(solution.x).all()


def test_bad_settings_are_refused():
    with pytest.raises(ValueError, match="LBFGS: memory must be an integer of at least 1, got 0"):
        LBFGS(memory=0)


@pytest.mark.parametrize("solver", [LBFGS, BFGS, NonlinearCG])
def test_the_unit_of_the_objective_does_not_matter(solver):
    """The first trial moves by one unit whatever the size of the gradient."""
    rng = np.random.default_rng(0)
    A = np.diag(np.geomspace(1, 50, 8))
    x0 = rng.normal(size=8)
    counts = {
        minimise(
            Function(lambda x, c=unit: (c * 0.5 * float(x @ A @ x), c * (A @ x)), 8),
            solver(1e-6 * unit),
            x0,
        ).n_iter
        for unit in (2.0**-20, 1.0, 2.0**20)
    }
    assert len(counts) == 1
