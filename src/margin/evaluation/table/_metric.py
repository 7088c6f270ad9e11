"""The score by which models are compared: higher is better."""

from __future__ import annotations

import difflib
import warnings
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats
from margin.evaluation.table._column_info import TaskName
from margin.evaluation.table._scores import SCORES, Stakes

ClassMetric = Literal[
    "accuracy",
    "balanced accuracy",
    "F1",
    "Matthews correlation",
    "ROC AUC",
    "average precision",
    "log loss",
    "cost",
]
NumberMetric = Literal["R²", "D² absolute", "D² Poisson", "MAE", "RMSE"]
MetricName = Literal[ClassMetric, NumberMetric]
METRICS: dict[TaskName, tuple[str, ...]] = {
    "classification": get_args(ClassMetric),
    "regression": get_args(NumberMetric),
}
RANKED = frozenset({"ROC AUC", "average precision"})
_OF_PROBABILITIES = RANKED | {"log loss"}
# What people call some of them elsewhere.
ALIASES: dict[str, str] = {
    "auc": "ROC AUC",
    "auroc": "ROC AUC",
    "roc": "ROC AUC",
    "area under the curve": "ROC AUC",
    "ap": "average precision",
    "auprc": "average precision",
    "pr auc": "average precision",
    "mcc": "Matthews correlation",
    "matthews corrcoef": "Matthews correlation",
    "acc": "accuracy",
    "cross entropy": "log loss",
    "logloss": "log loss",
    "nll": "log loss",
    "mse": "RMSE",
    "mean squared error": "RMSE",
    "root mean squared error": "RMSE",
    "mean absolute error": "MAE",
    "explained variance": "R²",
    "poisson deviance": "D² Poisson",
}
# Two classes count as imbalanced below 20 %, k classes below this share of 1/k.
_IMBALANCE = 0.4
# Losses are shown as they are and compared with their sign turned: no loss at all is perfect.
_LOSSES = frozenset({"log loss", "cost", "MAE", "RMSE"})


@dataclass(frozen=True)
class Metric:
    """A named score, called with the truth and the answers of a model.

    Parameters
    ----------
    name : str
        One of :data:`METRICS`. Losses (``"log loss"``, ``"cost"``, ``"MAE"``, ``"RMSE"``) are
        scored with their sign turned, so that higher is better.
    classes : tuple
        Labels in order, the columns of probabilities; those of the truth when empty.
    positive : object
        The class that a score of one class is about (``"F1"``, ``"average precision"``).
    costs : tuple of tuples, optional
        Cost of each answer (column) when each class (row) is true.

    Examples
    --------
    >>> Metric("accuracy")([0, 1, 1, 1], [0, 0, 1, 1])
    0.75
    >>> Metric("balanced accuracy")([0, 1, 1, 1], [1, 1, 1, 1])
    0.5
    >>> Metric("cost", (0, 1), costs=((0, 1), (10, 0)))([0, 1, 1, 0], [0, 0, 1, 1])
    -2.75
    """

    name: MetricName
    classes: tuple[Any, ...] = ()
    positive: Any = None
    costs: tuple[tuple[float, ...], ...] | None = None

    def __call__(self, y_true: Any, answers: Any) -> float:
        """Score of the answers: labels, numbers, or probabilities of the classes."""
        stakes = Stakes(self.classes, self.positive, self.costs)
        with warnings.catch_warnings():
            # A small fold may lack a class; what is averaged over classes is over those it has.
            warnings.simplefilter("ignore")
            score = float(SCORES[self.name](stakes, np.asarray(y_true), np.asarray(answers)))
        return -score if self.name in _LOSSES else score

    @property
    def of_probabilities(self) -> bool:
        """Whether it judges probabilities of classes, not labels."""
        return self.name in _OF_PROBABILITIES

    @property
    def title(self) -> str:
        """Name of what is shown; of a loss the sign is turned, and the name says so."""
        return f"negative {self.name}" if self.name in _LOSSES else self.name

    @property
    def perfect(self) -> float:
        """The best possible score."""
        return 0.0 if self.name in _LOSSES else 1.0

    def answers(self, model: Any, X: Any) -> Array:
        """What a fitted model says of rows, in the form that the score takes.

        Probabilities have one column per class, zero for a class that the model never saw.
        """
        if not self.of_probabilities:
            return np.asarray(model.predict(X))
        if hasattr(model, "predict_proba"):
            return aligned(model.predict_proba(X), model.classes_, self.classes)
        if self.name in RANKED and hasattr(model, "decision_function"):
            value = np.asarray(model.decision_function(X), dtype=float)
            if value.ndim == 1:
                value = np.column_stack([-value, value])
            return aligned(value, model.classes_, self.classes, absent=-np.inf)
        raise ValueError(f"has no probabilities, which {self.name} judges")

    def refuses(self, model: Any) -> str:
        """Why a model cannot be judged by this score, or nothing."""
        if not self.of_probabilities or hasattr(model, "predict_proba"):
            return ""
        if self.name in RANKED and hasattr(model, "decision_function"):
            return ""
        return f"has no probabilities, which {self.name} judges"


