"""The strength that generalised cross-validation chooses, where its score can be believed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import chi2

from margin.core.types import Floats

# Share of the rows that curves must leave free for their scores to be compared as they are.
FREE_SHARE = 0.25
# Chance at which the lower score of a rougher curve counts as luck.
LUCK = 1e-3

_STEP = 0.05  # decades to either side, for a slope


Judge = Callable[[float], tuple[float, float]]


def strength_of_least_score(judge: Judge, count: float, grid: Floats) -> float:
    r"""Exponent of least score that is not luck: on a grid, then between the neighbours there.

    As a curve comes to interpolate, the score :math:`n \sum_i k_i^2 z_i^2 / (\sum_i k_i)^2` of
    residuals :math:`k_i z_i` rests on the few directions that are last to be followed, those
    between the closest points: with one of them left it is :math:`n z_1^2`, which pure noise of
    variance :math:`\sigma^2` takes below :math:`\sigma^2` once in :math:`\sqrt{\pi n / 2}` times.
    So a rough curve, one that leaves less than ``FREE_SHARE`` of the rows free, is taken only if
    its score is below what chance makes of the best of the others, see :func:`lucky_share`.

    Parameters
    ----------
    judge : callable
        Score at an exponent, and the degrees of freedom :math:`\sum_i k_i` left there.
    count : float
        Rows, or the sum of their weights.
    grid : ndarray
        Exponents, ascending.
    """
    score, slack = np.array([judge(t) for t in grid]).T
    enough = slack >= FREE_SHARE * count
    sound = enough if enough.any() else ~enough
    best, rough = int(np.argmin(np.where(sound, score, np.inf))), int(np.argmin(score))
    if not sound[rough] and score[rough] <= score[best] * lucky_share(judge, grid[rough]):
        best, sound = rough, ~enough | enough

    def refined(exponent: float) -> float:
        value, free = judge(exponent)
        return value if sound.all() or free >= FREE_SHARE * count else float(score.max())

    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    least = minimize_scalar(refined, bounds=(low, high), method="bounded")
    return float(least.x if least.fun <= score[best] else grid[best])


def lucky_share(judge: Judge, exponent: float) -> float:
    r"""Share of its mean below which noise takes the score at an exponent by chance ``LUCK``.

    The score rests on :math:`\nu = (\sum_i k_i)^2 / \sum_i k_i^2` directions, and is about
    :math:`\chi^2_\nu / \nu` times its mean. With :math:`u = \sum_i k_i` and
    :math:`k_i = \alpha \gamma_i / (1 + \alpha \gamma_i)` they are
    :math:`u / (1 - d \log u / d \log \alpha)`.

    Examples
    --------
    >>> def judge(t, gamma=np.ones(50)):
    ...     return 0.0, float(np.sum(1 - 1 / (1 + 10.0**t * gamma)))
    >>> round(lucky_share(judge, -1.0), 2), round(float(chi2.ppf(0.001, 50) / 50), 2)
    (0.49, 0.49)
    """
    below, free, above = (judge(exponent + step)[1] for step in (-_STEP, 0.0, _STEP))
    if not 0 < below <= above:
        return 0.0  # roundings
    slope = np.log(above / below) / (2 * _STEP * np.log(10.0))
    directions = max(free / max(1.0 - slope, 1e-9), 1.0)
    return float(chi2.ppf(LUCK, directions) / directions)
