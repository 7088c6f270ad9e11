"""The one loop that runs every solver: statuses, certificates, interruptions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize

from margin.core import Status
from margin.optim import (
    LBFGS,
    CoordinateDescent,
    DualNewton,
    Function,
    GradientDescent,
    LinearProblem,
    Newton,
    NewtonCG,
    Subgradient,
    minimise,
)
from margin.penalties import L1

SOLVERS = [Newton, NewtonCG, LBFGS, GradientDescent]


def bowl(dimension=2):
    return Function(lambda x: (0.5 * float(x @ x), x), dimension, lambda x: np.eye(dimension))


@pytest.mark.parametrize("solver", SOLVERS)
def test_converged_means_the_certificate_holds(solver, classification):
    problem = classification()
    solution = minimise(problem, solver(tol=1e-5))
    assert solution.status is Status.CONVERGED
    assert solution.message == ""
    assert solution.certificate.holds
    assert solution.certificate.kind == "gradient norm"
    assert solution.certificate.tolerance == 1e-5
    gradient = problem.expand(solution.x).gradient
    assert_allclose(solution.certificate.value, np.abs(gradient).max(), rtol=1e-12)


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no extended precision here")
@pytest.mark.parametrize("solver", SOLVERS)
def test_certificate_is_the_gradient_norm_in_extended_precision(solver, classification):
    """The certified number is recomputed from the data alone, in 64 bits of mantissa."""
    problem = classification(n=200, p=5)
    solution = minimise(problem, solver(tol=1e-7))
    X, y, s = (np.asarray(a, dtype=np.longdouble) for a in (problem.X, problem.y, problem.weight))
    coef, offset = (a.astype(np.longdouble) for a in problem.unpack(solution.x))
    slope = s * (1 / (1 + np.exp(-(X @ coef[:, 0] + offset[0]))) - y)
    gradient = np.append(
        X.T @ slope + np.longdouble(problem.penalty.alpha) * coef[:, 0], slope.sum()
    )
    assert abs(float(np.abs(gradient).max()) - solution.certificate.value) < 1e-15
    assert float(np.abs(gradient).max()) <= 1e-7 + 1e-15


@pytest.mark.parametrize("n_classes", [2, 3])
def test_all_solvers_reach_the_optimum_that_scipy_finds(n_classes, classification):
    """linear.32: the same minimiser by every solver and by SciPy's trust-region method."""
    problem = classification(n_classes, alpha=0.02)
    peer = minimize(
        lambda x: (problem.expand(x).value, problem.expand(x).gradient),
        np.zeros(problem.dimension),
        jac=True,
        hess=lambda x: problem.expand(x, second_order=True).hessian(),
        method="trust-exact",
        options={"gtol": 1e-9},
    )
    for solver in (Newton(1e-9), NewtonCG(1e-9), LBFGS(1e-9), GradientDescent(1e-8)):
        solution = minimise(problem, solver)
        assert solution.status is Status.CONVERGED
        assert_allclose(solution.objective, peer.fun, rtol=1e-12)
        assert_allclose(solution.x, peer.x, atol=1e-5)


@pytest.mark.parametrize("solver", SOLVERS)
def test_stalled_when_the_tolerance_is_below_rounding(solver, classification):
    """A gradient of 1e-30 cannot be had; the search ends and says why."""
    solution = minimise(classification(), solver(tol=1e-30))
    assert solution.status in (Status.STALLED, Status.MAX_ITER)
    assert solution.certificate.value < 1e-7
    if solution.status is Status.STALLED:
        assert "no progress at machine precision" in solution.message
        assert "raise tol" in solution.message


def test_not_stalled_while_the_gradient_still_falls():
    """Values that no longer change are no reason to stop while the gradient does."""
    offset = 1e8  # hides everything below 1e-8 in the value

    def expand(x):
        return offset + 0.5 * float(x @ (np.array([1.0, 30.0]) * x)), np.array([1.0, 30.0]) * x

    solution = minimise(
        Function(expand, 2), GradientDescent(tol=1e-9, step_length=0.02), np.full(2, 1e-3)
    )
    assert solution.status is Status.CONVERGED
    assert np.ptp(solution.trace["objective"][-100:]) == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_max_iter_says_what_to_do(solver, classification):
    solution = minimise(classification(), solver(tol=1e-12, max_iter=2))
    assert solution.status is Status.MAX_ITER
    assert solution.n_iter == 2
    assert solution.message.startswith("stopped after max_iter=2 iterations with gradient norm ")
    assert "above tol=1e-12; raise max_iter, scale the features, or raise tol" in solution.message


@pytest.mark.parametrize("solver", SOLVERS)
def test_nan_at_the_start_is_a_failure(solver):
    broken = Function(lambda x: (np.nan, np.zeros(2)), 2, lambda x: np.eye(2))
    solution = minimise(broken, solver())
    assert solution.status is Status.FAILED
    assert solution.message == "the objective became nan with gradient norm 0.0 at iteration 0"


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_nan_in_the_gradient_is_a_failure(bad):
    def expand(x):
        return float(x @ x), np.array([bad, 0.0]) if x[0] < 0.6 else 2 * x

    problem = Function(expand, 2)
    solution = minimise(problem, GradientDescent(step_length=0.3), np.ones(2))
    assert solution.status is Status.FAILED
    assert "at iteration 1" in solution.message
    assert np.isfinite(solution.objective)


