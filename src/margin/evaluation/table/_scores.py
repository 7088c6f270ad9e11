"""Scores of labels, numbers and probabilities, as functions of plain arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn import metrics

from margin.core.types import Array, Floats

_SMALLEST = 1e-15
_SMALLEST_RATE = 1e-3


class Stakes(NamedTuple):
    """The classes in order, the one that matters most, and what wrong answers cost."""

    classes: tuple[Any, ...] = ()
    positive: Any = None
    costs: tuple[tuple[float, ...], ...] | None = None


def labels_of(of: Stakes, y: Array) -> list[Any]:
    """The classes in order, those of the truth where none are given."""
    return list(of.classes) or np.unique(y).tolist()


def codes_of(of: Stakes, y: Array) -> Any:
    """Labels as their places among the classes."""
    place = {label: i for i, label in enumerate(labels_of(of, y))}
    return np.array([place[label] for label in y.tolist()], dtype=np.intp)


def _f1(of: Stakes, y: Array, guess: Array) -> float:
    labels = labels_of(of, y)
    if len(labels) > 2:
        return float(metrics.f1_score(y, guess, average="macro", zero_division=0.0))
    positive = labels[-1] if of.positive is None else of.positive
    return float(metrics.f1_score(y == positive, guess == positive, zero_division=0.0))


def _one_against_rest(score: Any) -> Any:
    def mean(of: Stakes, y: Array, value: Floats) -> float:
        """Of two classes the score of the positive one, of more the mean over those present."""
        labels = labels_of(of, y)
        chosen = labels
        if len(labels) == 2:
            chosen = [labels[-1] if of.positive is None else of.positive]
        parts = [(y == label, value[:, labels.index(label)]) for label in chosen]
        usable = [score(hit, column) for hit, column in parts if hit.any() and not hit.all()]
        return float(np.mean(usable)) if usable else float("nan")

    return mean


def _auc(hit: Array, value: Floats) -> float:
    return float(metrics.roc_auc_score(hit, np.nan_to_num(value, neginf=-1e300)))


def _average_precision(hit: Array, value: Floats) -> float:
    return float(metrics.average_precision_score(hit, np.nan_to_num(value, neginf=-1e300)))


def _log_loss(of: Stakes, y: Array, probability: Floats) -> float:
    own = probability[np.arange(len(y)), codes_of(of, y)]
    return float(-np.log(np.clip(own, _SMALLEST, 1.0)).mean())


def _cost(of: Stakes, y: Array, guess: Array) -> float:
    costs = np.asarray(of.costs, dtype=np.float64)
    return float(costs[codes_of(of, y), codes_of(of, guess)].mean())


def positive_rates(y: Array, guess: Array) -> Floats:
    """Predicted rates of counts, no smaller than a thousandth of the mean count."""
    return np.maximum(guess, _SMALLEST_RATE * max(float(np.mean(y)), _SMALLEST))


def _d2_poisson(_: Stakes, y: Array, guess: Array) -> float:
    return float(metrics.d2_tweedie_score(y, positive_rates(y, guess), power=1))


SCORES: dict[str, Any] = {
    "accuracy": lambda _, y, guess: np.mean(y == guess),
    "balanced accuracy": lambda _, y, guess: metrics.balanced_accuracy_score(y, guess),
    "F1": _f1,
    "Matthews correlation": lambda _, y, guess: metrics.matthews_corrcoef(y, guess),
    "ROC AUC": _one_against_rest(_auc),
    "average precision": _one_against_rest(_average_precision),
    "log loss": _log_loss,
    "cost": _cost,
    "R²": lambda _, y, guess: metrics.r2_score(y, guess),
    "D² absolute": lambda _, y, guess: metrics.d2_absolute_error_score(y, guess),
    "D² Poisson": _d2_poisson,
    "MAE": lambda _, y, guess: metrics.mean_absolute_error(y, guess),
    "RMSE": lambda _, y, guess: metrics.root_mean_squared_error(y, guess),
}
