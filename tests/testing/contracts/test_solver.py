from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from margin.core import Certificate, Status, check
from margin.optim import LBFGS, Function, Solver, State, minimise
from margin.testing import SolverContract


@dataclass(frozen=True)
class FixedStep(Solver):
    """Gradient descent with the exact step along the gradient, from the Hessian."""

    tol: float = 1e-7
    max_iter: int = 20_000
    requires: ClassVar[frozenset[str]] = frozenset({"gradient", "hessian_product"})

    def __post_init__(self):
        check.params(self, positive="tol", count="max_iter")

    def init(self, problem, x):
        return State(x, problem.expand(x, second_order=True))

    def step(self, problem, state):
        g = state.local.gradient
        length = 0.5 * float(g @ g) / float(g @ state.local.hessian_product(g))
        x = state.x - length * g
        local = problem.expand(x, second_order=True)
        if not local.value < state.local.value:
            return replace(state, stuck="no lower point")
        return replace(state, x=x, local=local, step_length=length)


class TestFixedStep(SolverContract):
    conditions = (1.0, 10.0)

    def make(self):
        return [FixedStep()]


def lying(**lies):
    """Contract over LBFGS whose driver changes what it reports."""

    class Lying(SolverContract):
        def make(self):
            return [LBFGS()]

        def solve(self, problem, solver, x0=None, **options):
            solution = minimise(problem, solver, x0, **options)
            return replace(solution, **{k: v(solution) for k, v in lies.items()})

    return Lying()


FAULTS = {
    "test_reaches_the_optimum_of_quadratics": {"x": lambda s: s.x + 1e-3},
    "test_reaches_the_optimum_of_logistic_regression": {"objective": lambda s: s.objective + 1},
    "test_an_optimal_start_needs_no_step": {"n_iter": lambda s: 1},
    "test_one_iteration_is_max_iter": {"status": lambda s: Status.CONVERGED},
    "test_status_is_truthful_for_any_limit": {
        "certificate": lambda s: Certificate("gradient norm", 0.0, s.certificate.tolerance)
    },
    "test_trace_starts_at_the_start_and_never_rises": {
        "trace": lambda s: {"objective": s.trace["objective"] + np.arange(s.n_iter + 1)}
    },
    "test_callback_sees_every_iteration": {"n_iter": lambda s: s.n_iter + 1},
    "test_interruption_keeps_the_best_so_far": {"message": lambda s: ""},
    "test_a_broken_objective_is_a_failure_and_not_an_exception": {
        "status": lambda s: Status.CONVERGED
    },
    "test_an_objective_that_breaks_off_keeps_the_last_good_point": {"objective": lambda s: np.nan},
    "test_unreachable_tolerance_ends_without_claiming_convergence": {
        "status": lambda s: Status.CONVERGED
    },
}


@pytest.mark.parametrize("test", FAULTS)
def test_a_lie_is_found_by_its_test(test):
    with pytest.raises(AssertionError):
        getattr(lying(**FAULTS[test]), test)()


def test_a_lost_best_point_is_found():
    contract = lying(x=lambda s: s.x * 0, objective=lambda s: s.trace["objective"][0])
    with pytest.raises(AssertionError, match="lost its best point"):
        contract.test_interruption_keeps_the_best_so_far()


def test_a_solver_that_does_not_check_its_settings_is_found():
    @dataclass(frozen=True)
    class Careless(FixedStep):
        def __post_init__(self):
            pass

    class Contract(SolverContract):
        def make(self):
            return [Careless()]

    with pytest.raises(AssertionError, match="accepts tol"):
        Contract().test_refuses_bad_settings()


def test_a_solver_that_ignores_what_it_lacks_is_found():
    class Contract(TestFixedStep):
        def solve(self, problem, solver, x0=None, **options):
            more = Function(lambda x: (0.5 * x @ x, x), 2, lambda x: np.eye(2))
            return minimise(more, solver, x0, **options)

    with pytest.raises(AssertionError, match="ran without"):
        Contract().test_refuses_a_problem_that_lacks_what_it_requires()


def test_a_solver_with_chance_in_it_is_found():
    class Contract(TestFixedStep):
        seeds = iter(range(10))

        def solve(self, problem, solver, x0=None, **options):
            return minimise(problem, solver, x0 + next(self.seeds), **options)

    with pytest.raises(AssertionError):
        Contract().test_same_start_same_answer()
