"""Truncated Newton: the same minimum from products with the Hessian alone."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.losses import Logistic
from margin.optim import (
    Expansion,
    Function,
    LinearProblem,
    Newton,
    NewtonCG,
    Problem,
    minimise,
)
from margin.optim._curvature import Curvature
from margin.optim.steppers import _newton_cg
from margin.penalties import L2
from margin.testing import SolverContract


class TestNewtonCGContract(SolverContract):
    conditions = (1.0, 10.0, 1e3, 1e6)

    def make(self):
        return [NewtonCG(), NewtonCG(tol=1e-5)]


@dataclass(frozen=True)
class ProductsOnly(Problem):
    """A quadratic that cannot give its matrix."""

    A: np.ndarray
    calls: list
    provides = frozenset({"gradient", "hessian_product"})

    @property
    def dimension(self):
        return len(self.A)

    def expand(self, x, *, second_order=False):
        def product(v):
            self.calls.append(1)
            return self.A @ v

        image = self.A @ (x - 1)
        return Expansion(0.5 * float((x - 1) @ image), image, hessian_product=product)


@pytest.mark.parametrize("condition", [1.0, 100.0, 1e6])
def test_needs_products_only(condition):
    rng = np.random.default_rng(0)
    basis, _ = np.linalg.qr(rng.normal(size=(20, 20)))
    A = (basis * np.geomspace(1, condition, 20)) @ basis.T
    problem = ProductsOnly(0.5 * (A + A.T), [])
    solution = minimise(problem, NewtonCG(tol=1e-8))
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, 1.0, atol=1e-7)
    with pytest.raises(ValueError, match="Newton: problem must provide hessian"):
        minimise(problem, Newton())


def test_few_distinct_curvatures_need_few_products():
    """Conjugate gradients end after as many products as there are distinct eigenvalues."""
    problem = ProductsOnly(np.diag([1.0] * 10 + [7.0] * 10 + [50.0] * 10), [])
    solution = minimise(problem, NewtonCG(tol=1e-9))
    assert solution.status is Status.CONVERGED
    assert len(problem.calls) <= 3 * solution.n_iter


def test_early_steps_are_cheap_and_late_ones_superlinear(classification):
    """The number of products per step grows; the gradient falls faster than linearly."""
    problem = classification(n=300, p=20, alpha=1e-4)
    solution = minimise(problem, NewtonCG(tol=1e-11))
    norms = solution.trace["gradient_norm"]
    assert solution.status is Status.CONVERGED
    assert norms[-1] / norms[-2] < 0.1 * norms[2] / norms[1]


def test_concave_directions_are_left_by_descent(rosenbrock):
    """Where the Hessian is indefinite the step still descends."""
    for start in ([0.0, 1.0], [-1.2, 1.0], [0.0, 0.0]):
        solution = minimise(rosenbrock, NewtonCG(), np.array(start))
        assert solution.status is Status.CONVERGED
        assert_allclose(solution.x, 1.0, atol=1e-6)
        assert np.diff(solution.trace["objective"]).max() <= 0


def test_preconditioning_changes_the_work_and_not_the_answer():
    """The exact inverse Hessian solves the system in one product."""
    scales = np.geomspace(1, 1e6, 30)
    plain, helped = ProductsOnly(np.diag(scales), []), ProductsOnly(np.diag(scales), [])
    without = minimise(plain, NewtonCG(tol=1e-9))
    solver = NewtonCG(tol=1e-9, precondition=lambda r: r / scales)
    with_help = minimise(helped, solver)
    assert without.status is with_help.status is Status.CONVERGED
    assert_allclose(with_help.x, without.x, atol=1e-8)
    assert with_help.n_iter == 1
    assert len(helped.calls) == 1 < len(plain.calls)


def test_limit_of_inner_iterations_still_converges():
    problem = Function(lambda x: (0.5 * float(x @ x * 1.0), x), 5, lambda x: np.eye(5))
    assert minimise(problem, NewtonCG(max_inner=1), np.ones(5)).status is Status.CONVERGED
    hard = ProductsOnly(np.diag(np.geomspace(1, 1e3, 20)), [])
    solution = minimise(hard, NewtonCG(tol=1e-6, max_inner=2, max_iter=5000))
    assert solution.status is Status.CONVERGED
    with pytest.raises(ValueError, match="NewtonCG: max_inner must be an integer of at least 1"):
        NewtonCG(max_inner=0)


def test_what_one_system_showed_helps_the_next(monkeypatch):
    """Fewer products with the Hessian near the minimum, the same answer."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 120)) * np.geomspace(1, 0.02, 120)
    y = (X @ rng.normal(size=120) + rng.logistic(size=400) > 0).astype(float)
    problem = LinearProblem(X, y, np.full(400, 1 / 400), Logistic(), L2(1e-4), intercept=False)
    calls = []
    product = Curvature.product

    def counted(self, *given):
        calls.append(1)
        return product(self, *given)

    monkeypatch.setattr(Curvature, "product", counted)
    learning, with_memory = minimise(problem, NewtonCG(1e-12)), len(calls)
    monkeypatch.setattr(_newton_cg, "_NEAR", 0.0)
    forgetful, without = minimise(problem, NewtonCG(1e-12)), len(calls) - with_memory
    assert_allclose(learning.x, forgetful.x, atol=1e-6)
    assert with_memory < without
