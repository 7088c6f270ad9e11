"""The outer loop of sequential minimal optimisation: which variables next, and when to stop."""

from __future__ import annotations

import numpy as np

from margin.core import Status
from margin.core.progress import Callback
from margin.core.types import Floats, Indices
from margin.optim.duals._box_dual import optimality
from margin.optim.duals._gram import GramMatrix
from margin.optim.duals._smo_polish import polish
from margin.optim.duals._smo_state import Extremes, State

# A block is solved until its violation is this part of what it was: more would be undone by the
# next block.
REDUCTION = 0.1
# Shrinking pays once most variables rest at their bounds.
SETTLED = 0.6
# Distance of the convex hulls, in units of the largest norm, that counts as none.
TOUCHING = 1e-5
PATIENCE = 20


class Search:
    """Choose a working set, optimise it, see whether anything is left to do.

    Parameters
    ----------
    state : State
    size : int
        Variables in a working set.
    tol, max_iter, shrinking, callback
        As for :class:`~margin.optim.SMO`.
    """

    def __init__(
        self,
        state: State,
        size: int,
        tol: float,
        max_iter: int | None,
        shrinking: bool,
        callback: Callback | None,
    ) -> None:
        self.state, self.size, self.tol, self.callback = state, size, tol, callback
        problem = state.problem
        self.steps, self.value = 0, 0.5 * float(problem.by_row(state.beta) @ state.scores)
        self.value -= float(problem.target @ state.beta)
        self.trace: dict[str, list[float]] = {"objective": [], "violation": []}
        self.limit = max_iter or 10_000_000 + 100 * len(problem.target)
        self.whole = size == len(problem.target)
        self.bounded = bool(np.isfinite(problem.upper).all() and np.isfinite(problem.lower).all())
        # A matrix that is in memory costs nothing per row.
        self.shrinks = shrinking and self.bounded and not self.whole
        self.shrinks &= not isinstance(problem.gram, GramMatrix)
        self.recent: Indices = np.empty(0, dtype=np.int64)
        self.resting = 0

    def run(self) -> tuple[Status, str]:
        """Loop to the end; how it ended, and why if not well."""
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
        return min(1e-9, self.tol) if self.whole and self.resting < 3 else self.tol

    def _judge(self, found: Extremes) -> tuple[Status, str] | None:
        tol = self.tol
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
