"""The soft margin followed from one price of errors to another, event by event."""

from dataclasses import dataclass

import numpy as np

from margin.core import FitError
from margin.core.progress import Callback
from margin.core.types import Floats, Indices
from margin.optim.duals._gram import GramMatrix
from margin.optim.duals._machine import soft_margin
from margin.optim.duals._smo import SMO
from margin.optim.paths._elbow_factor import ElbowFactor

Changes = list[tuple[int, int]]

OUTSIDE, ELBOW, INSIDE = 0, 1, 2
SAME = 1e-12
OFF = 1e-7
SHARP = 1e-10
REFRESH = 200


@dataclass(frozen=True, eq=False)
class Segment:
    r"""Between two breakpoints :math:`\beta_E = p + C q` and :math:`b = b_0 + C b_1`.

    Parameters
    ----------
    start : float, price at which it begins.
    elbow : ndarray of int, rows on the margin.
    p, q : ndarray, lines of their coefficients.
    bias : tuple of float, :math:`b_0` and :math:`b_1`.
    sums : ndarray or None
        Kernel sums of all rows over the rows inside, where no row on the margin fixes the bias.
    n_inside : int, rows inside the margin or beyond.
    norm : float, :math:`\|w\|` at the start.
    """

    start: float
    elbow: Indices
    p: Floats
    q: Floats
    bias: tuple[float, float]
    sums: Floats | None
    n_inside: int
    norm: float


