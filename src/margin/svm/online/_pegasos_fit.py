"""The search of Pegasos: epochs of steps, and what they prove."""

import numpy as np
from scipy.sparse import issparse

from margin.core import Certificate, Solution, Status
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
    settings : Pegasos
        Parameters ``alpha``, ``fit_intercept``, ``projection`` and ``average``.
    offset : float
        Where the count of steps begins.
    """

    def __init__(self, X, codes, shares, n_classes, settings, offset):
        self.X, self.codes, self.shares = X, codes.astype(np.int64), shares
        self.alpha, self.offset = float(settings.alpha), float(offset)
        self.constant = float(settings.fit_intercept)
        self.projection, self.average = bool(settings.projection), bool(settings.average)
        positive = np.arange(n_classes)[:, None] if n_classes > 2 else np.array([[1]])
        self.signs = np.where(self.codes == positive, 1.0, -1.0)
        machines = len(self.signs)
        self.sums = np.zeros((machines, X.shape[1] + 1))
        self.t = self.epochs = 0
        self.mean, self.best = np.zeros_like(self.sums), np.zeros_like(self.sums)
        self.recent_w, self.recent_b = np.zeros_like(self.sums), np.zeros(self.signs.shape)
        self.low_w, self.low_b = np.zeros_like(self.sums), np.zeros(self.signs.shape)
        self.primal, self.dual = np.full(machines, np.inf), np.zeros(machines)

    def epoch(self, order):
        """Visit rows in this order; the last weights, or their running mean."""
        before, share = self.sums.copy(), POWER / (self.epochs + POWER)
        made = pegasos_epoch(
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
        added = (self.sums - made.shrunk[:, None] * before) / (self.alpha * len(order))
        self.recent_w += share * (added - self.recent_w)
        self.recent_b += share * (made.counts / len(order) - self.recent_b)
        if made.mean is None:
            return self.last()
        self.mean += share * (made.mean - self.mean)
        return self.mean

    def last(self):
        """Weights after the last step."""
        return self.sums / (self.alpha * (self.offset + self.t))

    def look(self, w):
        """Keep the weights of the machines whose objective they lower."""
        z = np.asarray(self.X @ np.ascontiguousarray(w[:, :-1].T)) + self.constant * w[:, -1]
        loss = self.shares @ np.maximum(0.0, 1.0 - self.signs.T * z)
        value = 0.5 * self.alpha * np.square(w).sum(axis=1) + loss
        better = value < self.primal
        self.primal = np.where(better, value, self.primal)
        self.best[better] = w[better]

    def bound(self):
        """Raise the lower bounds on the way from the best shares so far to the recent ones."""
        if (self.recent_b > self.shares * (1.0 + 1e-12)).any():
            self._bound_by(np.minimum(self.recent_b, self.shares))
        else:
            self._bound_by(self.recent_b, self.recent_w)

    def _bound_by(self, b, w=None):
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

    def sharpen(self, order, passes):
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

    def prove(self):
        """Raise the lower bounds to the minimum of a small problem, found by another solver."""
        size = self.X.nnz if issparse(self.X) else self.X.size
        if size * len(self.signs) > SMALL or self.X.shape[1] > NARROW:
            return
        cap, found = self.shares / self.alpha, np.zeros(self.signs.shape)
        for sign, b in zip(self.signs, found, strict=True):
            sides = np.where(sign < 0, -cap, 0.0), np.where(sign > 0, cap, 0.0)
            problem = LinearDual(self.X, sign, *sides, np.zeros_like(cap), 0.0, self.constant)
            beta = SemismoothNewton(tol=1e-6).run(problem).extras["beta"]
            b[:] = np.minimum(self.alpha * np.abs(beta), self.shares)
        self._bound_by(found)

    def _set_dual(self):
        square = np.square(self.low_w).sum(axis=1)
        self.dual = np.maximum(self.dual, self.low_b.sum(axis=1) - 0.5 * self.alpha * square)

    @property
    def relative(self):
        """Duality gap of all machines, divided by their objective."""
        primal = float(self.primal.sum())
        return max(1.0 - float(self.dual.sum()) / primal, 0.0)

    def run(self, orders, *, tol, max_iter, patience, tick):
        """Epochs until the gap is small, falls no more, or there were ``max_iter`` of them."""
        trace: dict[str, list[float]] = {"objective": [], "gap": []}
        since, mark = 0, np.inf
        while self.epochs < max_iter and since < patience and not mark <= tol:
            order = next(orders)
            self.look(self.epoch(order))
            if self.average:
                self.look(self.last())
            self.bound()
            if self.epochs & (self.epochs - 1) == 0:
                self.sharpen(order, 1 + self.epochs // 4)
            if self.epochs == PATIENCE:
                self.prove()
            trace["objective"].append(float(self.primal.sum()))
            trace["gap"].append(float(self.primal.sum() - self.dual.sum()))
            since += 1
            if self.relative <= max(tol, (1.0 - PROGRESS) * mark):
                since, mark = 0, self.relative
            tick(self.epochs, trace["objective"][-1])
        if self.relative > tol and self.epochs < PATIENCE:
            self.prove()
            trace["gap"][-1] = float(self.primal.sum() - self.dual.sum())
        return self._solution(trace, tol, since >= patience)

    def _solution(self, trace, tol, stalled):
        status, message = Status.CONVERGED, ""
        if not self.relative <= tol:
            status = Status.STALLED if stalled else Status.MAX_ITER
            message = self._complaint(stalled)
        return Solution(
            x=self.best,
            status=status,
            n_iter=self.epochs,
            objective=float(self.primal.sum()),
            trace={name: np.array(values) for name, values in trace.items()},
            certificate=Certificate(KIND, self.relative, tol),
            solver="Pegasos",
            message=message,
        )

    def _complaint(self, stalled):
        """Why the search ended, how far from the minimum that may be, and what to do."""
        primal, none = float(self.primal.sum()), float(len(self.primal))
        how = "the duality gap falls no more" if stalled else "the steps were too few"
        far = f"{how} after {self.epochs} epochs, {KIND} {self.relative:.3g}"
        if primal > none:
            far += f", the objective {primal:.3g} is above {none:g}, that of zero weights"
        return f"{far}; scale the features, raise alpha, tol or max_iter, or use LinearSVC"
