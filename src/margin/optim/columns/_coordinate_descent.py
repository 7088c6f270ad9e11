"""Coordinate descent for sparse linear models."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from margin.core import Certificate, Solution, Status, check
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.losses import Logistic, Squared
from margin.optim._linear_problem import LinearProblem
from margin.optim._problem import Problem
from margin.optim.columns._column_runs import Found, NewtonRun, SquaresRun
from margin.optim.columns._duality_gap import duality_gap, shrinkage
from margin.optim.columns._squares import Goal, Shrinkage


@dataclass(frozen=True)
class CoordinateDescent:
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
    requires: ClassVar[frozenset[str]] = frozenset({"columns", "prox"})

    def __post_init__(self) -> None:
        kinds = ("relative duality gap", "gradient norm")
        check.params(
            self,
            positive="tol",
            count="max_iter",
            flag="positive",
            one_of={"certificate": kinds},
        )

    def run(
        self, problem: Problem, x0: Floats | None = None, callback: Callback | None = None
    ) -> Solution:
        """Minimise from ``x0`` (zeros by default); the callback sees every iteration."""
        linear, penalty = self._accepted(problem)
        start = np.zeros(linear.dimension) if x0 is None else np.array(x0, dtype=np.float64)
        if start.shape != (linear.dimension,):
            raise check.fail(self, "x0", f"of shape ({linear.dimension},)", start.shape)
        kind = SquaresRun if isinstance(linear.loss, Squared) else NewtonRun
        search = kind(linear, penalty, start)
        by_gap = self._by_gap(linear, penalty)
        goal = Goal(gap=self.tol * search.scale) if by_gap else Goal(violation=self.tol)

        trace: list[float] = []
        message = ""
        found: Found | None = None
        try:
            for found in search.states(goal):
                if found.counts:
                    trace.append(found.objective)
                    if callback is not None and len(trace) > 1:
                        callback(len(trace) - 1, found.objective)
                if len(trace) > self.max_iter:
                    break
        except KeyboardInterrupt:
            message = f"interrupted after {len(trace) - 1} iterations"
        assert found is not None
        return self._solution(linear, search.scale, found, by_gap, trace, message)

    def _accepted(self, problem: Problem) -> tuple[LinearProblem, Shrinkage]:
        lacking = self.requires - problem.provides
        if lacking:
            raise ValueError(
                f"CoordinateDescent: problem must provide {', '.join(sorted(lacking))}, got "
                f"{type(problem).__name__} with {', '.join(sorted(problem.provides)) or 'nothing'}"
            )
        if not isinstance(problem, LinearProblem) or problem.n_outputs != 1:
            wanted = "a LinearProblem of one output"
            raise check.fail(self, "problem", wanted, type(problem).__name__)
        penalty = shrinkage(problem.penalty, positive=self.positive)
        if penalty is None:
            raise check.fail(self, "penalty", "L1, L2, ElasticNet or Zero", problem.penalty)
        return problem, penalty

    def _by_gap(self, problem: LinearProblem, penalty: Shrinkage) -> bool:
        known = isinstance(problem.loss, Squared | Logistic) and penalty.l1 + penalty.l2 > 0
        return known and self.certificate == "relative duality gap"

    def _solution(
        self,
        problem: LinearProblem,
        scale: float,
        found: Found,
        by_gap: bool,
        trace: list[float],
        message: str,
    ) -> Solution:
        gap, violation = found.gap, found.violation
        if not np.isfinite(violation) and np.isfinite(found.objective):
            # Stopped between two passes over the columns: measured here.
            gap = duality_gap(problem, found.x) if by_gap else gap
            violation = float(np.abs(problem.expand(found.x).gradient).max(initial=0.0))
        value = gap / scale if by_gap else violation
        kind = "relative duality gap" if by_gap else "gradient norm"
        certificate = Certificate(kind, value, self.tol)
        status = _status(certificate, found, len(trace) > self.max_iter or bool(message))
        return Solution(
            x=found.x,
            status=status,
            n_iter=len(trace) - 1,
            objective=found.objective,
            trace={"objective": np.array(trace)},
            certificate=certificate,
            solver="CoordinateDescent",
            message=message or self._message(status, certificate, len(trace) - 1),
            extras={"epochs": found.epochs, "gap": gap},
        )

    def _message(self, status: Status, certificate: Certificate, n_iter: int) -> str:
        left = f"{certificate.kind} {certificate.value:.3g} above tol={self.tol:g}"
        return {
            Status.CONVERGED: "",
            Status.MAX_ITER: f"stopped after max_iter={self.max_iter} iterations with {left}; "
            "raise max_iter, scale the features, or raise tol",
            Status.STALLED: f"no progress at machine precision after {n_iter} iterations: {left}; "
            "scale the features or raise tol",
            Status.FAILED: "the objective is not finite: scale the features",
        }[status]


def _status(certificate: Certificate, found: Found, cut_short: bool) -> Status:
    if not np.isfinite(found.objective):
        return Status.FAILED
    if certificate.holds:
        return Status.CONVERGED
    return Status.MAX_ITER if cut_short else Status.STALLED