class MarginWalk:
    r"""State of a path: which rows are outside, on and inside the margin, and what follows.

    Rows outside have :math:`\alpha_i = 0`, rows inside :math:`\alpha_i = C s_i`, and rows on the
    margin :math:`y_i f(x_i) = 1`. For given sets the coefficients are linear in :math:`C`; they are
    solved for anew after every event, so that errors do not add up.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix; overwritten.
    sign : ndarray of shape (n,)
    weight : ndarray of shape (n,)
        Positive factors :math:`s_i` of :math:`C`.
    """

    def __init__(self, K: Floats, sign: Floats, weight: Floats) -> None:
        # A constant changes nothing, since the coefficients sum to zero.
        K += float(np.mean(np.diagonal(K))) or 1.0
        self.K, self.sign, self.weight = K, sign, weight
        self.share = sign * weight
        self.segments: list[Segment] = []
        self.events: list[tuple[int, int, int]] = []
        self.restarts = 0

    def run(
        self, C: float, C_max: float, max_events: int, callback: Callback | None = None
    ) -> float:
        """Follow the path; returns up to where it holds, infinity if nothing more can happen.

        A path from zero begins where every row is still inside, or held back by the other class
        being smaller: from there down to zero all coefficients are multiples of ``C``.
        """
        whole = C == 0
        if whole:
            C = 0.25 / float((np.abs(self.K) @ self.weight).max())
        self._open(C)
        zero_steps = 0
        for event in range(max_events):
            at, changes = self._next(C)
            if zero_steps > 50 + 2 * len(self.factor.rows) or self.off > OFF:
                C = C * (1 + 1e-8)
                self.restarts += 1
                self._open(C)
                zero_steps = 0
                continue
            if at <= C * (1 + SAME) and changes:
                zero_steps += 1
            else:
                self._keep(C, 0.0 if whole and not self.segments else C)
                zero_steps = 0
            if not changes or at > C_max:
                return np.inf if not changes else C_max
            C = max(C, at)
            for row, kind in changes:
                self._change(row, kind)
            if callback is not None:
                callback(event, C)
        raise FitError(
            f"C_max must be reached in {max_events} events, got to C={C:.6g}; lower C_max"
        )

    def _open(self, C: float) -> None:
        """Sets at a price, from the machine trained there."""
        bound = C * self.weight
        solution = SMO(tol=SHARP).run(soft_margin(GramMatrix(self.K), self.sign, bound))
        alpha = self.sign * solution.x / bound
        self.kind = np.where(alpha >= 1 - 1e-9, INSIDE, OUTSIDE)
        between = np.flatnonzero((alpha > 1e-9) & (alpha < 1 - 1e-9))
        between = between[np.argsort(np.abs(alpha[between] - 0.5), kind="stable")]
        self.factor = ElbowFactor(self.K)
        self.refused: set[int] = set()
        for j in between:
            self._place(int(j), alpha)
        if not self.segments:
            self.first_kind = self.kind.copy()
        else:
            self.events += [(len(self.segments), i, int(k)) for i, k in enumerate(self.kind)]
        self._sum_inside()

    def _place(self, j: int, alpha: Floats) -> None:
        """Put a row on the margin; dependent ones move along their dependence to a bound."""
        while not self.factor.append(j):
            E = self.factor.rows
            towards = np.append(-self.factor.solve(self.K[E, j]), 1.0)
            rows = np.append(E, j)
            rate = towards * self.share[rows] / self.weight[rows] ** 2
            with np.errstate(divide="ignore"):
                room = np.where(rate > 0, (1 - alpha[rows]) / rate, -alpha[rows] / rate)
            hit = int(np.argmin(np.where(rate != 0, room, np.inf)))
            alpha[rows] += room[hit] * rate
            kind = INSIDE if rate[hit] > 0 else OUTSIDE
            self.kind[rows[hit]] = kind
            if hit == len(E):
                return
            self.factor.drop(hit)
        self.kind[j] = ELBOW

    def _sum_inside(self) -> None:
        inside = np.flatnonzero(self.kind == INSIDE)
        self.sums = self.K[:, inside] @ self.share[inside]
        self.total = float(self.share[inside].sum())
        self.age = 0

    def _change(self, row: int, kind: int) -> None:
        """Move a row to another set; a dependent one stays where it is."""
        if kind == ELBOW:
            if not self.factor.append(row):
                self.refused.add(row)
                return
        elif self.kind[row] == ELBOW:
            self.factor.drop(self.factor.rows.index(row))
            self.refused.clear()
        step = int(kind == INSIDE) - int(self.kind[row] == INSIDE)
        if step:
            self.sums += step * self.share[row] * self.K[row]
            self.total += step * self.share[row]
            self.age += 1
        self.kind[row] = kind
        self.events.append((len(self.segments), row, kind))
        # The last row that leaves would leave the rounding of its sums behind.
        if self.age > REFRESH or (step < 0 and not (self.kind == INSIDE).any()):
            self._sum_inside()

    def _lines(self) -> None:
        """Lines of the coefficients on the margin, of the bias and of all margins."""
        E = self.factor.rows
        right = np.column_stack([self.sign[E], -self.sums[E], np.ones(len(E))])
        solved = self.factor.solve(right)
        totals = solved.sum(axis=0)
        self.bias = (totals[0] / totals[2], (totals[1] + self.total) / totals[2])
        self.p = solved[:, 0] - self.bias[0] * solved[:, 2]
        self.q = solved[:, 1] - self.bias[1] * solved[:, 2]
        products = self.factor.products(np.column_stack([self.p, self.q]))
        self.level = self.sign * (products[0] + self.bias[0])
        self.rate = self.sign * (self.sums + products[1] + self.bias[1])

    def _next(self, C: float) -> tuple[float, Changes]:
        """Price of the next event and what changes there; no changes where there is none."""
        self.off = 0.0
        E = self.factor.rows
        if not E:
            return self._meeting(C)
        self._lines()
        alone = self._alone()
        if alone is not None:
            return C, [(E[0], alone)]
        self.off = float(np.abs(self.level[E] + C * self.rate[E] - 1.0).max())
        margin = self.level + C * self.rate
        moving = np.where(self.kind == INSIDE, self.rate, -self.rate)
        past = np.where(self.kind == INSIDE, margin - 1.0, 1.0 - margin)
        out = (moving > 1e-14 * np.abs(self.sums).max(initial=1.0)) | (past > OFF)
        out[E] = False
        out[list(self.refused)] = False
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = np.where(past > 0, C, C - past / moving)
        reach[~out] = np.inf
        entering = int(np.argmin(reach)) if len(reach) else 0
        leaving, kind, leave = self._leaving(C)
        if leave < reach[entering]:
            return leave, [(leaving, kind)]
        if np.isinf(reach[entering]):
            return np.inf, []
        return float(reach[entering]), [(entering, ELBOW)]

    def _leaving(self, C: float) -> tuple[int, int, float]:
        """Which row on the margin first reaches a bound, which one, and where."""
        E = self.factor.rows
        start, slope = self.sign[E] * self.p, self.sign[E] * self.q
        weight = self.weight[E]
        best = (-1, OUTSIDE, np.inf)
        for kind, value, rate in (
            (OUTSIDE, start + C * slope, -slope),
            (INSIDE, C * weight - start - C * slope, slope - weight),
        ):
            with np.errstate(divide="ignore", invalid="ignore"):
                at = np.where(value <= 0, C, C + value / rate)
            out = (rate > 1e-14 * (np.abs(slope) + weight)) | (value < -OFF * C * weight)
            at = np.where(out, at, np.inf)
            k = int(np.argmin(at))
            if at[k] < best[2]:
                best = (E[k], kind, float(at[k]))
        return best

    def _alone(self) -> int | None:
        """Where the only row on the margin belongs if it moves with its bound, or ``None``.

        Such a row does not fix the bias, and could as well be inside or outside.
        """
        if len(self.factor.rows) > 1:
            return None
        row = self.factor.rows[0]
        size = self.sign[row] * self.q[0] / self.weight[row]
        moves = abs(self.p[0]) > 1e-9 * self.weight[row]
        if moves or min(abs(size), abs(size - 1.0)) > 1e-10:
            return None
        return INSIDE if size > 0.5 else OUTSIDE

    def _meeting(self, C: float) -> tuple[float, Changes]:
        """Where the bias has no room left while no row is on the margin.

        Every row bounds it by a line in C; the least upper minus the largest lower bound is
        concave, so that Newton's method from the right ends at its last root.
        """
        above = (self.kind == INSIDE) == (self.sign > 0)
        upper, lower = np.flatnonzero(above), np.flatnonzero(~above)
        if not len(upper) or not len(lower):
            return np.inf, []
        top, low = -self.sums[upper], -self.sums[lower]
        scale = float(np.abs(self.sums).max())
        i, j, at = int(np.argmin(top)), int(np.argmax(low)), np.inf
        while low[j] - top[i] > 1e-14 * scale:
            here = (self.sign[upper[i]] - self.sign[lower[j]]) / (low[j] - top[i])
            if not here < at:
                break
            at, pair = max(here, C), [(int(upper[i]), ELBOW), (int(lower[j]), ELBOW)]
            ends, begins = self.sign[upper] + at * top, self.sign[lower] + at * low
            i, j = int(np.argmin(ends)), int(np.argmax(begins))
            if ends[i] - begins[j] >= -SAME * (1.0 + at * scale):
                break
        return (at, pair) if np.isfinite(at) else (np.inf, [])

    def _keep(self, C: float, start: float) -> None:
        """Record the segment that holds at ``C`` and begins at ``start``."""
        E = np.array(self.factor.rows, dtype=np.int64)
        inside = self.kind == INSIDE
        beta = np.where(inside, C * self.share, 0.0)
        if len(E):
            beta[E] = self.p + C * self.q
            scores = self.sign * (self.level + C * self.rate)
            lines, sums = (self.p, self.q, self.bias), None
        else:
            scores = C * self.sums
            lines, sums = (np.empty(0), np.empty(0), (0.0, 0.0)), self.sums.copy()
        norm = np.sqrt(max(float(beta @ scores), 0.0)) * (start / C)
        self.segments.append(Segment(start, E, *lines, sums, int(inside.sum()), norm))
