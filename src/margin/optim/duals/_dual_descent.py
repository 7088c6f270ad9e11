"""Dual coordinate descent for linear support vector machines."""

from dataclasses import dataclass

import numpy as np

from margin.core import Certificate, Solution, Status, check, random
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.native.duals.dual_hinge import dual_face_steps, dual_hinge_passes
from margin.optim.duals._linear_dual import LinearDual

KIND = "relative duality gap"
_START, _PASSES = 5, 2  # passes before the first face, and between two faces
_STEPS, _LONGEST = 15, 80  # steps on a face: at first, and once few rows meet a wall
_CROWD, _CALM = 0.1, 0.01  # shares of rows at a wall that end the steps, that allow more of them
_PATIENCE = 50


@dataclass(frozen=True)
class DualDescent:
    r"""Multipliers one at a time, then all that are free together (svm.09).

    For the hinge a visit of row :math:`i` sets
    :math:`\alpha_i \leftarrow \min(\max(\alpha_i - (y_i x_i^\top w - 1) / \|x_i\|^2, 0), C)` and
    adds the change times :math:`y_i x_i` to :math:`w`: the cost of a pass is the number of stored
    entries. A few passes in random order find which multipliers are strictly between their kinks
    and bounds; conjugate gradients move all of these at once, cut off at the walls they meet, at
    the cost of a pass over these rows per step. Neither ever makes the dual worse.

    The primal point is the multiple of :math:`w` of least objective. The certificate is the duality
    gap divided by the primal value.

    Parameters
    ----------
    tol : float
        Relative duality gap that counts as converged.
    max_iter : int
        Most passes and steps together.
    random_state : int, Generator or RandomState
        Order of the rows.
    shrinking : bool
        Whether rows found at rest sit out the next passes.
    n_threads : int
        Threads of the conjugate gradients; the answer does not depend on it.

    References
    ----------
    Hsieh, Chang, Lin, Keerthi and Sundararajan, A dual coordinate descent method for large-scale
    linear SVM, ICML 2008.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[1.0, 1.0], [-1.0, -1.0]]), np.array([1.0, -1.0])
    >>> box = np.minimum(0, 9 * y), np.maximum(0, 9 * y)
    >>> solution = DualDescent().run(LinearDual(X, y, *box, np.zeros(2)))
    >>> solution.x[:2]
    array([0.5, 0.5])
    """

    tol: float = 1e-4
    max_iter: int = 1000
    random_state: object = 0
    shrinking: bool = True
    n_threads: int = 1

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter n_threads", flag="shrinking")

    def run(self, problem: LinearDual, *, callback: Callback | None = None) -> Solution:
        """Solve the problem.

        Returns
        -------
        Solution
            ``x`` are the coefficients, that of the intercept last; ``extras`` hold the
            multipliers ``beta`` and the ``dual`` value.
        """
        if problem.free:
            raise check.fail(self, "problem", "one with a penalised intercept", "a free intercept")
        search = _Search(self, problem)
        try:
            status, message = search.run(callback)
        except KeyboardInterrupt:
            status, message = Status.MAX_ITER, f"interrupted after {search.made} passes"
        best = search.best
        return Solution(
            x=best[2],
            status=status,
            n_iter=search.made,
            objective=best[1],
            trace={k: np.array(v) for k, v in search.trace.items()},
            certificate=Certificate(KIND, problem.relative(best[0], best[1]), self.tol),
            solver="DualDescent",
            message=message,
            extras={"beta": best[3], "dual": best[1] - best[0]},
        )


class _Search:
    """Passes over the rows and steps on faces, with looks at the gap between them."""

    def __init__(self, solver: DualDescent, problem: LinearDual) -> None:
        self.solver, self.problem = solver, problem
        n, p = problem.X.shape
        self.rows = np.arange(n, dtype=np.int64)
        self.beta, self.w = np.zeros(n), np.zeros(p + 1)
        self.rng = random.generator(solver.random_state)
        self.made, self.since = 0, 0
        self.trace: dict[str, list[float]] = {"objective": [], "gap": []}
        self.best: tuple[float, float, Floats, Floats] = (np.inf, np.inf, self.w, self.beta)

    def run(self, callback: Callback | None) -> tuple[Status, str]:
        steps = _STEPS
        while True:
            self._look(callback)
            ended = self._judge()
            if ended is not None:
                return ended
            if self.made:
                outside = self._face(min(steps, self.solver.max_iter - self.made))
                steps = min(2 * steps, _LONGEST) if outside < _CALM else steps
            self._pass(min(_PASSES if self.made else _START, self.solver.max_iter - self.made))

    def _pass(self, limit: int) -> None:
        it, seed = self.problem, int(self.rng.integers(2**62))
        shrinks = self.solver.shrinking
        self.made += dual_hinge_passes(
            it.X, it.terms, self.beta, self.w, self.rows, seed=seed, limit=limit, shrinks=shrinks
        ).made

    def _face(self, limit: int) -> float:
        it = self.problem
        free = (self.beta > it.lower) & (self.beta < it.upper) & (it.square > 0)
        if it.epsilon:
            free &= self.beta != 0
        found = dual_face_steps(
            it.X, it.terms, self.beta, self.w, np.flatnonzero(free),
            limit=limit, crowd=_CROWD, tol=1e-3, n_threads=self.solver.n_threads,
        )  # fmt: skip
        self.made += found.made
        return found.outside

    def _look(self, callback: Callback | None) -> None:
        primal, factor = self.problem.stretched(self.w)
        gap = primal - self.problem.dual(self.beta, self.w)
        self.trace["objective"].append(primal)
        self.trace["gap"].append(gap)
        self.since = 0 if gap < 0.999 * self.best[0] else self.since + 1
        if gap <= self.best[0]:
            self.best = (max(gap, 0.0), primal, factor * self.w, self.beta.copy())
        if callback is not None and self.made:
            callback(self.made, primal)

    def _judge(self) -> tuple[Status, str] | None:
        gap, primal = self.best[:2]
        relative = self.problem.relative(gap, primal)
        if not np.isfinite(self.trace["gap"][-1]):
            return Status.FAILED, f"the duality gap became {self.trace['gap'][-1]}"
        if relative <= self.solver.tol:
            return Status.CONVERGED, ""
        tail = (
            f"{self.made} passes with a relative duality gap of {relative:.3g} above "
            f"tol={self.solver.tol:g}"
        )
        if self.made >= self.solver.max_iter:
            return Status.MAX_ITER, (
                f"stopped after {tail}; raise max_iter or tol, scale the features, lower C or "
                "use dual=False"
            )
        if self.since >= _PATIENCE and relative <= 1e-9:
            return Status.STALLED, f"no progress at machine precision after {tail}; raise tol"
        return None
