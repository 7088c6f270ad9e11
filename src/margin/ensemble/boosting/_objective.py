"""What boosting minimises: the loss of scores, its slopes, and the best value of a leaf."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin import losses
from margin.core.types import Floats, Indices
from margin.ensemble.boosting._leaf_values import best_constants, weighted_quantile
from margin.losses import Loss
from margin.native.trees.boosting import logistic_slopes, squared_slopes

Singles = NDArray[np.float32]

# Losses whose curvature is a good measure everywhere; all others take steps of unit curvature, and
# their leaves get the values that minimise the loss.
_NEWTON = (losses.Squared, losses.Logistic, losses.Poisson, losses.Gamma, losses.Exponential)
SMALLEST = 1e-12
DOUBLES = float(np.log(2.0))
_SMALLEST_DELTA = 1e-100


class Slopes(ABC):
    """What trees are grown on at the scores of a stage, asked for one output after another."""

    @abstractmethod
    def move(self, raw: Floats) -> float:
        """Go to other scores; return the weighted sum of the losses."""

    @abstractmethod
    def of(self, k: int, raw: Floats) -> tuple[Singles, Singles | None]:
        """Slopes and curvatures of output ``k``, good until the next question.

        The scores ``raw`` of that output are those moved to; others may have gone on.
        """

    def sizes(self, raw: Floats) -> Singles:
        """How much every row weighs in the search of trees: its slopes times its curvatures."""
        total = np.zeros(raw.shape[1], dtype=np.float32)
        for k in range(len(raw)):
            g, h = self.of(k, raw)
            total += np.abs(g if h is None else g * h)
        return total


class Objective(ABC):
    """Weighted sum of the losses of all rows, as a function of their scores.

    Scores, slopes and curvatures have the shape (n_outputs, n_rows).
    """

    @property
    def n_outputs(self) -> int:
        """Scores of a row."""
        return 1

    @property
    def has_curvature(self) -> bool:
        """Whether curvatures are needed; otherwise they are 1 for every row."""
        return True

    @abstractmethod
    def start(self) -> Floats:
        """The constants, one per output, from which boosting starts."""

    @abstractmethod
    def slopes(self, n_rows: int) -> Slopes:
        """Room for the slopes of all rows."""

    @abstractmethod
    def part(self, rows: NDArray[Any]) -> Objective:
        """The losses of some of the rows."""

    @property
    @abstractmethod
    def total_weight(self) -> float:
        """Weight of all rows; their number where they have none."""

    def mean_loss(self, raw: Floats) -> float:
        """Mean loss of all rows."""
        return self.slopes(raw.shape[1]).move(raw) / self.total_weight

    def restated(self, raw: Floats) -> Objective:
        """The losses of the next stage, where they depend on the scores so far."""
        return self

    @property
    def loss_scale(self) -> float:
        """Factor by which reported losses are multiplied: 2 where the loss is half a deviance."""
        return 1.0

    @property
    def bends(self) -> bool:
        """Whether curvatures are other than weights."""
        return True

    @property
    def calm(self) -> float:
        """Largest shift of scores for which a step of Newton's cannot raise the loss.

        Where the third derivative is at most ``c`` times the second it is ``log(2) / c``: the
        curvature at most doubles on the way.
        """
        return np.inf

    def row_losses(self, k: int, raw: Floats, rows: NDArray[Any], shift: Floats) -> Floats:
        """Losses of some rows without weights, after a shift of output ``k``."""
        raise ValueError(f"{type(self).__name__}: no step is too long")

    @property
    def refits(self) -> bool:
        """Whether leaves get the values of :meth:`leaf_values` in place of Newton's step."""
        return False

    def leaf_values(
        self,
        k: int,
        raw: Floats,
        weight: Floats | None,
        rows: NDArray[np.uint32],
        starts: Indices,
    ) -> Floats:
        """Best values of leaves whose rows follow one another, for output ``k``.

        ``weight`` is that of the rows in this stage.
        """
        raise ValueError(f"{type(self).__name__}: values are those of Newton's step")


class SweptObjective(Objective):
    """Losses whose slopes come with them, for all outputs in one pass."""

    @abstractmethod
    def sweep(self, raw: Floats, g: Singles, h: Singles | None) -> float:
        """Fill in weighted slopes and curvatures; return the weighted sum of the losses."""

    def slopes(self, n_rows: int) -> Slopes:
        """See :class:`Objective`."""
        return SweptSlopes(self, n_rows)


class SweptSlopes(Slopes):
    """Slopes of all outputs, filled in together with the losses."""

    def __init__(self, objective: SweptObjective, n_rows: int) -> None:
        self.objective = objective
        self.g = np.empty((objective.n_outputs, n_rows), dtype=np.float32)
        self.h = np.empty_like(self.g) if objective.has_curvature else None

    def move(self, raw: Floats) -> float:
        """See :class:`Slopes`."""
        return self.objective.sweep(raw, self.g, self.h)

    def of(self, k: int, raw: Floats) -> tuple[Singles, Singles | None]:
        """See :class:`Slopes`."""
        return self.g[k], None if self.h is None else self.h[k]


@dataclass(frozen=True)
class SquaredObjective(SweptObjective):
    """Half the squared error: the slopes are residuals."""

    y: Floats
    weight: Floats | None
    n_threads: int = 1

    @property
    def has_curvature(self) -> bool:
        """Only weights make a difference."""
        return self.weight is not None

    @property
    def bends(self) -> bool:
        """Never."""
        return False

    def part(self, rows: NDArray[Any]) -> Objective:
        """See :class:`Objective`."""
        return replace(self, y=self.y[rows], weight=some_of(self.weight, rows))

    @property
    def total_weight(self) -> float:
        """See :class:`Objective`."""
        return total_of(self.weight, len(self.y))

    @property
    def loss_scale(self) -> float:
        """As scikit-learn reports it."""
        return 2.0

    def start(self) -> Floats:
        """Mean of the target."""
        return np.array([np.average(self.y, weights=self.weight)])

    def sweep(self, raw: Floats, g: Singles, h: Singles | None) -> float:
        """See :class:`SweptObjective`."""
        curvature = None if h is None else h[0]
        return squared_slopes(self.y, raw[0], self.weight, g[0], curvature, self.n_threads)


