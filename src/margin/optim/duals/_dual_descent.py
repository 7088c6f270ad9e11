"""Dual coordinate descent for linear support vector machines."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from margin.core import Iterate, Solution, Stop, check, iterate, random
from margin.core.progress import Callback
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
        stop = Stop(
            KIND,
            self.tol,
            self.max_iter,
            unit="pass",
            keep="closest",
            columns=("gap",),
            patience=_PATIENCE,
            near=1e-9,
            advice=("raise tol", "scale the features", "lower C", "use dual=False"),
        )
        states = _RowPasses(self, problem).states()
        return iterate(states, stop, solver="DualDescent", callback=callback)


class _RowPasses:
    """Passes over the rows and steps on faces, with looks at the gap between them."""

    def __init__(self, solver: DualDescent, problem: LinearDual) -> None:
        self.solver, self.problem = solver, problem
        n, p = problem.X.shape
        self.rows = np.arange(n, dtype=np.int64)
        self.beta, self.w = np.zeros(n), np.zeros(p + 1)
        self.rng = random.generator(solver.random_state)
        self.passes = 0

    def states(self) -> Iterator[Iterate]:
        """The start, then the state after every round of steps and passes."""
        steps = _STEPS
        while True:
            yield self._look()
            if self.passes:
                outside = self._face(min(steps, self.solver.max_iter - self.passes))
                steps = min(2 * steps, _LONGEST) if outside < _CALM else steps
            self._pass(min(_PASSES if self.passes else _START, self.solver.max_iter - self.passes))

    def _pass(self, limit: int) -> None:
        it, seed = self.problem, int(self.rng.integers(2**62))
        shrinks = self.solver.shrinking
        self.passes += dual_hinge_passes(
            it.X, it.terms, self.beta, self.w, self.rows, seed=seed, limit=limit, shrinks=shrinks
        ).n_passes

    def _face(self, limit: int) -> float:
        it = self.problem
        free = (self.beta > it.lower) & (self.beta < it.upper) & (it.square > 0)
        if it.epsilon:
            free &= self.beta != 0
        face = dual_face_steps(
            it.X, it.terms, self.beta, self.w, np.flatnonzero(free),
            limit=limit, crowd=_CROWD, tol=1e-3, n_threads=self.solver.n_threads,
        )  # fmt: skip
        self.passes += face.n_steps
        return face.outside

    def _look(self) -> Iterate:
        primal, factor = self.problem.stretched(self.w)
        gap = primal - self.problem.dual(self.beta, self.w)
        floor = max(gap, 0.0)
        return Iterate(
            factor * self.w,
            primal,
            self.problem.relative(floor, primal),
            self.passes,
            (gap,),
            extras={"beta": self.beta.copy(), "dual": primal - floor},
        )
