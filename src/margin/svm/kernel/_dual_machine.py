"""What kernel machines share that are trained by their box duals."""

import sys
from dataclasses import replace
from typing import Any

import numpy as np

from margin.core import FitReport, Solution, check, threads
from margin.svm._kernel_machine import KernelMachine
from margin.svm.kernel._settings import DualSettings


class DualMachine(KernelMachine):
    """A machine with the parameters of a solver of box duals."""

    C: Any
    shrinking: Any
    tol: Any
    cache_size: Any
    verbose: Any
    max_iter: Any
    solver: Any
    n_iter_: int
    fit_report_: FitReport

    def _check_dual(self) -> None:
        """Refuse bad parameters of the solver and of the kernel."""
        check.params(
            self,
            positive="tol cache_size",
            flag="shrinking verbose",
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
