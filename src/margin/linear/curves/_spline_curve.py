"""Natural cubic splines: smoothing at a given strength, the choice of it, and values."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from margin.core.types import Floats
from margin.linear.curves._close_points import CloseGroups
from margin.linear.curves._cross_validation import strength_of_least_score
from margin.linear.curves._curve_data import DistinctPoints
from margin.native.series.spline import smoothing_spline

_SPAN = (-18.0, 12.0)  # decimal exponents of alpha in units of the data, from rough to straight

LEAST_SLACK = 1e-6  # share of the rows that must be left for a score of cross-validation


@dataclass(frozen=True, eq=False)
class SplineCurve:
    r"""A natural cubic spline by its values and second derivatives at the knots.

    Parameters
    ----------
    knots, values, bends : ndarray of shape (n_knots,)
    leverage : ndarray of shape (n_knots,)
        Diagonal of the hat matrix.
    alpha : float
        Strength of the penalty that made it.
    data : DistinctPoints, optional
        What it was fitted to: weighted means at the knots.

    Examples
    --------
    >>> line = SplineCurve(np.array([0.0, 1.0]), np.array([2.0, 5.0]), np.zeros(2), np.ones(2), 1.0)
    >>> line.at(np.array([-1.0, 0.5, 3.0]))
    array([-1. ,  3.5, 11. ])
    """

    knots: Floats
    values: Floats
    bends: Floats
    leverage: Floats
    alpha: float
    data: DistinctPoints | None = None

    @property
    def dof(self) -> float:
        """Effective degrees of freedom."""
        return float(self.leverage.sum())

    def at(self, x: Floats) -> Floats:
        """Values of the curve, continued by straight lines outside the knots."""
        t, g, bend = self.knots, self.values, self.bends
        if len(t) == 1:
            return np.full(len(x), g[0])
        i = np.clip(np.searchsorted(t, x) - 1, 0, len(t) - 2)
        h = t[i + 1] - t[i]
        inside = np.clip(x, t[0], t[-1])
        ahead, behind = t[i + 1] - inside, inside - t[i]
        curve = (behind * g[i + 1] + ahead * g[i]) / h
        curve -= behind * ahead / 6 * ((1 + behind / h) * bend[i + 1] + (1 + ahead / h) * bend[i])
        first = (g[1] - g[0]) / (t[1] - t[0]) - (t[1] - t[0]) * bend[1] / 6
        last = (g[-1] - g[-2]) / (t[-1] - t[-2]) + (t[-1] - t[-2]) * bend[-2] / 6
        curve += first * np.minimum(x - t[0], 0) + last * np.maximum(x - t[-1], 0)
        return np.asarray(curve)

    def roughness(self) -> float:
        r"""Exact :math:`\int (f'')^2` of a piecewise linear second derivative."""
        a, b = self.bends[:-1], self.bends[1:]
        return float(np.diff(self.knots) @ (a * a + a * b + b * b)) / 3

    @property
    def weight(self) -> Floats:
        """Weights at the knots it was fitted with."""
        assert self.data is not None
        return self.data.weight

    def residual(self) -> float:
        """Weighted residual sum of squares of the data it was fitted to."""
        assert self.data is not None
        return float(self.data.weight @ (self.data.mean - self.values) ** 2) + self.data.ties

    def gcv(self) -> float:
        """Score of generalised cross-validation."""
        assert self.data is not None
        n = float(self.data.weight.sum())
        slack = max(n - self.dof, 1e-9 * n)
        return n * self.residual() / slack**2


def smooth(data: DistinctPoints, alpha: float, groups: CloseGroups | None = None) -> SplineCurve:
    """Smoothing spline of weighted means; ``groups`` are those of the data, found if not given."""
    data = (groups or CloseGroups.of(data)).joined(data, alpha)
    knots, mean = data.points, data.mean
    if len(knots) < 3:
        flat = np.zeros_like(mean)
        return SplineCurve(knots, mean.copy(), flat, np.ones_like(mean), alpha, data)
    parts = smoothing_spline(np.diff(knots), mean, data.weight, alpha)
    return SplineCurve(knots, *parts, alpha, data)


def unit_strength(data: DistinctPoints) -> float:
    """Strength that has the units of the data."""
    span = float(data.points[-1] - data.points[0]) or 1.0
    return float(data.weight.sum()) * span**3


def strength_by_dof(data: DistinctPoints, dof: float) -> float:
    """Strength of a curve with that many effective degrees of freedom."""
    unit, groups = unit_strength(data), CloseGroups.of(data)
    if len(data.points) < 3:
        return unit

    def excess(exponent: float) -> float:
        return smooth(data, unit * 10.0**exponent, groups).dof - dof

    if excess(_SPAN[0]) <= 0:
        return float(unit * 10.0 ** _SPAN[0])
    return float(unit * 10.0 ** brentq(excess, *_SPAN, xtol=1e-10))


def strength_by_gcv(data: DistinctPoints) -> float:
    """Strength of least score by generalised cross-validation."""
    unit, groups = unit_strength(data), CloseGroups.of(data)
    if len(data.points) < 3:
        return unit

    n = float(data.weight.sum())
    level = float(data.weight @ data.mean) / n
    total = float(data.weight @ (data.mean - level) ** 2) + data.ties

    def judge(exponent: float) -> tuple[float, float]:
        curve = smooth(data, unit * 10.0**exponent, groups)
        slack = n - curve.dof
        # Near interpolation the score is a quotient of roundings: worse than any to be trusted.
        if slack <= LEAST_SLACK * n:
            return n * total / (LEAST_SLACK * n) ** 2, slack
        return curve.gcv(), slack

    return float(unit * 10.0 ** strength_of_least_score(judge, n, np.linspace(*_SPAN, 31)))