def aligned(values: Any, seen: Any, classes: tuple[Any, ...], *, absent: float = 0.0) -> Floats:
    """Columns of ``seen`` classes put into the places of all ``classes``.

    Examples
    --------
    >>> aligned([[0.25, 0.75]], ["a", "c"], ("a", "b", "c"))
    array([[0.25, 0.  , 0.75]])
    """
    values = np.asarray(values, dtype=np.float64)
    if not classes or len(classes) == len(seen):
        return np.asarray(values)
    place = {label: i for i, label in enumerate(classes)}
    full = np.full((len(values), len(classes)), absent)
    full[:, [place[label] for label in np.asarray(seen).tolist()]] = values
    return full


def choose_metric(
    task: TaskName,
    y: Array,
    name: str | None = None,
    *,
    costs: tuple[tuple[float, ...], ...] | None = None,
) -> Metric:
    """R² for regression, accuracy for classes of similar size, otherwise balanced accuracy.

    Classes are of similar size when the smallest of ``k`` holds at least 40 % of its fair share
    ``1 / k`` (20 % of the rows for two classes). The rarer of two classes is the positive one.

    Parameters
    ----------
    task : {"classification", "regression"}
        What is predicted.
    y : ndarray
        The target.
    name : str, optional
        The score that was asked for, by its name in :data:`METRICS`; case does not matter.
    costs : tuple of tuples, optional
        Cost of each answer (column) when each class (row) is true; the score is then the cost.

    Examples
    --------
    >>> import numpy as np
    >>> choose_metric("classification", np.repeat([0, 1], [10, 90])).name
    'balanced accuracy'
    """
    asked = _named(task, name, costs)
    if task == "regression":
        return Metric(asked or "R²")
    labels, counts = np.unique(y, return_counts=True)
    similar = counts.min() / counts.sum() >= _IMBALANCE / len(counts)
    usual: MetricName = "accuracy" if similar else "balanced accuracy"
    # Of equals the later label: 1 of 0 and 1, yes of no and yes.
    positive = labels[len(counts) - 1 - int(np.argmin(counts[::-1]))].item()
    return Metric(asked or usual, tuple(labels.tolist()), positive, costs)


def _meant(task: TaskName, name: str) -> str:
    """A hint what a name that is not known may have meant.

    Examples
    --------
    >>> _meant("classification", "auc"), _meant("classification", "acuracy")
    ("; did you mean 'ROC AUC'?", "; did you mean 'accuracy'?")
    """
    other: TaskName = "regression" if task == "classification" else "classification"
    plain = name.removeprefix("neg ").removesuffix(" score").removesuffix(" macro")
    known = {text.casefold().replace("²", "2"): text for text in METRICS[task] + METRICS[other]}
    close = difflib.get_close_matches(plain, [*ALIASES, *known], n=1, cutoff=0.75)
    if not close:
        return ""
    text = ALIASES.get(close[0]) or known[close[0]]
    if text in METRICS[other]:
        return f"; {text} belongs to a {other}"
    return f"; did you mean {text!r}?"


def _named(task: TaskName, name: str | None, costs: Any) -> Any:
    if costs is not None:
        if task == "regression":
            raise check.fail("compare", "cost", "absent in a regression", costs)
        if name is not None and name.casefold() != "cost":
            raise check.fail("compare", "metric", "'cost' or absent where costs are given", name)
        return "cost"
    if name is None:
        return None
    known = {text.casefold().replace("²", "2"): text for text in METRICS[task]}
    plain = " ".join(name.replace("_", " ").replace("-", " ").split())
    asked = known.get(plain.casefold().replace("²", "2"))
    if asked is None:
        meant = _meant(task, plain.casefold().replace("²", "2"))
        refused = check.fail("compare", "metric", f"one of {', '.join(METRICS[task])}", name)
        raise ValueError(f"{refused}{meant}")
    if asked == "cost":
        raise check.fail("compare", "cost", "given for the metric 'cost'", None)
    return asked