@pytest.mark.parametrize("where", ["callback", "objective"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_interruption_keeps_the_best_so_far(solver, where, classification):
    """Ctrl-C at any moment gives a usable point, the lowest seen."""
    problem, calls = classification(p=6), []

    def callback(iteration, objective):
        if where == "callback" and iteration == 2:
            raise KeyboardInterrupt

    class Interrupting(LinearProblem):
        def expand(self, x, *, second_order=False):
            calls.append(1)
            if where == "objective" and len(calls) == 4:
                raise KeyboardInterrupt
            return super().expand(x, second_order=second_order)

    same = Interrupting(
        problem.X, problem.y, problem.weight, problem.loss, problem.penalty, n_threads=1
    )
    solution = minimise(same, solver(tol=1e-12), callback=callback)
    assert solution.status is Status.MAX_ITER
    assert solution.message == f"interrupted after {solution.n_iter} iterations"
    assert solution.n_iter >= 1
    assert solution.objective == solution.trace["objective"].min()
    assert_allclose(problem.expand(solution.x).value, solution.objective, rtol=1e-14)
    assert solution.objective < problem.expand(np.zeros(problem.dimension)).value


def test_other_exceptions_are_not_swallowed():
    def expand(x):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        minimise(Function(expand, 1), LBFGS())


def test_missing_requirements_are_named_before_any_work(classification):
    def never(x):
        raise AssertionError("must not be evaluated")

    with pytest.raises(
        ValueError, match=r"^Newton: problem must provide hessian, got Function with gradient"
    ):
        minimise(Function(never, 3), Newton())
    with pytest.raises(ValueError, match=r"^NewtonCG: problem must provide hessian_product, got"):
        minimise(Function(never, 3), NewtonCG())
    smooth = classification()
    rough = LinearProblem(smooth.X, smooth.y, None, smooth.loss, L1(0.1))
    for solver in SOLVERS:
        with pytest.raises(
            ValueError, match=f"^{solver.__name__}: problem must provide gradient.*LinearProblem"
        ):
            minimise(rough, solver())


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 1)])
def test_start_of_the_wrong_shape_is_refused(shape):
    with pytest.raises(ValueError, match=r"minimise: x0 must be of shape \(2,\), got \("):
        minimise(bowl(), LBFGS(), np.zeros(shape))


def test_start_is_zero_by_default_and_lists_are_taken():
    assert minimise(bowl(), LBFGS()).n_iter == 0
    assert minimise(bowl(), Newton(), [3, 4]).n_iter == 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_trace_holds_every_iterate_when_asked(solver, rosenbrock):
    start = np.array([-1.2, 1.0])
    solution = minimise(rosenbrock, solver(max_iter=8), start, trace=True)
    path = solution.trace["x"]
    assert path.shape == (solution.n_iter + 1, 2)
    assert_array_equal(path[0], start)
    assert_array_equal(path[-1], solution.x)
    values = [rosenbrock.expand(x) for x in path]
    assert_array_equal(solution.trace["objective"], [v.value for v in values])
    assert_array_equal(solution.trace["gradient_norm"], [np.abs(v.gradient).max() for v in values])
    assert "x" not in minimise(rosenbrock, solver(max_iter=2), start).trace


def test_best_point_of_a_method_that_is_not_monotone():
    """The answer is the lowest point, with the gradient measured there."""
    solution = minimise(
        Function(lambda x: (0.5 * float(x @ x), x), 1),
        GradientDescent(step_length=2.2, max_iter=5),
        np.ones(1),
    )
    assert solution.objective == 0.5
    assert solution.certificate.value == 1.0
    assert_array_equal(solution.x, [1.0])


def test_nothing_to_minimise_is_converged():
    solution = minimise(Function(lambda x: (7.0, x), 0), LBFGS())
    assert solution.status is Status.CONVERGED
    assert solution.objective == 7.0
    assert solution.x.shape == (0,)


@pytest.mark.parametrize(
    "solver",
    [
        Subgradient(0.02, 50_000, radius=3.0),
        CoordinateDescent(1e-10, certificate="gradient norm"),
        DualNewton(1e-12),
    ],
    ids=lambda solver: type(solver).__name__,
)
def test_solvers_that_run_by_themselves_are_run(solver, classification):
    """What is not made of steps has the same door."""
    problem, seen = classification(p=3), []
    start = np.zeros(problem.dimension)
    solution = minimise(problem, solver, start, callback=lambda *at: seen.append(at), trace=True)
    best = minimise(problem, Newton(1e-10))
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.objective, best.objective, atol=0.02)
    assert len(seen) == solution.n_iter
    assert solution.trace["x"].shape == (len(solution.trace["objective"]), problem.dimension)


def test_what_is_no_problem_or_no_solver_is_refused_by_name():
    bowl = Function(lambda x: (float(x @ x), 2 * x), 2)
    for solver in (Newton(), Subgradient(), CoordinateDescent()):
        with pytest.raises(
            ValueError, match=r"minimise: problem must be a Problem \(optim.Function"
        ):
            minimise(lambda x: (float(x @ x), 2 * x), solver)
    for wrong in (Newton, "newton", None):
        with pytest.raises(ValueError, match="minimise: solver must be a Solver such as"):
            minimise(bowl, wrong)
    with pytest.raises(ValueError, match="minimise: x0 must be numbers, got"):
        minimise(bowl, GradientDescent(), ["a", "b"])


def test_a_problem_is_missed_before_a_solver():
    with pytest.raises(ValueError, match=r"minimise: problem must be a Problem .*got <function"):
        minimise(lambda x: x @ x)
    with pytest.raises(ValueError, match=r"minimise: solver must be a Solver such as .* got None"):
        minimise(Function(lambda x: (x @ x, 2 * x), 2))
