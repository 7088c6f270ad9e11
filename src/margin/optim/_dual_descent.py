"""Dual coordinate descent for linear support vector machines."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margin.core import Certificate, Solution, Status, check, random
from margin.core.progress import Callback
from margin.native.dual_hinge import dual_hinge_passes
from margin.optim._linear_dual import LinearDual

Floats = NDArray[np.float64]

KIND = "relative duality gap"
_CHUNK = 10  # passes between two looks at the gap
_PATIENCE = 50


@dataclass(frozen=True)
class DualDescent:
    r"""One multiplier at a time, each to its exact minimum, in random order (svm.09).

    For the hinge a visit of row :math:`i` sets
    :math:`\alpha_i \leftarrow \min(\max(\alpha_i - (y_i x_i^\top w - 1) / \|x_i\|^2, 0), C)` and
    adds the change times :math:`y_i x_i` to :math:`w`: the cost of a pass is the number of stored
    entries. Rows that rest at a bound far from moving leave the game and are called back before
    the end. The certificate is the duality gap divided by the primal value.

    Parameters
    ----------
    tol : float
        Relative duality gap that counts as converged.
    max_iter : int
        Most passes.
    random_state : int, Generator or RandomState
        Order of the rows.
    shrinking : bool
        Whether rows may leave the game for a while.

    References
    ----------
    Hsieh, Chang, Lin, Keerthi and Sundararajan, A dual coordinate descent method for large-scale
    linear SVM, ICML 2008.

    Examples
    --------
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

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter", flag="shrinking")

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
    """Passes in the game, looks at the gap between them."""

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
        active, goal, chunk = len(self.rows), 0.1, _CHUNK
        while True:
            self._look(callback)
            ended = self._judge()
            if ended is not None:
                return ended
            limit = min(chunk, self.solver.max_iter - self.made)
            found = self._pass(active, limit, goal)
            self.made += found.made
            active = found.active
            if found.violation <= goal:
                # What left the game comes back; those in the game must be better next time.
                active, goal = len(self.rows), 0.3 * goal
            chunk = min(2 * chunk, 80)

    def _pass(self, active: int, limit: int, goal: float):  # type: ignore[no-untyped-def]
        it = self.problem
        return dual_hinge_passes(
            it.X, self.rows, active, it.target, it.lower, it.upper, it.ridge, it.square,
            float(it.epsilon), float(it.constant), self.beta, self.w,
            int(self.rng.integers(2**62)), limit, goal, self.solver.shrinking,
        )  # fmt: skip

    def _look(self, callback: Callback | None) -> None:
        primal = self.problem.primal(self.w)
        gap = primal - self.problem.dual(self.beta, self.w)
        self.trace["objective"].append(primal)
        self.trace["gap"].append(gap)
        self.since = 0 if gap < 0.999 * self.best[0] else self.since + 1
        if gap <= self.best[0]:
            self.best = (max(gap, 0.0), primal, self.w.copy(), self.beta.copy())
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
