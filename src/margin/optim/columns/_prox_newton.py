"""Prox-Newton descent with working sets for a smooth loss with an L1 and an L2 penalty."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats, Indices
from margin.losses import Loss
from margin.optim.columns._duality_gap import balanced, conjugate_gap
from margin.optim.columns._newton_model import ModelStep, NewtonModel
from margin.optim.columns._squares import Goal, Shrinkage

_STEPS_PER_SET = 10
_FIRST = 1000
_FLOOR = 1e-12
_SUFFICIENT = 1e-4
_SHORTEST = 1e-10
_PATIENCE = 5
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Rows:
    """Loss, targets and weights of the rows."""

    loss: Loss
    y: NDArray[np.float64]
    weight: Floats

    def constant(self, start: float = 0.0) -> float:
        """The best constant score, by safeguarded Newton steps."""
        score = start
        for _ in range(100):
            _, slope, bend = self.loss.sweep(
                np.full(len(self.y), score), self.y, self.weight, curvature=True
            )
            assert bend is not None
            step = -float(slope.sum()) / max(float(bend.sum()), _FLOOR * float(self.weight.sum()))
            score += float(np.clip(step, -4.0, 4.0))
            if abs(step) <= 1e-12 * max(1.0, abs(score)) or abs(score) > 700.0:
                break
        return score


@dataclass(frozen=True)
class Local:
    """Coefficients, intercept and scores, with the loss there."""

    w: Floats
    b: float
    z: Floats
    value: float
    slope: Floats
    bend: Floats
    objective: float


@dataclass(frozen=True)
class Progress:
    """What a descent reports after each step and each pass over all columns.

    ``gap`` and ``violation`` are measured by a pass, and infinite in between; ``epochs`` are the
    sweeps of the step.
    """

    local: Local
    gap: float = np.inf
    violation: float = np.inf
    epochs: int = 0


def locate(rows: Rows, w: Floats, b: float, z: Floats, penalty: Shrinkage) -> Local:
    """The loss at scores ``z``."""
    value, slope, bend = rows.loss.sweep(z, rows.y, rows.weight, curvature=True)
    assert bend is not None
    return Local(w, b, z, value, slope, bend, value + penalty.value(w))


def prox_newton(
    model: NewtonModel, rows: Rows, start: Local, penalty: Shrinkage, goal: Goal
) -> Iterator[Progress]:
    """Progress after every pass over the columns and after every Newton step, without end.

    A pass has finite ``violation``; the first and the last report are passes. Ends when the goal
    is met or no step lowers the objective.
    """
    local, best, idle = start, np.inf, 0
    while idle < _PATIENCE:
        slope = model.correlate(local.slope)
        broken = penalty.violation(local.w, slope)
        worst = float(broken.max(initial=0.0))
        if model.intercept:
            worst = max(worst, abs(float(local.slope.sum())))
        gap = _gap(model, rows, local, slope, penalty) if goal.gap >= 0 else np.inf
        yield Progress(local, gap, worst)
        if worst <= goal.violation or gap <= goal.gap:
            return
        idle = 0 if worst < 0.9 * best else idle + 1
        best = min(best, worst)
        index = _working_set(local.w, broken)
        aim = max(0.1 * worst, 0.5 * goal.violation)
        tol = 0.1 * worst
        for k in range(_STEPS_PER_SET):
            h = np.maximum(local.bend, _FLOOR * rows.weight)
            step = model.step(
                index, local.w, h, local.slope, penalty, max(tol, 0.3 * goal.violation)
            )
            if k and step.violation <= aim:
                break
            ahead = _search(rows, local, index, step, penalty)
            if ahead is None and k == 0:
                return
            if ahead is None:
                break
            local, tol = ahead, 0.1 * min(step.violation, worst)
            yield Progress(local, epochs=step.epochs)


def _search(
    rows: Rows, local: Local, index: Indices, step: ModelStep, penalty: Shrinkage
) -> Local | None:
    """The first point on the way to the minimiser of the model that lowers the objective enough.

    A full step is also taken when the objective agrees to rounding: conditions can still improve.
    """
    change = step.w - local.w[index]
    slope = float(local.slope @ step.image) + penalty.value(step.w) - penalty.value(local.w[index])
    length = 1.0
    while length > _SHORTEST:
        w = local.w.copy()
        w[index] = step.w if length == 1.0 else local.w[index] + length * change
        ahead = locate(
            rows, w, local.b + length * step.shift, local.z + length * step.image, penalty
        )
        if ahead.objective < local.objective + _SUFFICIENT * length * min(slope, 0.0):
            return ahead
        if length == 1.0 and abs(ahead.objective - local.objective) <= 4 * _EPS * local.objective:
            return ahead
        length *= 0.5
    return None


def _gap(model: NewtonModel, rows: Rows, local: Local, slope: Floats, penalty: Shrinkage) -> float:
    if not rows.loss.has_conjugate:
        return np.inf
    theta = local.slope
    if model.intercept:
        theta = balanced(theta)
        slope = model.correlate(theta)
    return conjugate_gap(rows.loss, theta, rows.y, rows.weight, slope, local.objective, penalty)


def _working_set(w: Floats, broken: Floats) -> Indices:
    """The support and the worst violations, at most twice as many."""
    held = np.flatnonzero(w)
    wanted = np.flatnonzero((broken > 0.0) & (w == 0.0))
    room = max(_FIRST, 2 * len(held))
    if len(wanted) > room:
        wanted = wanted[np.argpartition(-broken[wanted], room)[:room]]
    return np.union1d(held, wanted)
