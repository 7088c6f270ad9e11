"""From which probability on a class of two is answered, on the scale that predictions show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Bools, Floats
from margin.evaluation.winner._calibration import Calibration


@dataclass(frozen=True)
class Decision:
    """A class of two, and the least probability at which it is answered.

    Parameters
    ----------
    place : int
        Column of the class.
    label : object
        The class.
    threshold : float
        On the scale of the probabilities that are shown.
    """

    place: int
    label: Any
    threshold: float

    def answers(self, probability: Floats) -> Bools:
        """Whether the class is answered, for rows with a column of probabilities per class."""
        return np.asarray(probability[:, self.place] >= self.threshold)

    @property
    def text(self) -> str:
        """The rule in words.

        Examples
        --------
        >>> Decision(1, "yes", 0.0274).text
        'yes is answered where its probability is at least 0.0274'
        """
        return f"{self.label} is answered where its probability is at least {self.threshold:.3g}"


def decision_of(model: Any, calibration: Calibration | None) -> Decision | None:
    """How a fitted pipeline decides between two classes by its probabilities.

    The threshold that was tuned, else one half, mapped by the calibration: a map that keeps the
    order of the rows, so that the answers stay the same.

    Parameters
    ----------
    model : fitted pipeline
        Of a classification.
    calibration : Calibration or None
        What the probabilities are shown by.

    Returns
    -------
    Decision or None
        ``None`` for other than two classes, or without probabilities.
    """
    if not hasattr(model, "predict_proba") or len(model.classes_) != 2:
        return None
    rule = getattr(model[-1] if hasattr(model, "steps") else model, "rule_", None)
    place, threshold = 1, 0.5
    if rule is not None and rule.threshold is not None:
        place, threshold = rule.positive, rule.threshold
    if calibration is not None:
        pair = np.array([1.0 - threshold, threshold])
        threshold = float(calibration(pair[None, :: 1 if place else -1])[0, place])
    return Decision(place, np.asarray(model.classes_).tolist()[place], float(threshold))
