"""Dual logistic regression."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core import Certificate, Solution, Status, check, random
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.losses import Logistic
from margin.optim._linear_problem import LinearProblem
from margin.optim._problem import Problem
from margin.optim._solver import State
from margin.optim.duals._logistic_dual import DualPoint, LogisticDual
from margin.optim.steppers._newton_cg import NewtonCG
from margin.penalties import L2, RKHS

_PATIENCE = 30
_WAIT = 10  # passes in which the gap should fall to a tenth
_JOINT = NewtonCG(tol=1e-14)


@dataclass(frozen=True)
class DualNewton:
    r"""Coordinate-wise Newton on the dual of logistic regression (linear.34).

    The tangent bound :math:`\log(1 + e^{-t}) \ge -a t + H(a)` of every row turns
    :math:`\min_w \sum_i s_i \log(1 + e^{-t_i x_i^\top w}) + \tfrac\alpha2 \|w\|^2`, with labels
    :math:`t_i = \pm 1`, into the dual

    .. math:: \max_{a \in [0, 1]^n} \sum_i s_i H(a_i) - \frac{1}{2\alpha}
        \Bigl\| \sum_i s_i a_i t_i x_i \Bigr\|^2, \qquad w = \frac1\alpha \sum_i s_i a_i t_i x_i .

    One :math:`a_i` at a time is moved to the maximum by Newton's method, safeguarded by a bracket.
    It works on the log-odds of :math:`a_i`, so nothing has to be clipped away from 0 and 1. At the
    optimum :math:`a_i = \sigma(-t_i x_i^\top w)`. The certificate is the duality gap.

    Passes get slower the weaker the penalty is. Where ten of them leave more than a tenth of the
    gap, all variables move together instead: truncated Newton steps on :math:`w`, whose scores
    give the :math:`a_i`, and the gap :math:`\|\nabla F(w)\|^2 / 2\alpha` falls with the gradient.

    A free intercept asks for :math:`\sum_i s_i a_i t_i = 0`; it is reached by proximal steps on
    the intercept between passes, and the dual value is taken at balanced variables, so the gap is
    true for the unpenalised intercept as well.

    Parameters
    ----------
    tol : float
        Duality gap that counts as converged.
    max_iter : int
        Most passes over the rows.
    random_state : int
        Seed of the order of the rows, new in every pass.

    Notes
    -----
    A pass costs :math:`O(np)`, or the stored entries of a sparse matrix; with a kernel
    :math:`O(n^2)`. The problem is a :class:`LinearProblem` of :class:`~margin.losses.Logistic` with
    :class:`~margin.penalties.L2` or, for a kernel, of the kernel matrix with
    :class:`~margin.penalties.RKHS` of that matrix: the unknowns are then the coefficients of
    :math:`f = \sum_i c_i k(x_i, \cdot)`.

    References
    ----------
    Yu, Huang, Lin, "Dual coordinate descent methods for logistic regression and maximum entropy
    models", Machine Learning 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.losses import Logistic
    >>> from margin.optim import LinearProblem
    >>> from margin.penalties import L2
    >>> X, y = np.array([[-1.0], [1.0]]), np.array([0.0, 1.0])
    >>> problem = LinearProblem(X, y, None, Logistic(), L2(1.0), intercept=False)
    >>> solution = DualNewton(tol=1e-10).run(problem)
    >>> solution.x.round(6), solution.certificate.kind
    (array([0.674831]), 'duality gap')
    """

    tol: float = 1e-8
    max_iter: int = 1000
    random_state: int = 0
    requires: ClassVar[frozenset[str]] = frozenset({"gradient", "rows"})

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")

    def run(
        self,
        problem: Problem,
        x0: Floats | None = None,
        *,
        callback: Callback | None = None,
        trace: bool = False,
    ) -> Solution:
        """Maximise the dual from the scores of ``x0``, or from nearly zero."""
        accepted = self._accepted(problem)
        dual = LogisticDual(accepted)
        dual.start(None if x0 is None else np.asarray(x0, dtype=np.float64))
        ascent = _Ascent(accepted, dual, random.generator(self.random_state))
        record: dict[str, list[Any]] = {"objective": [], "gap": [], "x": []}
        best = here = dual.point()
        status: Status | None = None
        message, n_iter, since = "", 0, 0
        try:
            while status is None:
                record["objective"].append(here.primal)
                record["gap"].append(here.gap)
                if trace:
                    record["x"].append(here.x)
                if n_iter and callback is not None:
                    callback(n_iter, here.primal)
                since = 0 if here.gap < 0.999 * best.gap else since + 1
                best = here if here.gap < best.gap else best
                status, message = self._judge(best, n_iter, since)
                if status is None:
                    here = ascent.advance(best, record["gap"])
                    n_iter += 1
        except KeyboardInterrupt:
            n_iter = len(record["gap"]) - 1
            status, message = Status.MAX_ITER, f"interrupted after {n_iter} iterations"
        return Solution(
            x=best.x,
            status=status,
            n_iter=n_iter,
            objective=best.primal,
            trace={k: np.array(v) for k, v in record.items() if k != "x" or trace},
            certificate=Certificate("duality gap", best.gap, self.tol),
            solver=type(self).__name__,
            message=message,
            extras={"dual": best.primal - best.gap, "dual variables": best.variables},
        )

    def _accepted(self, problem: Problem) -> LinearProblem:
        lacking = self.requires - problem.provides
        if lacking:
            raise ValueError(
                f"DualNewton: problem must provide {', '.join(sorted(lacking))}, got "
                f"{type(problem).__name__} with {', '.join(sorted(problem.provides)) or 'nothing'}"
            )
        need = "logistic loss with an L2 or RKHS penalty of a strength above 0"
        if not isinstance(problem, LinearProblem):
            raise check.fail(self, "problem", f"a linear model of {need}", type(problem).__name__)
        penalty = problem.penalty
        strength = penalty.alpha if isinstance(penalty, L2 | RKHS) else 0.0
        if not (isinstance(problem.loss, Logistic) and strength > 0):
            shown = f"{type(problem.loss).__name__} with {type(penalty).__name__}"
            raise check.fail(self, "problem", f"a linear model of {need}", shown)
        if isinstance(penalty, RKHS) and not np.array_equal(problem.X, penalty.gram):
            need = "a model of the kernel matrix of its penalty"
            raise check.fail(self, "problem", need, "a model of another matrix")
        return problem

    def _judge(self, best: DualPoint, n_iter: int, since: int) -> tuple[Status | None, str]:
        if not np.isfinite(best.gap):
            return Status.FAILED, f"the duality gap became {best.gap} in pass {n_iter}"
        if best.gap <= self.tol:
            return Status.CONVERGED, ""
        if since >= _PATIENCE and best.gap <= 1e-10 * max(1.0, abs(best.primal)):
            return Status.STALLED, (
                f"no progress at machine precision after {n_iter} passes: duality gap "
                f"{best.gap:.3g} above tol={self.tol:g}; raise tol"
            )
        if n_iter >= self.max_iter:
            return Status.MAX_ITER, (
                f"stopped after max_iter={self.max_iter} passes with duality gap {best.gap:.3g} "
                f"above tol={self.tol:g}; raise max_iter or tol, or scale the features"
            )
        return None, ""


@dataclass
class _Ascent:
    """Passes over the rows and, where these hardly help, steps of all variables together."""

    problem: LinearProblem
    dual: LogisticDual
    rng: np.random.Generator
    joint: State | None = None
    may_join: bool = True

    def advance(self, best: DualPoint, gaps: list[float]) -> DualPoint:
        """Point after one more pass, or after one more joint step."""
        slow = len(gaps) > _WAIT and min(gaps[-_WAIT:]) > 0.1 * min(gaps[:-_WAIT])
        if self.joint is None and self.may_join and slow:
            self.joint = _JOINT.init(self.problem, best.x)
        if self.joint is not None:
            moved = _JOINT.step(self.problem, self.joint)
            if not moved.stuck:
                self.joint = moved
                self.dual.adopt(moved.x)
                return self.dual.point(moved.x)
            # Rounding ends the joint steps: the passes go on from the best point.
            self.joint, self.may_join = None, False
            self.dual.adopt(best.x)
        self.dual.sweep(self.rng)
        return self.dual.point()
