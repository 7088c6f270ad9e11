"""Logistic regression by its dual."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.core import Iterate, Solution, Stop, check, iterate, random
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.losses import Logistic
from margin.optim._linear_problem import LinearProblem
from margin.optim._problem import Problem
from margin.optim._solver import DirectSolver, State, accept
from margin.optim.duals._logistic_multipliers import DualPoint, LogisticMultipliers
from margin.optim.steppers._newton_cg import NewtonCG

_PATIENCE = 30
_WAIT = 10  # passes in which the gap should fall to a tenth
_POLISH = 3  # joint steps at the end
_JOINT = NewtonCG(tol=1e-14)


@dataclass(frozen=True)
class DualNewton(DirectSolver):
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
    (array([0.674832]), 'duality gap')
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
        callback: Callback | None = None,
        trace: bool = False,
    ) -> Solution:
        """Maximise the dual from the scores of ``x0``, or from nearly zero."""
        accepted = self._accepted(problem)
        dual = LogisticMultipliers(accepted)
        dual.start(None if x0 is None else np.asarray(x0, dtype=np.float64))
        first = dual.point()
        stop = Stop(
            "duality gap",
            self.tol,
            self.max_iter,
            unit="pass",
            keep="closest",
            columns=("gap", "x") if trace else ("gap",),
            patience=_PATIENCE,
            near=1e-10 * max(1.0, abs(first.primal)),
            advice=("raise tol", "scale the features"),
        )
        ascent = _Ascent(accepted, dual, random.generator(self.random_state))
        states = ascent.states(first, trace)
        return iterate(
            states,
            stop,
            solver=type(self).__name__,
            callback=callback,
            finish=lambda at: ascent.polished(at, trace),
        )

    def _accepted(self, problem: Problem) -> LinearProblem:
        accept(self, problem)
        need = "logistic loss with an L2 or RKHS penalty of a strength above 0"
        if not isinstance(problem, LinearProblem):
            raise check.fail(self, "problem", f"a linear model of {need}", type(problem).__name__)
        penalty = problem.penalty
        strength, gram = penalty.quadratic_form or (0.0, None)
        if not (problem.loss == Logistic() and strength > 0):
            shown = f"{type(problem.loss).__name__} with {type(penalty).__name__}"
            raise check.fail(self, "problem", f"a linear model of {need}", shown)
        if gram is not None and not np.array_equal(problem.X, gram):
            need = "a model of the kernel matrix of its penalty"
            raise check.fail(self, "problem", need, "a model of another matrix")
        return problem


@dataclass
class _Ascent:
    """Passes over the rows and, where these hardly help, steps of all variables together."""

    problem: LinearProblem
    dual: LogisticMultipliers
    rng: np.random.Generator
    joint: State | None = None
    may_join: bool = True

    def states(self, here: DualPoint, trace: bool) -> Iterator[Iterate]:
        """The start, then the point after every pass or joint step."""
        best, gaps = here, [here.gap]
        while True:
            yield _state(here, len(gaps) - 1, trace)
            here = self._advance(best, gaps)
            gaps.append(here.gap)
            best = here if here.gap < best.gap else best

    def polished(self, at: Iterate, trace: bool) -> Iterate:
        r"""The answer after a few joint steps, as long as they lower the gap.

        A gap of :math:`\epsilon` leaves an error of :math:`\sqrt\epsilon` in the coefficients;
        steps of Newton's make that one of :math:`\epsilon`.
        """
        state = _JOINT.init(self.problem, at.x)
        for _ in range(_POLISH):
            state = _JOINT.step(self.problem, state)
            if state.stuck:
                break
            self.dual.adopt(state.x)
            here = self.dual.point(state.x)
            if here.gap >= (at.certificate or 0.0):
                break
            at = _state(here, at.n_iter, trace)
        return at

    def _advance(self, best: DualPoint, gaps: list[float]) -> DualPoint:
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


def _state(here: DualPoint, n_iter: int, trace: bool) -> Iterate:
    return Iterate(
        here.x,
        here.primal,
        here.gap,
        n_iter,
        (here.gap, here.x) if trace else (here.gap,),
        extras={"dual": here.primal - here.gap, "dual variables": here.variables},
    )
