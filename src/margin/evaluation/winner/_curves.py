"""What a threshold trades: ROC and precision–recall curves, with the point that was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import metrics

from margin.core.types import Array, Floats

_MOST_POINTS = 400
# More lines than this tell nothing.
MOST_CLASSES = 12


@dataclass(frozen=True, eq=False)
class DecisionCurves:
    """ROC and precision–recall curves of one class on the test rows.

    Parameters
    ----------
    positive : object
        The class that is found or missed.
    false_positive_rate, true_positive_rate : ndarray
        The ROC curve, from (0, 0) to (1, 1).
    recall, precision : ndarray
        The precision–recall curve, from the highest recall to none.
    roc_auc, average_precision : float
        Areas under them.
    share : float
        Share of the class: the precision of guessing.
    threshold : float or None
        Least probability at which the class is answered; ``None`` when no threshold decides.
    chosen : tuple of float
        False positive rate, true positive rate (recall) and precision of the answers.
    calibrated : bool
        Whether the threshold is one of calibrated probabilities.
    """

    positive: Any
    false_positive_rate: Floats
    true_positive_rate: Floats
    recall: Floats
    precision: Floats
    roc_auc: float
    average_precision: float
    share: float
    threshold: float | None
    chosen: tuple[float, float, float]
    calibrated: bool = False

    @property
    def text(self) -> str:
        """The chosen point in words."""
        fpr, recall, precision = self.chosen
        where = ""
        if self.threshold is not None:
            scale = " of the calibrated probability" if self.calibrated else ""
            where = f"At the threshold {self.threshold:.3g}{scale}, "
        start = where or "By the answers given, "
        if recall == fpr == 0:
            return f"{start}no row is taken for {self.positive}."
        caught = f"{recall:.0%} of the rows with {self.positive} are found"
        false = f"{precision:.0%} of the alarms are right, {fpr:.1%} of the others raise one"
        return f"{start}{caught}, {false}.".replace("%", " %")


def decision_curves(
    y: Array,
    value: Floats,
    answers: Array,
    *,
    positive: Any,
    threshold: float | None = None,
    calibrated: bool = False,
) -> DecisionCurves | None:
    """Curves of one class over all thresholds; ``None`` where only one kind of row is there.

    Parameters
    ----------
    y : ndarray
        The truth.
    value : ndarray
        Probability, or another value that grows with it, of the positive class.
    answers : ndarray
        What was answered.
    positive : object
        The class.
    threshold : float, optional
        The threshold that decided the answers.
    calibrated : bool
        Whether values and threshold are calibrated probabilities.

    Examples
    --------
    >>> y, value = np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.35, 0.8])
    >>> curves = decision_curves(y, value, (value > 0.3).astype(int), positive=1, threshold=0.3)
    >>> curves.roc_auc, curves.chosen
    (0.75, (0.5, 1.0, 0.6666666666666666))
    """
    hit = y == positive
    if hit.all() or not hit.any():
        return None
    fpr, tpr, _ = metrics.roc_curve(hit, value, drop_intermediate=True)
    precision, recall, _ = metrics.precision_recall_curve(hit, value, drop_intermediate=True)
    alarm = answers == positive
    right = float((alarm & hit).sum())
    chosen = (
        float((alarm & ~hit).sum() / (~hit).sum()),
        right / float(hit.sum()),
        right / float(alarm.sum()) if alarm.any() else 0.0,
    )
    return DecisionCurves(
        positive,
        *_thinned(fpr, tpr),
        *_thinned(recall, precision),
        float(metrics.roc_auc_score(hit, value)),
        float(metrics.average_precision_score(hit, value)),
        float(hit.mean()),
        threshold,
        chosen,
        calibrated,
    )


def _thinned(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """At most 400 points of a curve, its ends kept."""
    kept = np.unique(np.linspace(0, len(x) - 1, min(len(x), _MOST_POINTS)).astype(int))
    return np.asarray(x[kept]), np.asarray(y[kept])
