"""What the winner answers, as one number per row to explain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.evaluation.table._metric import Metric


@dataclass(frozen=True)
class Outcome:
    """A fitted pipeline as a function from rows to numbers.

    Parameters
    ----------
    model : Pipeline
        Takes the raw table.
    place : int or None
        Column of the probabilities; ``None`` for a regression or a class that is answered.
    label : object
        The class, where there is one.
    name : str
        What the numbers are, for a reader.
    """

    model: Any
    place: int | None
    label: Any
    name: str

    def __call__(self, X: Any) -> Floats:
        """Return the number of every row."""
        if self.place is not None:
            return np.asarray(self.model.predict_proba(X), dtype=np.float64)[:, self.place]
        answers = np.asarray(self.model.predict(X))
        return np.asarray(answers if self.label is None else answers == self.label, dtype=float)


def outcome(model: Any, metric: Metric, target: str, *, classification: bool) -> Outcome:
    """The prediction of a regression; the probability of the positive class, or being answered.

    The positive class of more than two is the rarest.
    """
    if not classification:
        return Outcome(model, None, None, target)
    classes = np.asarray(model.classes_).tolist()
    label = metric.positive if metric.positive in classes else classes[-1]
    if hasattr(model, "predict_proba"):
        return Outcome(model, classes.index(label), label, f"probability of {target} = {label}")
    return Outcome(model, None, label, f"share answered {target} = {label}")
