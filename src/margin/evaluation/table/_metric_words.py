"""What a score measures, in words for somebody who has never met it."""

from __future__ import annotations

from margin.evaluation.table._metric import Metric

_WORDS = {
    "accuracy": "Accuracy is the share of rows with the right answer",
    "balanced accuracy": (
        "Balanced accuracy is the share of right answers within each class, averaged over the "
        "classes: a rare class counts as much as a frequent one, and answering the same for every "
        "row scores {chance:.3f}"
    ),
    "F1": (
        "F1 is the harmonic mean of precision (how many alarms are right) and recall (how many "
        "cases are found){about}"
    ),
    "Matthews correlation": (
        "The Matthews correlation runs from -1 over 0 (no better than chance) to 1 (all right) and "
        "does not depend on how frequent the classes are"
    ),
    "ROC AUC": (
        "ROC AUC is the chance that a row of a class is given a higher probability of it than a "
        "row of another: 0.5 is guessing, 1 perfect order; no threshold is involved"
    ),
    "average precision": (
        "Average precision is the precision{about}, averaged over all thresholds; guessing scores "
        "the share of that class"
    ),
    "log loss": (
        "The score is minus the mean of -log(probability given to what happened): 0 is perfect, "
        "and being sure and wrong costs most"
    ),
    "cost": "The score is minus the mean cost of a row, with {costs}; 0 is perfect",
    "R²": (
        "R² is the share of the target's variance that is explained: 1 is perfect, 0 no better "
        "than the mean"
    ),
    "D² absolute": (
        "D² absolute is the share of the mean absolute error of the median that is removed: 1 is "
        "perfect, 0 no better than the median; a few huge values do not decide it"
    ),
    "D² Poisson": (
        "D² Poisson is the share of the deviance of counts that is explained: 1 is perfect, 0 no "
        "better than the mean; errors weigh more where counts are small"
    ),
    "MAE": "The score is minus the mean absolute error, in units of the target; 0 is perfect",
    "RMSE": (
        "The score is minus the root of the mean squared error, in units of the target; 0 is "
        "perfect, and large errors weigh most"
    ),
}


def explained(metric: Metric, target: str) -> str:
    """The score in a sentence.

    Parameters
    ----------
    metric : Metric
        The score.
    target : str
        Column that is predicted.

    Examples
    --------
    >>> explained(Metric("accuracy"), "y")
    'Accuracy is the share of rows with the right answer.'
    >>> explained(Metric("F1", (0, 1), 1), "fraud")[-23:]
    'of the class fraud = 1.'
    """
    two = len(metric.classes) == 2
    about = f" of the class {target} = {metric.positive}" if two else ", averaged over the classes"
    words = _WORDS[metric.name].format(
        chance=1 / max(len(metric.classes), 2),
        about=about,
        costs=_costs(metric),
    )
    return f"{words}."


def _costs(metric: Metric) -> str:
    parts = [
        f"{cost:g} for {true} answered by {answer}"
        for true, row in zip(metric.classes, metric.costs or (), strict=False)
        for answer, cost in zip(metric.classes, row, strict=True)
        if cost
    ]
    shown = parts if len(parts) <= 4 else [*parts[:3], f"{len(parts) - 3} more"]
    return ", ".join(shown) or "no costs"
