"""The score by which models are compared: higher is better."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.metrics import accuracy_score, balanced_accuracy_score, r2_score

from margin.core.types import Array
from margin.evaluation.table._column_info import TaskName

MetricName = Literal["accuracy", "balanced accuracy", "R²"]
# Two classes count as imbalanced below 20 %, k classes below this share of 1/k.
_IMBALANCE = 0.4


@dataclass(frozen=True)
class Metric:
    """A named score, called with the truth and the prediction.

    Examples
    --------
    >>> Metric("accuracy")([0, 1, 1, 1], [0, 0, 1, 1])
    0.75
    >>> Metric("balanced accuracy")([0, 1, 1, 1], [1, 1, 1, 1])
    0.5
    """

    name: MetricName

    def __call__(self, y_true: Any, y_pred: Any) -> float:
        """Score of the prediction."""
        if self.name == "accuracy":
            return float(accuracy_score(y_true, y_pred))
        if self.name == "R²":
            return float(r2_score(y_true, y_pred))
        with warnings.catch_warnings():
            # A small fold may lack a class; recall is averaged over those it has.
            warnings.filterwarnings("ignore", "y_pred contains classes not in y_true")
            return float(balanced_accuracy_score(y_true, y_pred))


def choose_metric(task: TaskName, y: Array) -> Metric:
    """R² for regression, accuracy for classes of similar size, otherwise balanced accuracy.

    Classes are of similar size when the smallest of ``k`` holds at least 40 % of its fair share
    ``1 / k`` (20 % of the rows for two classes).

    Examples
    --------
    >>> import numpy as np
    >>> choose_metric("classification", np.repeat([0, 1], [10, 90])).name
    'balanced accuracy'
    """
    if task == "regression":
        return Metric("R²")
    counts = np.unique(y, return_counts=True)[1]
    similar = counts.min() / counts.sum() >= _IMBALANCE / len(counts)
    return Metric("accuracy" if similar else "balanced accuracy")
