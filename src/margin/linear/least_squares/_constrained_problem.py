"""Least squares under equations and bounds."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy import linalg, optimize

from margin.core import Certificate, FitError, Iterate, Solution, Status, Stop, iterate
from margin.core.types import Floats
from margin.linalg import lstsq

_TOL = 1e-7
_FEASIBLE = 1e-9
_WEIGHT = 1e4  # of the equations against the rows, both of unit size
_ROUNDS = Stop("gap of the equations", 1e-13, 100, unit="round", keep="last")


@dataclass(frozen=True, eq=False)
class ConstrainedProblem:
    r"""Minimise :math:`\tfrac12 \|C w - t\|^2` where :math:`A w = c` and :math:`l \le w \le u`.

    Parameters
    ----------
    C, t : ndarray of shape (n, p) and (n,)
        Rows and target.
    A, c : ndarray of shape (m, p) and (m,)
        Equations.
    lower, upper : ndarray of shape (p,)
        Bounds; infinite where there is none.

    Examples
    --------
    >>> free = np.full(2, np.inf)
    >>> rows, target = np.eye(2), np.array([1.0, 0.5])
    >>> shares = ConstrainedProblem(rows, target, np.ones((1, 2)), np.ones(1), -free, free)
    >>> shares.solve().x
    array([0.75, 0.25])
    """

    C: Floats
    t: Floats
    A: Floats
    c: Floats
    lower: Floats
    upper: Floats

    @property
    def bounded(self) -> bool:
        """Whether there is any bound."""
        return bool(np.isfinite(self.lower).any() or np.isfinite(self.upper).any())

    def solve(self) -> Solution:
        """Coefficients; the multipliers of the equations among the extras."""
        self._check_feasible()
        if self.bounded:
            return self._by_multipliers()
        coef = self._in_null_space()
        slope = self.C.T @ (self.C @ coef - self.t)
        price = lstsq(self.A.T, -slope)
        return self._judged(coef, np.asarray(price, dtype=np.float64))

    def _check_feasible(self) -> None:
        if not len(self.A):
            return
        nearest = lstsq(self.A, self.c)
        gap = np.abs(self.A @ nearest - self.c).max()
        if gap > _FEASIBLE * (np.abs(self.c).max() + np.abs(self.A).max()):
            raise FitError("equality must be satisfiable, got equations that contradict each other")
        if self.bounded:
            bounds = np.column_stack([self.lower, self.upper])
            zero = np.zeros(len(self.lower))
            if optimize.linprog(zero, A_eq=self.A, b_eq=self.c, bounds=bounds).status == 2:
                raise FitError("equality must be satisfiable within the bounds, got none such")

    def _in_null_space(self) -> Floats:
        """Shortest solution of the equations, plus the best shortest move along them."""
        if not len(self.A):
            return lstsq(self.C, self.t)
        start = lstsq(self.A, self.c)
        free = linalg.null_space(self.A)
        if not free.shape[1]:
            return np.asarray(start)
        rest = self.t - self.C @ start
        return np.asarray(start + free @ lstsq(self.C @ free, rest))

    def _by_multipliers(self) -> Solution:
        """Method of multipliers around the active-set search, in columns of unit norm."""
        norms = np.linalg.norm(self.C, axis=0)
        norms = np.where(norms > 0, norms, 1.0)
        fixed = self.lower == self.upper
        coef = np.where(fixed, self.lower, 0.0)
        if fixed.all():
            return self._judged(coef, np.zeros(len(self.A)))
        Q, R = np.linalg.qr((self.C / norms)[:, ~fixed])
        E, e = (self.A / norms)[:, ~fixed], self.c - self.A @ coef
        size = np.linalg.norm(E, axis=1)
        size = np.where(size > 0, size, 1.0)
        low, high = (self.lower * norms)[~fixed], (self.upper * norms)[~fixed]
        scaled = _Scaled(R, Q.T @ (self.t - self.C @ coef), E / size[:, None], e / size, low, high)
        search = iterate(scaled.rounds(), _ROUNDS)
        inner = np.clip(search.x / norms[~fixed], self.lower[~fixed], self.upper[~fixed])
        above = np.where(search.x >= high, self.upper[~fixed], inner)
        coef[~fixed] = np.where(search.x <= low, self.lower[~fixed], above)
        solution = self._judged(coef, _WEIGHT * search.extras["shift"] / size)
        if search.interrupted and not solution.status.ok:
            return replace(
                solution, status=Status.MAX_ITER, message=search.message, interrupted=True
            )
        return solution

    def residual(self, coef: Floats, multipliers: Floats) -> float:
        """Largest breach of stationarity, of sign at a bound, or of an equation, as a share."""
        error = self.C @ coef - self.t
        slope = self.C.T @ error + self.A.T @ multipliers
        slope = np.where(coef <= self.lower, np.minimum(slope, 0.0), slope)
        slope = np.where(coef >= self.upper, np.maximum(slope, 0.0), slope)
        slope = np.where(self.lower == self.upper, 0.0, slope)
        size = np.linalg.norm(self.C, axis=0) * np.linalg.norm(self.t)
        size = size + np.abs(self.A.T) @ np.abs(multipliers)
        breach = np.abs(slope) / np.where(size > 0, size, 1.0)
        terms = np.abs(self.A) @ np.abs(coef) + np.abs(self.c)
        gap = np.abs(self.A @ coef - self.c) / np.where(terms > 0, terms, 1.0)
        return float(max(breach.max(initial=0.0), gap.max(initial=0.0)))

    def _judged(self, coef: Floats, multipliers: Floats) -> Solution:
        value = 0.5 * float(np.sum((self.C @ coef - self.t) ** 2))
        breach = self.residual(coef, multipliers)
        done = breach <= _TOL
        return Solution(
            x=coef,
            status=Status.CONVERGED if done else Status.STALLED,
            n_iter=1,
            objective=value,
            trace={"objective": np.array([value])},
            certificate=Certificate("residual of the optimality conditions", breach, _TOL),
            solver="active set" if self.bounded else "null space",
            message=""
            if done
            else f"the optimality conditions hold only to {breach:.2g}; scale the features",
            extras={"multipliers": multipliers},
        )


class _Scaled(NamedTuple):
    """Triangular rows ``R w = side``, equations ``E w = e`` and bounds, all of unit size."""

    R: Floats
    side: Floats
    E: Floats
    e: Floats
    low: Floats
    high: Floats

    def rounds(self) -> Iterator[Iterate]:
        """An active-set search for every new guess of the multipliers."""
        heavy, shift = np.sqrt(_WEIGHT), np.zeros(len(self.e))
        rows = np.vstack([self.R, heavy * self.E])
        for n_iter in range(1, _ROUNDS.max_iter + 1):
            goal = np.append(self.side, heavy * (self.e - shift))
            w = optimize.lsq_linear(
                rows,
                goal,
                (self.low, self.high),
                method="bvls",
                tol=1e-15,
                max_iter=20 * len(self.low) + 100,
            ).x
            gap = self.E @ w - self.e
            shift = shift + gap
            value = 0.5 * float(np.sum((self.R @ w - self.side) ** 2))
            breach = float(np.abs(gap).max(initial=0.0)) / (1.0 + float(np.abs(w).max()))
            yield Iterate(w, value, breach, n_iter, extras={"shift": shift})
