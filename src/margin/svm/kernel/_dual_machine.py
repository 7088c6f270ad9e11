"""How box duals are solved, and the parameters of the machines that are trained by them."""

import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import Certificate, FitError, FitReport, Solution, Status, check, threads
from margin.core.progress import Callback
from margin.optim import SMO, BoxDual, optimality, solve_qp
from margin.svm._kernel_machine import KernelMachine


@dataclass(frozen=True)
class DualSettings:
    """Solver of box duals, and how far it goes.

    Parameters
    ----------
    owner : str
        Name of the estimator in messages.
    solver : {"smo", "qp"}
        ``"qp"`` is a general solver of quadratic programs.
    tol : float
        Largest violation of the optimality conditions.
    max_iter : int or None
        Most pairs of multipliers that are optimised.
    cache_size : float
        Megabytes of kernel rows.
    shrinking : bool
        Whether multipliers at their bounds may leave for a while.
    n_threads : int
    """

    owner: str = "SVC"
    solver: str = "smo"
    tol: float = 1e-3
    max_iter: int | None = None
    cache_size: float = 200.0
    shrinking: bool = True
    n_threads: int = 1

    def solve(self, problem: BoxDual, tick: Callback | None = None) -> Solution:
        """Solution of a dual; refuses one that has none."""
        if self.solver == "qp":
            solution = _by_program(problem, self.tol)
        else:
            solution = SMO(
                tol=self.tol,
                max_iter=self.max_iter,
                cache_size=self.cache_size,
                shrinking=self.shrinking,
                n_threads=self.n_threads,
            ).run(problem, callback=tick)
        if solution.status is Status.FAILED:
            raise FitError(f"{self.owner}: {_explained(problem, solution.message)}")
        return solution


class DualMachine(KernelMachine):
    """A machine with the parameters of a solver of box duals."""

    C: Any
    shrinking: Any
    tol: Any
    cache_size: Any
    verbose: Any
    max_iter: Any
    solver: Any
    n_iter_: Any
    shape_fit_: tuple[int, ...]
    fit_report_: FitReport

    @property
    def fit_status_(self) -> int:
        """0 where the fit converged, else 1."""
        return int(not self.fit_report_.status.ok)

    def _check_dual(self) -> None:
        """Refuse bad parameters of the solver and of the kernel."""
        check.params(
            self,
            positive="tol cache_size",
            flag="shrinking",
            one_of={"solver": ("smo", "qp")},
        )
        limit = self.max_iter
        counts = isinstance(limit, int | np.integer) and not isinstance(limit, bool)
        if not counts or not (limit == -1 or limit >= 1):
            raise check.fail(self, "max_iter", "an integer of at least 1, or -1", limit)
        self._check_kernel()

    def _check_price(self) -> None:
        """Refuse a bad ``C``; infinity allows no errors."""
        if not (isinstance(self.C, float) and np.inf == self.C):
            check.params(self, positive="C")

    def _settings(self) -> DualSettings:
        return DualSettings(
            owner=type(self).__name__,
            solver=self.solver,
            tol=float(self.tol),
            max_iter=None if self.max_iter == -1 else int(self.max_iter),
            cache_size=float(self.cache_size),
            shrinking=bool(self.shrinking),
            n_threads=threads.count(self.n_jobs),
        )

    def _keep_report(self, solution: Solution, notes: tuple[str, ...] = ()) -> None:
        """Store the report, with the primal value and the duality gap in words."""
        gap = solution.extras.get("gap")
        gap = solution.extras["optimality"].gap if gap is None else gap
        words = f"duality gap {gap:.3g} above a primal value of {gap - solution.objective:.6g}"
        solution = replace(solution, n_iter=max(1, solution.n_iter))
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution, (words, *notes))
        if self.verbose:
            sys.stdout.write(f"{self.fit_report_}\n")


def _explained(problem: BoxDual, message: str) -> str:
    if np.isfinite(problem.upper).all():
        return message
    return (
        "C=inf asks for data that can be fitted without any error, and these cannot be with this "
        f"kernel ({message}); use a finite C"
    )


def _by_program(problem: BoxDual, tol: float) -> Solution:
    solution = solve_qp(problem.program(), tol=min(1e-9, tol))
    if solution.status is Status.FAILED:
        return solution
    beta = np.clip(solution.x, problem.lower, problem.upper)
    largest = float(np.abs(beta).max(initial=0.0))
    for wall in (problem.lower, problem.upper):
        near = np.abs(beta - wall) <= 1e-5 * max(1e-300, largest)
        beta[near] = wall[near]
    everyone = np.arange(problem.gram.n)
    matrix = problem.gram.columns(None)(everyone)
    scores = np.asarray(matrix, dtype=np.float64) @ problem.by_row(beta)
    at = optimality(problem, beta, scores)
    return replace(
        solution,
        x=beta,
        objective=-at.dual,
        trace={"objective": np.array([-at.dual]), "violation": np.array([at.violation])},
        certificate=Certificate("KKT violation", at.violation, tol),
        extras={"optimality": at, "scores": scores},
    )
