"""Coordinate descent for sparse linear models."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from margin.core import Iterate, Solution, Status, Stop, check, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim._linear_problem import LinearProblem
from margin.optim._problem import Problem
from margin.optim._solver import DirectSolver, accept, one_output, starting_point
from margin.optim.columns._column_runs import ColumnState, NewtonRun, SquaresRun
from margin.optim.columns._duality_gap import duality_gap, shrinkage
from margin.optim.columns._squares import Goal, Shrinkage


@dataclass(frozen=True)
class CoordinateDescent(DirectSolver):
    r"""Cyclic coordinate descent with working sets, for L1, L2 and elastic-net penalties.

    Least squares are solved by sub-problems on the columns that ask to enter, each by cyclic
    descent with Anderson extrapolation; other smooth losses by prox-Newton steps whose models are
    solved the same way, followed by a line search. The intercept is eliminated exactly.

    Parameters
    ----------
    tol : float
        Certificate that counts as converged.
    max_iter : int
        Most working sets (least squares) or Newton steps (other losses).
    certificate : {"relative duality gap", "gradient norm"}
        The gap is relative to :math:`\sum_i s_i (y_i - \bar y)^2` for squares, as in scikit-learn,
        and to the objective without features for the logistic loss. Other losses, and problems
        without penalty, have the gradient norm only: the largest entry of the least subgradient.
    positive : bool
        Whether the coefficients must be at least 0.
    max_sweeps : int, optional
        Most sweeps over coordinates, for least squares; no limit by default.

    Notes
    -----
    A working set of :math:`m` columns of a dense matrix costs :math:`O(n m^2)` once and
    :math:`O(m^2)` per sweep; of a sparse matrix, its stored entries per sweep. Each is followed by
    one pass over all columns.

    References
    ----------
    Bertrand, Massias, "Anderson acceleration of coordinate descent", AISTATS 2021.
    Yuan, Ho, Lin, "An improved GLMNET for l1-regularized logistic regression", JMLR 2012.

    Examples
    --------
    On orthonormal columns the lasso is the soft threshold of the products with the target:

    >>> import numpy as np
    >>> from margin.losses import Squared
    >>> from margin.optim import LinearProblem
    >>> from margin.penalties import L1
    >>> X, y = np.eye(3)[:, :2], np.array([3.0, -0.5, 1.0])
    >>> problem = LinearProblem(X, y, None, Squared(), L1(1.0), intercept=False)
    >>> CoordinateDescent().run(problem).x
    array([2., 0.])
    """

    tol: float = 1e-6
    max_iter: int = 1000
    certificate: Literal["relative duality gap", "gradient norm"] = "relative duality gap"
    positive: bool = False
    max_sweeps: int | None = None
    requires: ClassVar[frozenset[str]] = frozenset({"columns", "prox"})

    def __post_init__(self) -> None:
        kinds = ("relative duality gap", "gradient norm")
        check.params(
            self,
            nonnegative="tol",
            count="max_iter" if self.max_sweeps is None else "max_iter max_sweeps",
            flag="positive",
            one_of={"certificate": kinds},
        )

    def run(
        self,
        problem: Problem,
        x0: Floats | None = None,
        callback: Callback | None = None,
        trace: bool = False,
    ) -> Solution:
        """Minimise from ``x0`` (zeros by default); the callback sees every iteration."""
        linear, penalty = self._accepted(problem)
        start = starting_point(self, linear, x0)
        search: SquaresRun | NewtonRun
        if linear.loss.quadratic:
            search = SquaresRun(linear, penalty, start, self.max_sweeps)
        else:
            search = NewtonRun(linear, penalty, start)
        by_gap = linear.loss.has_conjugate and penalty.l1 + penalty.l2 > 0
        by_gap = by_gap and self.certificate == "relative duality gap"
        proof = _Proof(linear, search.scale, by_gap)
        goal = Goal(gap=self.tol * search.scale) if by_gap else Goal(violation=self.tol)
        stop = Stop(
            "relative duality gap" if by_gap else "gradient norm",
            self.tol,
            self.max_iter,
            keep="last",
            columns=("x",) if trace else (),
        )
        states = _states(search.states(goal), proof, trace)
        solution = iterate(
            states, stop, solver="CoordinateDescent", callback=callback, finish=proof.complete
        )
        return self._limited(solution, stop)

    def _limited(self, solution: Solution, stop: Stop) -> Solution:
        """Say so where the search did not stall but had made all its sweeps."""
        most = self.max_sweeps
        if most is None or solution.status is not Status.STALLED or not solution.certificate:
            return solution
        if solution.extras["epochs"] < most:
            return solution
        words = replace(stop, max_iter=most, unit="sweep").cut_short(solution.certificate.value)
        return replace(solution, status=Status.MAX_ITER, message=words)

    def _accepted(self, problem: Problem) -> tuple[LinearProblem, Shrinkage]:
        linear = one_output(self, accept(self, problem))
        penalty = shrinkage(linear.penalty, positive=self.positive)
        if penalty is None:
            raise check.fail(self, "penalty", "L1, L2, ElasticNet or Zero", linear.penalty)
        return linear, penalty


@dataclass(frozen=True)
class _Proof:
    """What certifies a point: the duality gap in units of a scale, or the gradient norm."""

    problem: LinearProblem
    scale: float
    by_gap: bool

    def value(self, gap: float, violation: float) -> float | None:
        """The certificate, unless it was not measured."""
        if not np.isfinite(violation):
            return None
        return gap / self.scale if self.by_gap else violation

    def complete(self, at: Iterate) -> Iterate:
        """Measure the answer of a search that was stopped between two passes over the columns."""
        if at.certificate is not None or not np.isfinite(at.objective):
            return at
        gap = duality_gap(self.problem, at.x) if self.by_gap else at.extras["gap"]
        violation = float(np.abs(self.problem.expand(at.x).gradient).max(initial=0.0))
        extras = {**at.extras, "gap": gap}
        return at._replace(certificate=self.value(gap, violation), extras=extras)


def _states(points: Iterator[ColumnState], proof: _Proof, trace: bool) -> Iterator[Iterate]:
    n_iter = -1
    for at in points:
        n_iter += at.counts
        yield Iterate(
            at.x,
            at.objective,
            proof.value(at.gap, at.violation),
            n_iter,
            (at.x,) if trace else (),
            extras={"epochs": at.epochs, "gap": at.gap},
        )
