"""Sequential minimal optimisation on working sets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margin.core import Certificate, Solution, Status, check
from margin.core.progress import Callback
from margin.optim._box_dual import BoxDual, optimality
from margin.optim._gram import GramMatrix
from margin.optim._smo_polish import polish
from margin.optim._smo_state import Extremes, State

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

KIND = "KKT violation"
WORKING_SET = 512
# A block is solved until its violation is this part of what it was: more would be undone by the
# next block.
REDUCTION = 0.1
# Shrinking pays once most variables rest at their bounds.
SETTLED = 0.6
# Distance of the convex hulls, in units of the largest norm, that counts as none.
TOUCHING = 1e-5
PATIENCE = 20


@dataclass(frozen=True)
class SMO:
    r"""Sequential minimal optimisation of a :class:`BoxDual` (svm.08).

    Working sets of at most 512 variables are made of those that violate the optimality conditions
    most and of half of the previous set. Their rows of the kernel matrix are computed in one
    block, pairs within the set are optimised in compiled code, each the most violating variable
    and the partner of the largest second-order decrease, and the scores of all rows follow in one
    product. Rows stay in a cache of bounded size. Variables that rest at their bounds leave the
    game and are called back before the end.

    Parameters
    ----------
    tol : float
        Largest violation :math:`\max_{\beta_i < u_i} r_i - \min_{\beta_j > l_j} r_j` of the
        residuals :math:`r = t - K\beta` that counts as optimal.
    max_iter : int or None
        Most pairs; ``None`` for ten million plus a hundred per variable.
    cache_size : float
        Megabytes of kernel rows that are kept.
    shrinking : bool
        Whether variables may leave the game for a while.
    n_threads : int
        Threads; the answer does not depend on it.

    Notes
    -----
    A problem that fits one working set is solved beyond ``tol`` and its free variables by a linear
    system, so that the answer does not depend on the order of the rows.

    References
    ----------
    Fan, Chen and Lin, Working set selection using second order information for training support
    vector machines, JMLR 2005. Wen et al., ThunderSVM, JMLR 2018.

    Examples
    --------
    The maximal margin between (1, 1) and (-1, -1):

    >>> from margin.optim import BoxDual, GramMatrix
    >>> K, y = np.array([[2.0, -2.0], [-2.0, 2.0]]), np.array([1.0, -1.0])
    >>> dual = BoxDual(GramMatrix(K), y, np.minimum(0, 9 * y), np.maximum(0, 9 * y), 0 * y)
    >>> solution = SMO().run(dual)
    >>> solution.x, solution.extras["optimality"].primal
    (array([ 0.25, -0.25]), 0.25)
    """

    tol: float = 1e-3
    max_iter: int | None = None
    cache_size: float = 200.0
    shrinking: bool = True
    n_threads: int = 1

    def __post_init__(self) -> None:
        check.params(self, positive="tol cache_size", flag="shrinking", count="n_threads")

    def run(self, problem: BoxDual, *, callback: Callback | None = None) -> Solution:
        """Solve the problem.

        Returns
        -------
        Solution
            ``x`` are the multipliers; ``extras`` hold their ``optimality`` (bias, primal and dual
            value) and the ``scores``. The objective, and its trace, is what is minimised.
        """
        size = min(WORKING_SET, len(problem.target))
        state = State(problem, self.cache_size * 1e6, size, self.n_threads)
        search = _Search(self, state, size, callback)
        status, message = search.run()
        if state.shrunk:
            state.restore()
        found = optimality(problem, state.beta, state.scores)
        search.trace["objective"][-1] = -found.dual
        search.trace["violation"][-1] = found.violation
        return Solution(
            x=state.beta,
            status=status,
            n_iter=search.steps,
            objective=-found.dual,
            trace={name: np.array(values) for name, values in search.trace.items()},
            certificate=Certificate(KIND, found.violation, self.tol),
            solver="SMO",
            message=message,
            extras={"optimality": found, "scores": state.scores},
        )


class _Search:
    """The outer loop: choose a working set, optimise it, see whether anything is left to do."""

    def __init__(self, solver: SMO, state: State, size: int, callback: Callback | None) -> None:
        self.solver, self.state, self.size, self.callback = solver, state, size, callback
        problem = state.problem
        self.steps, self.value = 0, 0.5 * float(problem.by_row(state.beta) @ state.scores)
        self.value -= float(problem.target @ state.beta)
        self.trace: dict[str, list[float]] = {"objective": [], "violation": []}
        self.limit = solver.max_iter or 10_000_000 + 100 * len(problem.target)
        self.whole = size == len(problem.target)
        self.bounded = bool(np.isfinite(problem.upper).all() and np.isfinite(problem.lower).all())
        # A matrix that is in memory costs nothing per row.
        self.shrinks = solver.shrinking and self.bounded and not self.whole
        self.shrinks &= not isinstance(problem.gram, GramMatrix)
        self.recent: Indices = np.empty(0, dtype=np.int64)
        self.resting = 0

    def run(self) -> tuple[Status, str]:
        try:
            while True:
                up, low = self.state.residuals()
                found = self.state.extremes(up, low)
                self.trace["objective"].append(self.value)
                self.trace["violation"].append(found.violation)
                ended = self._judge(found)
                if ended is not None:
                    return ended
                if found.violation <= self._tol():
                    self._reopen()
                    continue
                if self._shrinks(up, low, found):
                    continue
                self._step(up, low)
        except KeyboardInterrupt:
            return Status.MAX_ITER, f"interrupted after {self.steps} pairs"

    def _tol(self) -> float:
        # A problem that fits one working set is driven further than asked, at hardly any cost.
        return min(1e-9, self.solver.tol) if self.whole and self.resting < 3 else self.solver.tol

    def _judge(self, found: Extremes) -> tuple[Status, str] | None:
        tol = self.solver.tol
        if not np.isfinite(self.value) or np.isnan(found.up).any():
            return Status.FAILED, f"the objective became {self.value} after {self.steps} pairs"
        if found.violation <= self._tol() and not self.state.shrunk:
            return Status.CONVERGED, ""
        if not self.bounded and self._touching():
            return Status.FAILED, (
                "the dual has no maximum: the two sides come within "
                f"{TOUCHING:g} of the largest norm of each other"
            )
        if self.steps >= self.limit:
            return Status.MAX_ITER, (
                f"stopped after max_iter={self.limit} pairs with a KKT violation of "
                f"{found.violation:.3g} above tol={tol:g}; raise max_iter or tol, scale the "
                "features, or lower C"
            )
        if self.resting >= PATIENCE:
            if found.violation <= tol and not self.state.shrunk:
                return Status.CONVERGED, ""
            return Status.STALLED, (
                f"no progress at machine precision after {self.steps} pairs: KKT violation "
                f"{found.violation:.3g} above tol={tol:g}; scale the features, lower C or raise tol"
            )
        return None

    def _touching(self) -> bool:
        """Whether the convex hulls of the two sides meet, so that the multipliers grow for ever."""
        state = self.state
        weight = 0.5 * float(np.abs(state.beta).sum())
        square = float(state.problem.by_row(state.beta) @ state.scores)
        largest = float(state.problem.gram.diagonal().max())
        return weight > 0 and square <= (TOUCHING * weight) ** 2 * largest

    def _reopen(self) -> None:
        self.state.restore()
        self.recent = np.empty(0, dtype=np.int64)

    def _shrinks(self, up: Floats, low: Floats, found: Extremes) -> bool:
        if not self.shrinks or self.state.shrunk:
            return False
        settled = self.state.settled(up, low, found)
        if np.count_nonzero(settled) < SETTLED * len(settled):
            return False
        self.state.shrink(settled)
        self.recent = np.empty(0, dtype=np.int64)
        return True

    def _step(self, up: Floats, low: Floats) -> None:
        chosen = self._choose(up, low)
        limit = min(self.limit - self.steps, (50 if self.whole else 1000) * self.size)
        reduction = 0.0 if self.whole else REDUCTION
        steps, gain = self.state.step(chosen, 0.5 * self._tol(), reduction, limit)
        self.steps += steps
        if self.whole:
            gain += self._polish()
        self.resting = 0 if gain > 1e-15 * abs(self.value) else self.resting + 1
        self.value -= gain
        if self.callback is not None:
            self.callback(self.steps, self.value)

    def _polish(self) -> float:
        """Solve for the free variables; the decrease of the objective."""
        state = self.state
        before = optimality(state.problem, state.beta, state.scores)
        state.beta, state.scores, after = polish(state.problem, state.beta, state.scores, before)
        return after.dual - before.dual

    def _choose(self, up: Floats, low: Floats) -> Indices:
        """Positions of the working set, the newcomers' half remembered for the next one."""
        state = self.state
        n, size = len(up), self.size
        if n <= size:
            return self._by_group(np.arange(n))
        kept = self.recent[: size // 2]
        up[kept], low[kept] = -np.inf, np.inf
        found: list[Indices] = []
        sides = (
            [slice(None)]
            if state.problem.group is None
            else [np.flatnonzero(state.group[state.variables] == g) for g in (0, 1)]
        )
        quota = (size - len(kept)) // (2 * len(sides))
        for side in sides:
            for values in (-up, low):
                within = values[side]
                best = _smallest(within, quota)
                best = best if isinstance(side, slice) else side[best]
                up[best], low[best] = -np.inf, np.inf
                found.append(best)
        new = np.concatenate(found)
        self.recent = new
        return self._by_group(np.concatenate([new, kept]))

    def _by_group(self, chosen: Indices) -> Indices:
        if self.state.problem.group is None:
            return chosen
        return chosen[np.argsort(self.state.group[self.state.variables[chosen]], kind="stable")]


def _smallest(values: Floats, count: int) -> Indices:
    """Positions of the smallest finite values, at most ``count`` of them."""
    if count < len(values):
        found = np.argpartition(values, count)[:count]
    else:
        found = np.arange(len(values))
    return found[values[found] < np.inf]
