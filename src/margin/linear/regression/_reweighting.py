"""Iteratively reweighted least squares."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Array, Floats
from margin.linalg import RidgeFit, ridge
from margin.linear.regression._robust_loss import RobustLoss

_MAD_TO_SD = 1.4826022185056018
_LEAST_SCALE = 1e-150  # its square is still a normal number
_START_LOSS, _START_TOL, _START_ITER = RobustLoss("absolute", 1e-3), 1e-3, 30


@dataclass(frozen=True, eq=False)
class RobustFit:
    """What reweighting ends with.

    Parameters
    ----------
    coef, intercept : ndarray of shape (p,) and float
    scale : float
        Noise scale, from the median absolute residual of the start.
    row_weight : ndarray of shape (n,)
        What the rows count in the end.
    plain : RidgeFit
        Least squares of all rows, where the search began.
    solution : Solution
        Objective trace and the last change.
    """

    coef: Floats
    intercept: float
    scale: float
    row_weight: Floats
    plain: RidgeFit
    solution: Solution


@dataclass(frozen=True, eq=False)
class ReweightedRows:
    """Rows whose least squares is solved again and again, with weights by the last residuals.

    Parameters
    ----------
    X, y, weight : ndarray of shape (n, p), (n,) and (n,)
    alpha : float
        Strength of a quadratic penalty.
    intercept : bool
    n_threads : int
    """

    X: Array
    y: Floats
    weight: Floats
    alpha: float
    intercept: bool
    n_threads: int

    def fit(self, loss: RobustLoss, tol: float, max_iter: int, tick: Callback) -> RobustFit:
        """Least absolute deviations first, for the scale; then the loss asked for."""
        plain = self._least_squares(np.ones(len(self.y)))
        rough = self.spread(self.y - self.median(self.y))
        start = self._search(_START_LOSS, rough, plain, _START_TOL, _START_ITER, None)
        nearest: RidgeFit = start.extras["fit"]
        scale = self.spread(self.y - self._values(nearest))
        solution = self._search(loss, scale, nearest, tol, max_iter, tick)
        last: RidgeFit = solution.extras["fit"]
        residual = (self.y - self._values(last)) / scale
        return RobustFit(
            coef=last.coef[:, 0],
            intercept=float(last.intercept[0]),
            scale=scale,
            row_weight=loss.weight(residual),
            plain=plain,
            solution=solution,
        )

    def median(self, values: Floats) -> float:
        """Weighted median; the lower and the upper one are averaged, as for an even number."""
        kept = self.weight > 0
        ordered = values[kept][order := np.argsort(values[kept])]
        mass = np.cumsum(self.weight[kept][order])
        low = np.searchsorted(mass, mass[-1] / 2)
        high = np.searchsorted(mass, mass[-1] / 2, "right")
        return float(0.5 * (ordered[low] + ordered[min(high, len(ordered) - 1)]))

    def spread(self, residual: Floats) -> float:
        """Median absolute residual, as a standard deviation; never so small that it overflows."""
        floor = 1e-12 * float(np.abs(self.y[self.weight > 0]).max()) + _LEAST_SCALE
        return max(_MAD_TO_SD * self.median(np.abs(residual)), floor)

    def _search(
        self,
        loss: RobustLoss,
        scale: float,
        start: RidgeFit,
        tol: float,
        max_iter: int,
        tick: Callback | None,
    ) -> Solution:
        """Reweight until the fitted values stand still."""
        rules = Stop(
            "last change in units of the noise",
            tol,
            max_iter,
            unit="reweighting",
            keep="last",
            advice=("raise tol",),
        )
        states = self._reweightings(loss, scale, start)
        solver = "iteratively reweighted least squares"
        return iterate(states, rules, solver=solver, callback=tick)

    def _reweightings(self, loss: RobustLoss, scale: float, fit: RidgeFit) -> Iterator[Iterate]:
        fitted, change, n_iter = self._values(fit), None, 0
        while True:
            u = (self.y - fitted) / scale
            value = float(self.weight @ loss.value(u))
            value += 0.5 * self.alpha * float(np.sum(fit.coef**2)) / scale**2
            x = np.append(fit.coef[:, 0], fit.intercept)
            yield Iterate(x, value, change, n_iter, extras={"fit": fit})
            fit = self._least_squares(loss.weight(u))
            moved = self._values(fit)
            change = float(np.abs(moved - fitted).max(initial=0.0)) / scale
            fitted, n_iter = moved, n_iter + 1

    def _values(self, fit: RidgeFit) -> Floats:
        values = np.asarray(self.X @ fit.coef[:, 0], dtype=np.float64)
        return np.asarray(values + fit.intercept[0])

    def _least_squares(self, row_weight: Floats) -> RidgeFit:
        return ridge(
            self.X,
            self.y[:, None],
            self.weight * row_weight,
            self.alpha,
            intercept=self.intercept,
            n_threads=self.n_threads,
        )
