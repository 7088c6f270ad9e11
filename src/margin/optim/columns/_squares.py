"""Least squares by columns: what coordinate descent asks of the data."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats, Indices

MOST_SWEEPS = 1000


@dataclass(frozen=True)
class Shrinkage:
    r"""The penalty :math:`l_1 \|w\|_1 + \tfrac{l_2}2 \|w\|^2`, with :math:`w \ge 0` if asked."""

    l1: float
    l2: float = 0.0
    positive: bool = False

    def value(self, w: Floats) -> float:
        """Penalty of the coefficients."""
        return self.l1 * float(np.abs(w).sum()) + 0.5 * self.l2 * float(w @ w)

    def violation(self, w: Floats, slope: Floats) -> Floats:
        """By how much each optimality condition is broken where the loss has that slope."""
        free = slope + self.l2 * w
        resting = np.maximum((-free if self.positive else np.abs(free)) - self.l1, 0.0)
        return np.where(w == 0.0, resting, np.abs(free + self.l1 * np.sign(w)))

    def pull(self, correlations: Floats) -> Floats:
        """How strongly each column asks for a coefficient: compare with ``l1``."""
        return correlations if self.positive else np.abs(correlations)


@dataclass(frozen=True)
class Fitted:
    r"""What the objective and its dual need of a residual :math:`r` with targets :math:`y`.

    Parameters
    ----------
    along, square : float
        :math:`r^\top y` and :math:`\|r\|^2`.
    correlations : ndarray of shape (p,)
        Products of the columns with the residual: minus the slope.
    """

    along: float
    square: float
    correlations: Floats


@dataclass(frozen=True)
class Goal:
    """When a descent may stop: a duality gap or a largest violation, never where negative."""

    gap: float = -1.0
    violation: float = -1.0

    def times(self, factor: float) -> "Goal":
        """The goal made easier or harder."""
        return Goal(factor * self.gap, factor * self.violation)


@dataclass(frozen=True, eq=False)
class Minima:
    """Minima for one strength after the other.

    Parameters
    ----------
    coefs : ndarray of shape (p, k)
    objectives, gaps : ndarray of shape (k,)
        Objectives and duality gaps, from the products alone.
    epochs : ndarray of shape (k,)
        Sweeps made.
    """

    coefs: Floats
    objectives: Floats
    gaps: Floats
    epochs: NDArray[np.int64]


class Squares(ABC):
    r"""The quadratic :math:`\tfrac12 \sum_i s_i (y_i - b - x_i^\top w)^2` with :math:`b` optimal.

    Attributes
    ----------
    shape : tuple of int
        Rows and columns.
    root : ndarray of shape (n,)
        Roots of the weights.
    target : ndarray of shape (n,)
        Centred targets (as they are without an intercept) times the roots of the weights.
    energy : float
        :math:`\\sum_i s_i (y_i - \\bar y)^2`.
    start : ndarray of shape (p,)
        Products of the centred columns with the targets: minus the slope at zero.
    mean : ndarray of shape (p,)
        Means of the columns; of a dense matrix only those that were needed.
    full : bool
        Whether all products of columns are at hand, so that every sub-problem is the whole one.
    """

    full: bool = False
    start: Floats
    mean: Floats

    def __init__(
        self, X: Any, y: Floats, weight: Floats | None, *, intercept: bool, n_threads: int
    ) -> None:
        self.X, self.shape, self.n_threads, self.intercept = X, X.shape, n_threads, intercept
        self.weight = np.ones(len(y)) if weight is None else weight
        self.total, self.root = float(self.weight.sum()), np.sqrt(self.weight)
        self.y_mean = _mean(y, self.weight, self.total) if intercept else 0.0
        self.target = y - self.y_mean
        self.target *= self.root
        self.energy = _product(self.target, self.target)

    @abstractmethod
    def correlations(self, residual: Floats) -> Floats:
        """Products of the weighted centred columns with a weighted residual: minus the slope."""

    @abstractmethod
    def residual(self, w: Floats) -> Floats:
        """Centred residual at ``w``, times the roots of the weights."""

    def fitted(self, w: Floats, *, exact: bool = True) -> Fitted:
        """What is left at ``w``; not ``exact`` may trust sums of products made before."""
        if not w.any():
            return Fitted(self.energy, self.energy, self.start)
        r = self.residual(w)
        return Fitted(float(r @ self.target), float(r @ r), self.correlations(r))

    def rounding(self, w: Floats) -> float:
        """How far an objective or a gap from products made before may be off; unknown: infinite."""
        return np.inf

    @abstractmethod
    def solve(
        self, index: Indices, w: Floats, penalty: Shrinkage, goal: Goal, most: int = MOST_SWEEPS
    ) -> int:
        """Minimise over the coefficients of that index, in place; returns the sweeps made."""

    def whole_path(self, penalties: list[Shrinkage], gap: float, most: int) -> Minima | None:
        """Minima for decreasing penalties in one go, where all products are at hand.

        ``gap`` counts as zero, and ``most`` sweeps are made for each.
        """
        return None

    def intercept_at(self, w: Floats) -> float:
        """The optimal intercept for the coefficients."""
        return self.y_mean - float(self.mean @ w) if self.intercept else 0.0


def _mean(y: Floats, weight: Floats, total: float) -> float:
    """Weighted mean, exact where all targets are equal."""
    first = float(y[0])
    return first + _product(weight, y - first) / total


def _product(a: Floats, b: Floats) -> float:
    """Inner product by one thread: waking others takes longer than the sum."""
    return float(np.einsum("i,i->", a, b))
