"""Step lengths that are optimal along a direction."""

import numpy as np

from margin.core.types import Floats
from margin.optim._line_search import Accepted
from margin.optim._problem import Expansion, Problem


def taylor_step(local: Expansion, direction: Floats) -> float | None:
    r"""Step that minimises the second-order expansion along a direction (optim.02).

    .. math:: t = \frac{-\nabla f^\top d}{d^\top H d},

    for :math:`d = -\nabla f` the length :math:`\|\nabla f\|^2 / (\nabla f^\top H \nabla f)`, the
    exact minimiser on a quadratic. Nothing where the function is flat or concave along it.

    Examples
    --------
    On :math:`\tfrac12 x^\top \mathrm{diag}(1, 10)\, x` at (1, 1) it is 101/1001:

    >>> import numpy as np
    >>> from margin.optim import Function
    >>> A = np.diag([1.0, 10.0])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2, hessian=lambda x: A)
    >>> local = bowl.expand(np.ones(2), second_order=True)
    >>> round(taylor_step(local, -local.gradient), 7)
    0.1008991
    """
    assert local.hessian_product is not None
    slope = float(local.gradient @ direction)
    bend = float(direction @ local.hessian_product(direction))
    if not (bend > 0 and slope < 0):
        return None
    return -slope / bend


def exact_line_search(
    problem: Problem,
    x: Floats,
    local: Expansion,
    direction: Floats,
    *,
    length: float = 1.0,
    precision: float = 1e-10,
    max_trials: int = 100,
) -> Accepted | None:
    r"""Minimise :math:`\varphi(t) = f(x + t d)` along a descent direction (optim.02).

    Doubles the length until the slope :math:`\varphi'` turns positive, then closes in on its root
    by secant steps safeguarded with bisection. At the minimum the new gradient is orthogonal to
    the direction. Nothing if ``direction`` does not descend or the function falls without end.

    Parameters
    ----------
    problem, x, local
        The objective, the point and its expansion there.
    direction : ndarray of shape (d,)
    length : float
        First trial.
    precision : float
        Share of the first slope that counts as zero.
    max_trials : int
        Most evaluations.
    """
    first = float(local.gradient @ direction)
    if not first < 0:
        return None
    low, low_slope = 0.0, first
    high, high_slope = np.inf, np.nan
    best: Accepted | None = None
    for _ in range(max_trials):
        moved = x + length * direction
        there = problem.expand(moved)
        slope = float(there.gradient @ direction)
        usable = np.isfinite(there.value) and np.isfinite(slope)
        if usable and (best is None or there.value <= best.local.value):
            best = Accepted(moved, there, length)
        if usable and abs(slope) <= precision * abs(first):
            return _lower(Accepted(moved, there, length), local)
        if usable and slope < 0:
            low, low_slope = length, slope
        else:
            high, high_slope = length, slope if usable else np.nan
        if high - low <= 1e-15 * max(low, 1e-300):
            break
        length = _inside(low, low_slope, high, high_slope)
    return None if best is None else _lower(best, local)


def _inside(low: float, low_slope: float, high: float, high_slope: float) -> float:
    """Next trial: twice as far while unbracketed, else the secant, kept off the ends."""
    if not np.isfinite(high):
        return 2.0 * low
    width = high - low
    if not np.isfinite(high_slope):
        return low + 0.5 * width
    secant = low - low_slope * width / (high_slope - low_slope)
    margin = 1e-3 * width
    return float(min(max(secant, low + margin), high - margin))


def _lower(accepted: Accepted, local: Expansion) -> Accepted | None:
    rounding = 16 * np.finfo(np.float64).eps * max(abs(local.value), 1e-300)
    return accepted if accepted.local.value <= local.value + rounding else None
