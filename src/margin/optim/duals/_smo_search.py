"""The outer loop of sequential minimal optimisation: which variables next, and when to stop."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from margin.core import Iterate
from margin.core.types import Floats, Indices
from margin.optim.duals._box_dual import Optimality, optimality
from margin.optim.duals._gram import GramMatrix
from margin.optim.duals._smo_multipliers import BoxMultipliers, Extremes
from margin.optim.duals._smo_polish import polish

# A block is solved until its violation is this part of what it was: more would be undone by the
# next block.
REDUCTION = 0.1
# Shrinking pays once most variables rest at their bounds.
SETTLED = 0.6
# Distance of the convex hulls, in units of the largest norm, that counts as none.
TOUCHING = 1e-5
NO_MAXIMUM = (
    f"the dual has no maximum: the two sides come within {TOUCHING:g} of the largest norm of each "
    "other"
)
PATIENCE = 20
# Share of the tolerance to which the first pairs of a problem in one working set go.
ROUGH = 0.1


class WorkingSetSearch:
    """Choose a working set, optimise it, see whether anything is left to do.

    Parameters
    ----------
    multipliers : BoxMultipliers
        Changed on the way.
    size : int
        Variables in a working set.
    tol, max_iter, shrinking
        As for :class:`~margin.optim.SMO`.
    """

    def __init__(
        self,
        multipliers: BoxMultipliers,
        size: int,
        tol: float,
        max_iter: int | None,
        shrinking: bool,
    ) -> None:
        self.multipliers, self.size, self.tol = multipliers, size, tol
        problem = multipliers.problem
        self.steps, self.value = (
            0,
            0.5 * float(problem.by_row(multipliers.beta) @ multipliers.scores),
        )
        self.value -= float(problem.target @ multipliers.beta)
        self.limit = max_iter or 10_000_000 + 100 * len(problem.target)
        self.whole = size == len(problem.target)
        self.bounded = problem.bounded
        if self.whole and problem.group is not None:
            self._all_by_group: Indices = np.argsort(problem.group, kind="stable")
        self._proof: Optimality | None = None  # of the multipliers as they are
        # A matrix that is in memory costs nothing per row.
        self.shrinks = shrinking and self.bounded and not self.whole
        self.shrinks &= not isinstance(problem.gram, GramMatrix)
        self.recent: Indices = np.empty(0, dtype=np.int64)
        self.resting = 0
        self._best = np.inf
        self._vain = self._waiting = 0  # polishes in a row without use, steps until the next one

    def states(self) -> Iterator[Iterate]:
        """The state before every working set; the arrays are taken by :meth:`finish`."""
        while True:
            up, low = self.multipliers.residuals()
            extremes = self.multipliers.extremes(up, low)
            yield self._seen(extremes.violation)
            if extremes.violation <= self._tol():
                self._reopen()
            elif not self._shrinks(up, low, extremes):
                self._step(up, low)

    def _seen(self, violation: float) -> Iterate:
        unfinished = violation > self._tol() or self.multipliers.shrunk
        endless = unfinished and not self.bounded and self._touching()
        return Iterate(
            None,
            self.value,
            violation,
            self.steps,
            (violation,),
            stuck="the objective is at rest" if self.resting >= PATIENCE else "",
            failed=NO_MAXIMUM if endless else "",
            unfinished=unfinished,
        )

    def finish(self, at: Iterate) -> Iterate:
        """Call all variables back and measure where they stand."""
        now = self.multipliers
        if now.shrunk:
            now.restore()
        proof = self._proof or optimality(now.problem, now.beta, now.scores)
        return at._replace(
            x=now.beta,
            objective=-proof.dual,
            certificate=proof.violation,
            trace=(proof.violation,),
            extras={"optimality": proof, "scores": now.scores},
        )

    def _tol(self) -> float:
        # A problem that fits one working set is driven further than asked, at hardly any cost.
        return min(1e-9, self.tol) if self.whole and self.resting < 3 else self.tol

    def _step_tol(self) -> float:
        # Once the free variables are known, linear algebra is quicker than pairs.
        rough = self.whole and self.steps == 0
        return max(ROUGH * self.tol, 0.5 * self._tol()) if rough else 0.5 * self._tol()

    def _touching(self) -> bool:
        """Whether the convex hulls of the two sides meet, so that the multipliers grow for ever."""
        now = self.multipliers
        weight = 0.5 * float(np.abs(now.beta).sum())
        square = float(now.problem.by_row(now.beta) @ now.scores)
        largest = float(now.problem.gram.diagonal().max())
        return weight > 0 and square <= (TOUCHING * weight) ** 2 * largest

    def _reopen(self) -> None:
        self._proof = None
        self.multipliers.restore()
        self.recent = np.empty(0, dtype=np.int64)

    def _shrinks(self, up: Floats, low: Floats, extremes: Extremes) -> bool:
        if not self.shrinks or self.multipliers.shrunk:
            return False
        settled = self.multipliers.settled(up, low, extremes)
        if np.count_nonzero(settled) < SETTLED * len(settled):
            return False
        self.multipliers.shrink(settled)
        self.recent = np.empty(0, dtype=np.int64)
        return True

    def _step(self, up: Floats, low: Floats) -> None:
        chosen = self._choose(up, low)
        self._proof = None
        limit = min(self.limit - self.steps, (50 if self.whole else 1000) * self.size)
        reduction = 0.0 if self.whole else REDUCTION
        steps, gain = self.multipliers.step(chosen, self._step_tol(), reduction, limit)
        self.steps += steps
        if self.whole:
            # Gains add up to more than there is where rounding makes the multipliers walk in a
            # circle: only a value below all that were seen is progress.
            self.value = self._polish()
            gain = self._best - self.value
        else:
            self.value -= gain
        self.resting = 0 if gain > 1e-15 * abs(self.value) else self.resting + 1
        self._best = min(self._best, self.value)

    def _polish(self) -> float:
        """Solve for the free variables; the objective where they are.

        Where that was of no use several times in a row, rounding is at work, and pairs go on alone
        for ever longer.
        """
        now = self.multipliers
        if self._waiting:
            self._waiting -= 1
            self._proof = optimality(now.problem, now.beta, now.scores)
            return -self._proof.dual
        before = now.beta
        now.beta, now.scores, self._proof = polish(
            now.problem, before, now.scores, enough=self._tol()
        )
        self._vain = self._vain + 1 if now.beta is before else 0
        self._waiting = 2 ** min(self._vain, 10) if self._vain > 2 else 0
        return -self._proof.dual

    def _choose(self, up: Floats, low: Floats) -> Indices:
        """Positions of the working set, the newcomers' half remembered for the next one."""
        now = self.multipliers
        n, size = len(up), self.size
        if self.whole:
            return now.variables if now.problem.group is None else self._all_by_group
        if n <= size:
            return self._by_group(np.arange(n))
        kept = self.recent[: size // 2]
        up[kept], low[kept] = -np.inf, np.inf
        newcomers: list[Indices] = []
        sides = (
            [slice(None)]
            if now.problem.group is None
            else [np.flatnonzero(now.group[now.variables] == g) for g in (0, 1)]
        )
        quota = (size - len(kept)) // (2 * len(sides))
        for side in sides:
            for values in (-up, low):
                within = values[side]
                best = _smallest(within, quota)
                best = best if isinstance(side, slice) else side[best]
                up[best], low[best] = -np.inf, np.inf
                newcomers.append(best)
        self.recent = np.concatenate(newcomers)
        return self._by_group(np.concatenate([self.recent, kept]))

    def _by_group(self, chosen: Indices) -> Indices:
        now = self.multipliers
        if now.problem.group is None:
            return chosen
        return chosen[np.argsort(now.group[now.variables[chosen]], kind="stable")]


def _smallest(values: Floats, count: int) -> Indices:
    """Positions of the smallest finite values, at most ``count`` of them."""
    first = np.arange(len(values))
    if count < len(values):
        first = np.argpartition(values, count)[:count]
    return first[values[first] < np.inf]
