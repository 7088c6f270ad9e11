"""What every solver must satisfy."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from margin.core import Solution, Status
from margin.core.progress import Callback
from margin.optim import Problem, Solver, minimise
from margin.testing._objectives import Provides, broken, cliff, logistic, quadratic, valley
from margin.testing._refusal import assert_house_format, refusal
from margin.testing.contracts._values import assert_is_value, rounding


class SolverContract(ABC):
    """Base class of the tests of a solver: subclass it and give :meth:`make`.

    Attributes
    ----------
    monotone : bool
        Whether no step may raise the objective; false for stochastic methods.
    conditions : tuple of float
        Condition numbers of the quadratics that must be solved to the solver's own tolerance.

    Examples
    --------
    >>> from margin.optim import LBFGS
    >>> class TestLBFGS(SolverContract):
    ...     def make(self):
    ...         return [LBFGS()]
    >>> TestLBFGS().test_reaches_the_optimum_of_quadratics()
    """

    monotone = True
    conditions: tuple[float, ...] = (1.0, 10.0, 1e3)

    @abstractmethod
    def make(self) -> Iterable[Solver]:
        """Solvers to test, a few settings each."""

    def solve(self, problem: Problem, solver: Solver, x0: Any = None, **options: Any) -> Solution:
        """Run a solver; overridden where another driver runs it."""
        return minimise(problem, solver, x0, **options)

    def test_is_an_immutable_value(self) -> None:
        """Frozen, hashable, equal to its copies."""
        for solver in self.make():
            assert_is_value(solver)

    def test_refuses_bad_settings(self) -> None:
        """A tolerance or an iteration limit that makes no sense is refused by name."""
        for solver in self.make():
            for name, bad in (("tol", -1.0), ("tol", np.nan), ("max_iter", 0), ("max_iter", 1.5)):
                text = refusal(_changed, solver, **{name: bad})
                assert_house_format(text, type(solver).__name__, name, bad)

    def test_reaches_the_optimum_of_quadratics(self) -> None:
        """The minimiser of a strictly convex quadratic is found from zero and from afar."""
        for solver in self.make():
            for dimension, condition in ((1, 1.0), *((8, c) for c in self.conditions)):
                problem, best = quadratic(dimension, condition, linear=_needs_model(solver))
                for x0 in (None, np.full(dimension, 10.0)):
                    solution = self.solve(problem, solver, x0)
                    assert solution.status is Status.CONVERGED, f"{solver}: {solution.message}"
                    # |x - x*| <= |gradient| / smallest curvature, which is 1.
                    reach = np.sqrt(dimension) * solver.tol + 1e-12
                    assert np.linalg.norm(solution.x - best) <= reach, f"{solver}"
                    self.assert_truthful(problem, solver, solution)

    def test_reaches_the_optimum_of_logistic_regression(self) -> None:
        """No point around the answer, and not the start, has a lower objective."""
        rng = np.random.default_rng(0)
        for solver in self.make():
            problem = logistic(0.1, linear=_needs_model(solver))
            solution = self.solve(problem, solver)
            assert solution.status is Status.CONVERGED, f"{solver}: {solution.message}"
            self.assert_truthful(problem, solver, solution)
            for size in (1e-3, 1e-1, 1.0):
                other = solution.x + size * rng.normal(size=problem.dimension)
                assert problem.expand(other).value > solution.objective, f"{solver}"

    def test_an_optimal_start_needs_no_step(self) -> None:
        """Started at the minimiser, a solver says so at once."""
        for solver in self.make():
            problem, best = quadratic(4, 10.0, linear=_needs_model(solver))
            solution = self.solve(problem, _changed(solver, tol=1e-8), best)
            assert solution.status is Status.CONVERGED
            assert solution.n_iter == 0
            np.testing.assert_array_equal(solution.x, best)

    def test_one_iteration_is_max_iter(self) -> None:
        """Cut short, a solver says so, says what to do, and keeps what it has."""
        for solver in self.make():
            problem = logistic(0.1, linear=_needs_model(solver))
            short = _changed(solver, max_iter=1, tol=1e-10)
            solution = self.solve(problem, short)
            assert solution.status is Status.MAX_ITER, f"{solver}: {solution.status}"
            assert solution.n_iter == 1
            assert "max_iter" in solution.message
            assert solution.objective <= problem.expand(np.zeros(problem.dimension)).value
            self.assert_truthful(problem, short, solution)

    def test_status_is_truthful_for_any_limit(self) -> None:
        """Converged if and only if the certificate, measured afresh, holds."""
        for solver in self.make():
            for max_iter in (1, 2, 5, 50):
                for tol in (1e-2, 1e-6):
                    problem = logistic(1.0, linear=_needs_model(solver))
                    changed = _changed(solver, max_iter=max_iter, tol=tol)
                    self.assert_truthful(problem, changed, self.solve(problem, changed))

    def test_unreachable_tolerance_ends_without_claiming_convergence(self) -> None:
        """At machine precision a solver stops by itself and does not claim what it has not."""
        for solver in self.make():
            problem = logistic(1.0, linear=_needs_model(solver))
            changed = _changed(solver, tol=1e-300, max_iter=2000)
            solution = self.solve(problem, changed)
            assert solution.status in (Status.STALLED, Status.MAX_ITER) or (
                solution.certificate is not None and solution.certificate.value <= 1e-300
            )
            assert np.abs(problem.expand(solution.x).gradient).max() < 1e-3, f"{solver}"
            self.assert_truthful(problem, changed, solution)

    def test_trace_starts_at_the_start_and_never_rises(self) -> None:
        """One entry for the start and one per iteration; the smallest step is no rise."""
        for solver in self.make():
            problem, _ = quadratic(8, 100.0, linear=_needs_model(solver))
            x0 = np.full(8, 3.0)
            solution = self.solve(problem, solver, x0)
            objective = solution.trace["objective"]
            assert len(objective) == solution.n_iter + 1
            assert objective[0] == problem.expand(x0).value
            if self.monotone:
                assert np.diff(objective).max() <= rounding(objective), f"{solver}: objective rose"

    def test_refuses_a_problem_that_lacks_what_it_requires(self) -> None:
        """What is missing, a Hessian for example, is named before any work is done."""
        for solver in self.make():
            for need in solver.requires:
                problem = Provides(solver.requires - {need})
                text = refusal(self.solve, problem, solver) or ""
                wanted = f"{type(solver).__name__}: problem must provide {need}"
                assert text.startswith(wanted), f"{solver} ran without {need}: {text!r}"
                assert not problem.visited, f"{solver} evaluated a problem it refuses"

    def test_interruption_keeps_the_best_so_far(self) -> None:
        """Ctrl-C in the callback ends the search with the lowest point seen."""
        for solver in self.make():
            patient = _changed(solver, tol=1e-10)
            problem = logistic(0.1, linear=_needs_model(solver))
            solution = self.solve(problem, patient, callback=_interrupt_at(2))
            assert solution.n_iter == 2
            assert solution.status is Status.MAX_ITER
            assert "interrupted" in solution.message
            _assert_lowest(solver, solution)
            self.assert_truthful(problem, patient, solution)

    def test_interruption_keeps_a_lower_point_of_larger_gradient(self) -> None:
        """Lower counts, not flatter: the way down into a valley gets steeper first."""
        for solver in self.make():
            if not _needs_model(solver):
                start = np.array([3.0])
                solution = self.solve(valley(), solver, start, callback=_interrupt_at(1))
                _assert_lowest(solver, solution)

    def test_a_broken_objective_is_a_failure_and_not_an_exception(self) -> None:
        """NaN ends the search with the status FAILED and a sentence that says what broke."""
        for solver in self.make():
            if _needs_model(solver):
                continue
            solution = self.solve(broken(), solver, np.array([1.0]))
            assert solution.status is Status.FAILED, f"{solver}: {solution.status}"
            assert solution.message

    def test_an_objective_that_breaks_off_keeps_the_last_good_point(self) -> None:
        """Stepping over an edge into NaN neither converges nor loses what was reached."""
        for solver in self.make():
            if _needs_model(solver):
                continue
            solution = self.solve(cliff(), solver, np.array([1.0]))
            assert solution.status in (Status.STALLED, Status.FAILED, Status.MAX_ITER)
            assert 0.9 < solution.objective <= 1.0, f"{solver} returns {solution.objective}"
            assert solution.message

    def test_callback_sees_every_iteration(self) -> None:
        """The callback is called once per iteration with the objective of the trace."""
        for solver in self.make():
            seen: list[tuple[int, float]] = []
            problem, _ = quadratic(3, 10.0, linear=_needs_model(solver))
            solution = self.solve(
                problem, solver, callback=lambda i, f, seen=seen: seen.append((i, f))
            )
            assert [i for i, _ in seen] == list(range(1, solution.n_iter + 1))
            assert [f for _, f in seen] == solution.trace["objective"][1:].tolist()

    def test_same_start_same_answer(self) -> None:
        """Two runs agree to the last bit, and the start is not written to."""
        for solver in self.make():
            problem, _ = quadratic(8, 100.0, linear=_needs_model(solver))
            x0 = np.full(8, 2.0)
            first, second = self.solve(problem, solver, x0), self.solve(problem, solver, x0)
            np.testing.assert_array_equal(first.x, second.x)
            np.testing.assert_array_equal(x0, np.full(8, 2.0))

    def assert_truthful(self, problem: Problem, solver: Solver, solution: Solution) -> None:
        """Check objective, certificate, status and iteration count against the problem itself."""
        afresh = problem.expand(solution.x)
        np.testing.assert_allclose(solution.objective, afresh.value, rtol=1e-12, atol=1e-14)
        certificate = solution.certificate
        assert certificate is not None, f"{solver} gives no certificate"
        assert certificate.tolerance == solver.tol
        if certificate.kind == "gradient norm":
            norm = float(np.abs(afresh.gradient).max())
            np.testing.assert_allclose(certificate.value, norm, rtol=1e-6, atol=1e-13)
        assert (solution.status is Status.CONVERGED) == certificate.holds, (
            f"{solver} says {solution.status.value} with {certificate!r}"
        )
        assert solution.n_iter <= solver.max_iter
        if solution.status is not Status.CONVERGED:
            assert solution.message, f"{solver} does not say why it stopped"


def _needs_model(solver: Solver) -> bool:
    """Whether a solver works on rows or columns of a linear model only."""
    return bool(solver.requires & {"rows", "columns"})


def _interrupt_at(stop: int) -> Callback:
    def interrupt(iteration: int, objective: float) -> None:
        if iteration == stop:
            raise KeyboardInterrupt

    return interrupt


def _assert_lowest(solver: Solver, solution: Solution) -> None:
    least = float(np.min(solution.trace["objective"]))
    assert solution.objective <= least + rounding(least), f"{solver} lost its best point"


def _changed(solver: Solver, **settings: Any) -> Any:
    return dataclasses.replace(solver, **settings)
