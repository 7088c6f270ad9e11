"""How the dual of a machine is solved."""

from dataclasses import dataclass, replace

import numpy as np

from margin.core import Certificate, FitError, Solution, Status
from margin.core.progress import Callback
from margin.optim import SMO, BoxDual, optimality, solve_qp


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
