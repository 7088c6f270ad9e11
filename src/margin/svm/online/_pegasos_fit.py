"""The search of Pegasos: epochs of steps, and what they prove."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core import Iterate, Solution, Status, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Array, Floats, Indices
from margin.native.rows.pegasos import pegasos_ascent, pegasos_epoch
from margin.optim import LinearDual, SemismoothNewton

KIND = "relative duality gap"
# Epoch e enters the running mean with a share of about POWER / e: old epochs are forgotten.
POWER = 3.0
# Share of the gap by which it must fall for the search to go on.
PROGRESS = 0.01
# Stored numbers, times machines, and columns up to which the minimum itself says how far the
# answer is off.
SMALL, NARROW = 20_000, 500
PATIENCE = 64  # epochs before that


@dataclass(frozen=True)
class PegasosSettings:
    """What the machines minimise, and by which steps.

    Parameters
    ----------
    alpha : float
        Strength of the penalty.
    fit_intercept, projection, average : bool
        As for :class:`Pegasos`.
    offset : float
        Where the count of steps begins.
    """

    alpha: float
    fit_intercept: bool = True
    projection: bool = False
    average: bool = True
    offset: float = 0.0


class PegasosSearch:
    r"""Machines of one class against the others, with the best weights and bounds so far.

    The corrections of an epoch, or of several, give shares :math:`0 \le b_i \le s_i / S` of the
    rows. For any such shares :math:`\sum_i b_i - \tfrac\lambda2 \|w\|^2` with
    :math:`w = \frac1\lambda \sum_i b_i y_i x_i` is a lower bound of the objective.

    Parameters
    ----------
    X : ndarray, C-ordered, or CSR matrix
    codes : ndarray of int
        Class of every row.
    shares : ndarray
        Share of every row in the mean loss.
    n_classes : int
    settings : PegasosSettings
    """

    def __init__(
        self, X: Any, codes: Array, shares: Floats, n_classes: int, settings: PegasosSettings
    ) -> None:
        self.X, self.codes, self.shares = X, codes.astype(np.int64), shares
        self.alpha, self.offset = settings.alpha, settings.offset
        self.constant = float(settings.fit_intercept)
        self.projection, self.average = settings.projection, settings.average
        positive = np.arange(n_classes)[:, None] if n_classes > 2 else np.array([[1]])
        self.signs = np.where(self.codes == positive, 1.0, -1.0)
        machines = len(self.signs)
        self.sums = np.zeros((machines, X.shape[1] + 1))
        self.t = self.epochs = 0
        self.mean, self.best = np.zeros_like(self.sums), np.zeros_like(self.sums)
        self.recent_w, self.recent_b = np.zeros_like(self.sums), np.zeros(self.signs.shape)
        self.low_w, self.low_b = np.zeros_like(self.sums), np.zeros(self.signs.shape)
        self.primal, self.dual = np.full(machines, np.inf), np.zeros(machines)

    def resume(self, sums: Floats, t: int) -> None:
        """Continue from the sums of signed rows after so many steps."""
        self.sums[:], self.t = sums, t

    def epoch(self, order: Indices) -> Floats:
        """Visit rows in this order; the last weights, or their running mean."""
        before, share = self.sums.copy(), POWER / (self.epochs + POWER)
        steps = pegasos_epoch(
            self.X,
            self.codes,
            order,
            self.sums,
            alpha=self.alpha,
            offset=self.offset + self.t,
            constant=self.constant,
            projection=self.projection,
            average=self.average,
        )
        self.t += len(order)
        self.epochs += 1
        added = (self.sums - steps.shrunk[:, None] * before) / (self.alpha * len(order))
        self.recent_w += share * (added - self.recent_w)
        self.recent_b += share * (steps.counts / len(order) - self.recent_b)
        if steps.mean is None:
            return self.last()
        self.mean += share * (steps.mean - self.mean)
        return self.mean

    def last(self) -> Floats:
        """Weights after the last step."""
        return np.asarray(self.sums / (self.alpha * (self.offset + self.t)))

    def look(self, w: Floats) -> None:
        """Keep the weights of the machines whose objective they lower."""
        z = np.asarray(self.X @ np.ascontiguousarray(w[:, :-1].T)) + self.constant * w[:, -1]
        loss = self.shares @ np.maximum(0.0, 1.0 - self.signs.T * z)
        value = 0.5 * self.alpha * np.square(w).sum(axis=1) + loss
        better = value < self.primal
        self.primal = np.where(better, value, self.primal)
        self.best[better] = w[better]

    def bound(self) -> None:
        """Raise the lower bounds on the way from the best shares so far to the recent ones."""
        if (self.recent_b > self.shares * (1.0 + 1e-12)).any():
            self._bound_by(np.minimum(self.recent_b, self.shares))
        else:
            self._bound_by(self.recent_b, self.recent_w)

    def _bound_by(self, b: Floats, w: Floats | None = None) -> None:
        """Go towards these shares as long as the bound, a concave parabola, rises."""
        if w is None:
            signed = (b * self.signs).T
            last = self.constant * signed.sum(axis=0)[:, None]
            w = np.append(np.asarray(self.X.T @ signed).T, last, axis=1) / self.alpha
        rise, change = b.sum(axis=1) - self.low_b.sum(axis=1), w - self.low_w
        slope = rise - self.alpha * np.einsum("kj,kj->k", self.low_w, change)
        curve = self.alpha * np.square(change).sum(axis=1)
        way = np.divide(slope, curve, out=np.ones_like(slope), where=curve > 0).clip(0.0, 1.0)
        self.low_w += way[:, None] * change
        self.low_b += way[:, None] * (b - self.low_b)
        self._set_dual()

    def sharpen(self, order: Indices, passes: int) -> None:
        """Raise the lower bounds by coordinate ascent, which the weights do not follow."""
        for _ in range(passes):
            pegasos_ascent(
                self.X,
                self.codes,
                order,
                self.shares,
                self.low_b,
                self.low_w,
                alpha=self.alpha,
                constant=self.constant,
            )
        self._set_dual()

    def prove(self) -> None:
        """Raise the lower bounds to the minimum of a small problem, found by another solver."""
        size = self.X.nnz if issparse(self.X) else self.X.size
        if size * len(self.signs) > SMALL or self.X.shape[1] > NARROW:
            return
        cap, allowed = self.shares / self.alpha, np.zeros(self.signs.shape)
        for sign, b in zip(self.signs, allowed, strict=True):
            sides = np.where(sign < 0, -cap, 0.0), np.where(sign > 0, cap, 0.0)
            problem = LinearDual(self.X, sign, *sides, np.zeros_like(cap), 0.0, self.constant)
            beta = SemismoothNewton(tol=1e-6).run(problem).extras["beta"]
            b[:] = np.minimum(self.alpha * np.abs(beta), self.shares)
        self._bound_by(allowed)

    def _set_dual(self) -> None:
        square = np.square(self.low_w).sum(axis=1)
        self.dual = np.maximum(self.dual, self.low_b.sum(axis=1) - 0.5 * self.alpha * square)

    @property
    def relative(self) -> float:
        """Duality gap of all machines, divided by their objective."""
        primal = float(self.primal.sum())
        return max(1.0 - float(self.dual.sum()) / primal, 0.0)

    def run(
        self,
        orders: Iterator[Indices],
        *,
        tol: float,
        max_iter: int,
        patience: int,
        tick: Callback | None = None,
    ) -> Solution:
        """Epochs until the gap is small, falls no more, or there were ``max_iter`` of them."""
        stop = Stop(KIND, tol, max_iter, unit="epoch", keep="last", columns=("gap",))
        states = self._states(orders, tol, patience)

        def finish(answer: Iterate) -> Iterate:
            """A short search may be nearer to the minimum than its own bounds can tell."""
            if self.relative <= tol or self.epochs >= PATIENCE:
                return answer
            self.prove()
            return self._seen()

        solution = iterate(states, stop, solver="Pegasos", callback=tick, finish=finish)
        if solution.status.ok or solution.interrupted:
            return solution
        return replace(solution, message=self._complaint(solution.status is Status.STALLED))

    def _states(self, orders: Iterator[Indices], tol: float, patience: int) -> Iterator[Iterate]:
        since, mark = 0, np.inf
        while since < patience:
            order = next(orders)
            self.look(self.epoch(order))
            if self.average:
                self.look(self.last())
            self.bound()
            if self.epochs & (self.epochs - 1) == 0:
                self.sharpen(order, 1 + self.epochs // 4)
            if self.epochs == PATIENCE:
                self.prove()
            since += 1
            if self.relative <= max(tol, (1.0 - PROGRESS) * mark):
                since, mark = 0, self.relative
            yield self._seen()

    def _seen(self) -> Iterate:
        primal, gap = float(self.primal.sum()), float(self.primal.sum() - self.dual.sum())
        return Iterate(self.best.copy(), primal, self.relative, self.epochs, (gap,))

    def _complaint(self, stalled: bool) -> str:
        """Why the search ended, how far from the minimum that may be, and what to do."""
        primal, none = float(self.primal.sum()), float(len(self.primal))
        how = "the duality gap falls no more" if stalled else "the steps were too few"
        far = f"{how} after {self.epochs} epochs, {KIND} {self.relative:.3g}"
        if primal > none:
            far += f", the objective {primal:.3g} is above {none:g}, that of zero weights"
        return f"{far}; scale the features, raise alpha, tol or max_iter, or use LinearSVC"
