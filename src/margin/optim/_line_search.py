"""Line searches that stay reliable down to rounding error."""

from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from margin.core.types import Floats
from margin.optim._problem import Expansion, Problem

_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Accepted:
    """An accepted point of a line search."""

    x: Floats
    local: Expansion
    length: float


def armijo(
    problem: Problem,
    x: Floats,
    local: Expansion,
    direction: Floats,
    *,
    length: float = 1.0,
    shrink: float = 0.5,
    decrease: float = 1e-4,
    second_order: bool = False,
    max_trials: int = 60,
) -> Accepted | None:
    r"""Backtrack until :math:`f(x + t d) \le f(x) + c\,t\,\nabla f^\top d`.

    When the promised decrease is below the rounding error of the objective, values cannot tell
    steps apart, and a step is accepted if it makes the directional derivative smaller instead.
    Returns nothing if ``direction`` does not descend or no length is acceptable.
    """
    slope = float(local.gradient @ direction)
    if not slope < 0:
        return None
    rounding = 8 * _EPS * max(abs(local.value), 1e-300)
    for _ in range(max_trials):
        moved = x + length * direction
        there = problem.expand(moved, second_order=second_order)
        if isfinite(there.value):
            gain, promised = there.value - local.value, decrease * length * slope
            if gain <= promised:
                return Accepted(moved, there, length)
            indistinct = -promised <= rounding and gain <= rounding
            if indistinct and abs(there.gradient @ direction) <= 0.9 * abs(slope):
                return Accepted(moved, there, length)
        length *= shrink
    return None


@dataclass
class _Bracket:
    low: float
    high: float
    low_value: float
    low_slope: float


def strong_wolfe(
    problem: Problem,
    x: Floats,
    local: Expansion,
    direction: Floats,
    *,
    length: float = 1.0,
    decrease: float = 1e-4,
    curvature: float = 0.9,
    max_trials: int = 40,
) -> Accepted | None:
    r"""Step that also satisfies :math:`|\nabla f(x + t d)^\top d| \le c_2 |\nabla f(x)^\top d|`.

    Bracketing by doubling, then safeguarded cubic interpolation. The curvature condition keeps
    quasi-Newton updates positive definite.
    """
    slope = float(local.gradient @ direction)
    if not slope < 0:
        return None
    rounding = 8 * _EPS * max(abs(local.value), 1e-300)
    bracket = _Bracket(0.0, np.inf, local.value, slope)
    best: Accepted | None = None
    for _ in range(max_trials):
        moved = x + length * direction
        there = problem.expand(moved)
        there_slope = float(there.gradient @ direction)
        promised = decrease * length * slope
        limit = local.value + promised
        flat = -promised <= rounding and there.value <= local.value + rounding
        too_high = not isfinite(there.value) or (
            (there.value > limit or there.value >= bracket.low_value) and not flat
        )
        if too_high:
            bracket = replace(bracket, high=length)
        else:
            if there.value < local.value or abs(there_slope) < abs(slope):
                best = Accepted(moved, there, length)
            if abs(there_slope) <= curvature * abs(slope):
                return best
            if there_slope >= 0:
                bracket = replace(bracket, high=length)
            else:
                bracket = _Bracket(length, bracket.high, there.value, there_slope)
        length = _next_length(bracket, length, there.value, there_slope)
        if bracket.high - bracket.low <= 1e-14 * max(1.0, bracket.low):
            break
    return best


def _next_length(bracket: _Bracket, length: float, value: float, slope: float) -> float:
    if not isfinite(bracket.high):
        return 2.0 * length
    width = bracket.high - bracket.low
    trial = bracket.low + 0.5 * width
    if length == bracket.high and isfinite(value) and isfinite(slope):
        cubic = _cubic_minimum(
            bracket.low, bracket.low_value, bracket.low_slope, length, value, slope
        )
        if cubic is not None:
            trial = cubic
    return min(max(trial, bracket.low + 0.1 * width), bracket.high - 0.1 * width)


def _cubic_minimum(a: float, fa: float, ga: float, b: float, fb: float, gb: float) -> float | None:
    """Minimiser of the cubic through two values and slopes, if there is one without overflow."""
    middle = ga + gb - 3 * (fa - fb) / (a - b)
    inside = middle * middle - ga * gb
    if not 0 <= inside < np.inf:
        return None
    root = np.copysign(np.sqrt(inside), b - a)
    bottom = gb - ga + 2 * root
    return None if bottom == 0 else float(b - (b - a) * (gb + root - middle) / bottom)
