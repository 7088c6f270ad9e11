"""The softmax loss of many classes: a row keeps one number for all of them, and its scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from margin.core.types import Floats, Ints
from margin.ensemble.boosting._objective import (
    DOUBLES,
    SMALLEST,
    Objective,
    Singles,
    Slopes,
    some_of,
    total_of,
)
from margin.native.trees.boosting import class_slopes, softmax_losses


@dataclass(frozen=True)
class SoftmaxObjective(Objective):
    """Softmax loss of classes 0, 1, …; a tree per class and stage."""

    y: Ints
    weight: Floats | None
    n_classes: int
    n_threads: int = 1

    @property
    def n_outputs(self) -> int:
        """One per class."""
        return self.n_classes

    def part(self, rows: NDArray[Any]) -> Objective:
        """See :class:`Objective`."""
        return replace(self, y=self.y[rows], weight=some_of(self.weight, rows))

    @property
    def total_weight(self) -> float:
        """See :class:`Objective`."""
        return total_of(self.weight, len(self.y))

    def start(self) -> Floats:
        """Logarithms of the shares of the classes, their mean taken off."""
        share = np.bincount(self.y, self.weight, minlength=self.n_outputs)
        scores = np.log(np.maximum(share / share.sum(), SMALLEST))
        return np.asarray(scores - scores.mean())

    def slopes(self, n_rows: int) -> Slopes:
        """See :class:`Objective`."""
        return SoftmaxSlopes(self, n_rows)

    @property
    def calm(self) -> float:
        """See :class:`Objective`."""
        return DOUBLES

    def row_losses(self, k: int, raw: Floats, rows: NDArray[Any], shift: Floats) -> Floats:
        """See :class:`Objective`."""
        scores = raw[:, rows]
        scores[k] += shift
        return np.asarray(logsumexp(scores, axis=0) - scores[self.y[rows], np.arange(len(rows))])


class SoftmaxSlopes(Slopes):
    """Slopes of one class at a time, from the scores and what their exponentials sum to.

    A row costs 16 bytes for any number of classes.
    """

    def __init__(self, objective: SoftmaxObjective, n_rows: int) -> None:
        self.objective = objective
        self.log_sum = np.empty(n_rows)
        self.g, self.h = np.empty((2, n_rows), dtype=np.float32)

    def move(self, raw: Floats) -> float:
        """See :class:`Slopes`."""
        at = self.objective
        return softmax_losses(at.y, raw, at.weight, self.log_sum, at.n_threads)

    def of(self, k: int, raw: Floats) -> tuple[Singles, Singles | None]:
        """See :class:`Slopes`."""
        at, outputs = self.objective, self.objective.n_outputs
        # The scores of K classes have K - 1 degrees of freedom (Friedman 2001).
        bend = outputs / (outputs - 1)
        sums = self.log_sum
        class_slopes(k, at.y, raw[k], sums, at.weight, bend, self.g, self.h, at.n_threads)
        return self.g, self.h
