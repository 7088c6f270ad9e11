"""One class against the rest, fitted by stochastic gradient descent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin import optim
from margin.core import DistinctRows
from margin.core.types import Array, Floats, Places
from margin.linear._class_labels import class_factors
from margin.linear.online._holdout import Part
from margin.linear.online._sgd_fit import Task
from margin.linear.online._sgd_settings import Settings


@dataclass(frozen=True)
class BinaryProblems:
    """The binary problems of some classes: one for two classes, one per class for more.

    Parameters
    ----------
    settings : Settings
    labels : ndarray of shape (n_classes,)
        Labels in sorted order.
    class_weight : dict, "balanced" or None
        Weights of the classes.
    whole : bool
        Whether the rows are all there are, not a batch of a stream.
    """

    settings: Settings
    labels: Array
    class_weight: Any = None
    whole: bool = True

    @property
    def number(self) -> int:
        """How many there are."""
        return 1 if len(self.labels) == 2 else len(self.labels)

    def positive(self, k: int) -> int:
        """Class that the ``k``-th problem tells from the others."""
        return 1 if len(self.labels) == 2 else k

    def starts(self, n_features: int, coef: Array | None, intercept: Any) -> list[Floats]:
        """A start per problem: zeros, or the coefficients of an earlier fit that suit."""
        size = n_features + int(self.settings.fit_intercept)
        if coef is None or coef.shape != (self.number, n_features):
            return [np.zeros(size) for _ in range(self.number)]
        both = np.column_stack([coef, intercept]).astype(np.float64)
        return [np.ascontiguousarray(row[:size]) for row in both]

    def rows(self, X: Any, codes: Places, table: DistinctRows, k: int) -> optim.RowSum:
        """Objective of the ``k``-th problem."""
        sign = np.where(codes == self.positive(k), 1.0, -1.0)
        target = np.maximum(sign, 0.0) if self.settings.loss == "log_loss" else sign
        factor = class_factors(self.class_weight, self.labels, codes)
        return self.settings.rows(X, target, table, factor, whole=self.whole)

    def tasks(
        self, rows: Part, table: DistinctRows, starts: Sequence[Floats], kept: Part | None = None
    ) -> list[Task]:
        """One task per problem; with rows set aside, their errors are watched.

        Of the perceptron loss, which is lowest at zero, the training errors are watched.
        """
        seen = kept
        if kept is None and self.settings.loss == "perceptron" and self.whole:
            factor = class_factors(self.class_weight, self.labels, rows.y)
            weight = (
                rows.weight
                if factor is None
                else factor * (1.0 if rows.weight is None else rows.weight)
            )
            seen = Part(rows.X, rows.y, weight)
        return [
            Task(
                self.rows(rows.X, rows.y, table, k),
                start,
                monitor=None if seen is None else self.monitor(seen, k),
            )
            for k, start in enumerate(starts)
        ]

    def monitor(self, kept: Part, k: int) -> Callable[[Floats], float]:
        """Share of errors of the ``k``-th problem on the rows set aside."""
        intercept, X, positive = self.settings.fit_intercept, kept.X, kept.y == self.positive(k)
        perceptron = self.settings.loss == "perceptron"

        def errors(x: Floats) -> float:
            if perceptron and not x[: X.shape[1]].any():
                return 1.0  # zeros, at which its search begins and would like to end, say nothing
            scores = np.asarray(X @ x[: X.shape[1]]) + (x[-1] if intercept else 0.0)
            return float(np.average((scores > 0) != positive, weights=kept.weight))

        return errors