@dataclass(frozen=True)
class LogisticObjective(SweptObjective):
    """Logistic loss of two classes, coded 0 and 1; the score is the logarithm of the odds."""

    y: Floats
    weight: Floats | None
    n_threads: int = 1

    def part(self, rows: NDArray[Any]) -> Objective:
        """See :class:`Objective`."""
        return replace(self, y=self.y[rows], weight=some_of(self.weight, rows))

    @property
    def total_weight(self) -> float:
        """See :class:`Objective`."""
        return total_of(self.weight, len(self.y))

    @property
    def loss_scale(self) -> float:
        """As scikit-learn reports it."""
        return 2.0

    def start(self) -> Floats:
        """Log-odds of the second class."""
        p = np.clip(np.average(self.y, weights=self.weight), SMALLEST, 1 - SMALLEST)
        return np.array([np.log(p / (1 - p))])

    def sweep(self, raw: Floats, g: Singles, h: Singles | None) -> float:
        """See :class:`SweptObjective`."""
        if h is None:
            raise ValueError("LogisticObjective: curvatures are needed")
        return logistic_slopes(self.y, raw[0], self.weight, g[0], h[0], self.n_threads)

    @property
    def calm(self) -> float:
        """See :class:`Objective`."""
        return DOUBLES

    def row_losses(self, k: int, raw: Floats, rows: NDArray[Any], shift: Floats) -> Floats:
        """See :class:`Objective`."""
        scores = raw[0][rows] + shift
        return np.asarray(np.logaddexp(0.0, scores) - self.y[rows] * scores)


@dataclass(frozen=True)
class LossObjective(SweptObjective):
    """Any loss of one score; several losses side by side get an output each.

    Where the loss has no curvature to speak of, the leaves are given the values that minimise it
    (tree.15: the line search of every leaf). With ``huber_level`` the loss is Huber's, which
    squares this share of the residuals, chosen anew for every stage.
    """

    each: tuple[Loss, ...]
    y: Floats
    weight: Floats | None
    huber_level: float | None = None

    @property
    def n_outputs(self) -> int:
        """One per loss."""
        return len(self.each)

    @property
    def newton(self) -> bool:
        """Whether steps use the curvature of the loss."""
        return isinstance(self.each[0], _NEWTON)

    @property
    def bends(self) -> bool:
        """Where steps use it."""
        return self.newton

    @property
    def calm(self) -> float:
        """See :class:`Objective`."""
        return DOUBLES / getattr(self.each[0], "beta", 1.0) if self.newton else np.inf

    def row_losses(self, k: int, raw: Floats, rows: NDArray[Any], shift: Floats) -> Floats:
        """See :class:`Objective`."""
        return self.each[k].value(raw[k][rows] + shift, self.y[rows])

    @property
    def refits(self) -> bool:
        """Where the curvature says nothing."""
        return not self.newton

    @property
    def has_curvature(self) -> bool:
        """Newton's steps do, and weights."""
        return self.newton or self.weight is not None

    def part(self, rows: NDArray[Any]) -> Objective:
        """See :class:`Objective`."""
        return replace(self, y=self.y[rows], weight=some_of(self.weight, rows))

    @property
    def total_weight(self) -> float:
        """See :class:`Objective`."""
        return total_of(self.weight, len(self.y))

    def restated(self, raw: Floats) -> Objective:
        """See :class:`Objective`."""
        if self.huber_level is None:
            return self
        return replace(self, each=(huber_of(self.y - raw[0], self.weight, self.huber_level),))

    def start(self) -> Floats:
        """Best constant of each loss."""
        rows, starts = np.arange(len(self.y)), np.array([0, len(self.y)])
        zero = np.zeros(len(self.y))
        return np.array(
            [best_constants(loss, self.y, zero, self.weight, rows, starts)[0] for loss in self.each]
        )

    def sweep(self, raw: Floats, g: Singles, h: Singles | None) -> float:
        """See :class:`SweptObjective`."""
        total = 0.0
        for k, loss in enumerate(self.each):
            value, slope, bend = loss.sweep(raw[k], self.y, self.weight, curvature=self.newton)
            g[k] = slope
            if h is not None:
                h[k] = self.weight if bend is None else bend
            total += value
        return total

    def leaf_values(
        self,
        k: int,
        raw: Floats,
        weight: Floats | None,
        rows: NDArray[np.uint32],
        starts: Indices,
    ) -> Floats:
        """See :class:`Objective`."""
        return best_constants(self.each[k], self.y, raw[k], weight, rows, starts)


def huber_of(residual: Floats, weight: Floats | None, level: float) -> losses.Huber:
    """Huber's loss that squares the given share of the residuals.

    Examples
    --------
    >>> huber_of(np.array([1.0, -2.0, 5.0, 0.5]), None, 0.75)
    Huber(delta=3.5)
    """
    delta = weighted_quantile(np.abs(residual), weight, level)
    return losses.Huber(max(delta, _SMALLEST_DELTA))


def some_of(weight: Floats | None, rows: NDArray[Any]) -> Floats | None:
    """Weights of some of the rows."""
    return None if weight is None else weight[rows]


def total_of(weight: Floats | None, n: int) -> float:
    """Weight of all rows."""
    return float(n if weight is None else weight.sum())
