"""Hyper-parameters by maximising the marginal likelihood."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from scipy.optimize import minimize

from margin.core import FitError, Iterate, Solution, Stop, watch
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.gp.solvers._interface import Evaluation

Evaluate = Callable[[Floats], Evaluation]
See = Callable[[Iterate], None]

_OBSTACLE = 1e3
_STEPS = 30  # most steps by curvature
_LEAST_CURVATURE = 1e-4  # share of the largest
_ADVICE = ("scale the features", "add noise (alpha or a White kernel)", "raise tol")


@dataclass(frozen=True)
class _Point:
    """A marginal likelihood per row, negative, with its gradient and standard error."""

    theta: Floats
    value: float
    gradient: Floats
    error: float | None


class _Walk:
    """What L-BFGS-B calls: every evaluation is shown, and a kernel that breaks down is a wall."""

    def __init__(self, evaluate: Evaluate, scale: float, bounds: Floats, see: See) -> None:
        self.evaluate, self.scale, self.bounds, self.see = evaluate, scale, bounds, see
        self.n_iter = 0
        self.lowest = np.inf
        self.last: _Point | None = None

    def at(self, theta: Floats) -> _Point:
        """Evaluate a point, unless it is the last one."""
        if self.last is not None and np.array_equal(theta, self.last.theta):
            return self.last
        there = self.evaluate(theta)
        value, gradient = -there.value / self.scale, -there.gradient / self.scale
        if not (np.isfinite(value) and np.isfinite(gradient).all()):
            raise FitError(f"the marginal likelihood became {there.value}")
        self.last = _Point(theta.copy(), value, gradient, there.error)
        self.lowest = min(self.lowest, value)
        return self.last

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        try:
            point = self.at(theta)
        except FitError:
            return _OBSTACLE * (1.0 + abs(self.lowest)), np.zeros_like(theta)
        # A trial of the line search counts where nothing better comes, but ends nothing.
        self.see(self._iterate(point)._replace(certificate=None))
        return point.value, point.gradient

    def step(self, intermediate_result: Any) -> None:
        """Take note of an iteration of L-BFGS-B."""
        self.reach(intermediate_result.x)

    def reach(self, theta: Floats) -> None:
        """Take note of an iteration."""
        self.n_iter += 1
        self.see(self._iterate(self.at(theta)))

    def start(self, theta: Floats) -> None:
        """Take note of the start, which must not break down."""
        self.see(self._iterate(self.at(theta)))

    def _iterate(self, point: _Point) -> Iterate:
        norm = projected(point.theta, point.gradient, self.bounds)
        by_products = {"gradient": point.gradient, "error": point.error}
        return Iterate(point.theta, point.value, norm, self.n_iter, extras=by_products)


def search(
    evaluate: Evaluate,
    start: Floats,
    bounds: Floats,
    *,
    scale: float,
    tol: float,
    max_iter: int,
    curvature: Floats | None = None,
    tick: Callback | None = None,
) -> Solution:
    """Maximise a marginal likelihood over a box by L-BFGS-B.

    Where the curvature around the start is known, quasi-Newton steps that begin with it come first
    and L-BFGS-B takes over if one of them fails.

    Parameters
    ----------
    evaluate : callable
        ``theta -> Evaluation``.
    start : ndarray of shape (p,)
    bounds : ndarray of shape (p, 2)
    scale : float
        Number of rows: objective and gradient are measured per row.
    tol : float
        Largest entry of the gradient per row, projected on the box, that counts as zero.
    max_iter : int
    curvature : ndarray of shape (p, p), optional
        Second derivatives of the objective per row, about.
    tick : callable, optional
        Progress, called with iteration and objective.

    Returns
    -------
    Solution
        ``objective`` is the negative log marginal likelihood per row; ``extras["error"]`` the
        standard error of the log marginal likelihood itself, None where it is exact.

    Examples
    --------
    >>> bowl = lambda t: Evaluation(-float((t[0] - 3) ** 2), -2 * (t - 3))
    >>> best = search(bowl, np.zeros(1), np.array([[-1.0, 2.0]]), scale=1, tol=1e-6, max_iter=50)
    >>> best.x, best.status.value
    (array([2.]), 'converged')
    """

    def follow(see: See) -> None:
        walk = _Walk(evaluate, scale, bounds, see)
        first = np.clip(start, bounds[:, 0], bounds[:, 1])
        walk.start(first)
        if curvature is not None:
            steps = _by_curvature(walk, first, bounds, curvature)
            for ahead in islice(steps, _STEPS):
                walk.reach(ahead)
                first = ahead
        minimize(
            walk,
            first,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            callback=walk.step,
            options={"maxiter": max_iter, "gtol": tol, "ftol": 1e-15, "maxls": 30},
        )

    def finish(best: Iterate) -> Iterate:
        return best._replace(certificate=projected(best.x, best.extras["gradient"], bounds))

    stop = Stop("gradient norm", tol, max_iter, advice=_ADVICE)
    return watch(follow, stop, solver="L-BFGS-B", callback=tick, finish=finish)


def _by_curvature(walk: _Walk, x: Floats, bounds: Floats, curvature: Floats) -> Iterator[Floats]:
    """BFGS steps inside a box from known second derivatives, as long as they lower the value."""
    low, high = bounds.T
    value, gradient = walk(x)
    sizes, directions = np.linalg.eigh(0.5 * (curvature + curvature.T))
    sizes = np.maximum(np.abs(sizes), _LEAST_CURVATURE * np.abs(sizes).max())
    bend = (directions * sizes) @ directions.T
    while True:
        free = np.where(gradient > 0, x > low, x < high)
        step = np.zeros_like(x)
        step[free] = -np.linalg.solve(bend[np.ix_(free, free)], gradient[free])
        moved = np.clip(x + step, low, high)
        step = moved - x
        promised = float(gradient @ step)
        if not promised < 0:
            return
        there, slope = walk(moved)
        if there > value + 1e-4 * promised:
            return
        change = slope - gradient
        if step @ change > 1e-10 * np.linalg.norm(step) * np.linalg.norm(change):
            along = bend @ step
            bend += np.outer(change, change) / (step @ change)
            bend -= np.outer(along, along) / (step @ along)
        x, value, gradient = moved, there, slope
        yield x


def projected(theta: Floats, gradient: Floats, bounds: Floats) -> float:
    """Largest entry of the step that a unit gradient step makes inside the box."""
    step = np.clip(theta - gradient, bounds[:, 0], bounds[:, 1]) - theta
    return float(np.abs(step).max(initial=0.0))
