"""The winner against a model from before, on the same test rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Array
from margin.evaluation.resamples._draws import MOST
from margin.evaluation.table._metric import Metric
from margin.evaluation.table._shown import shown, signed
from margin.evaluation.verdict._intervals import score_interval
from margin.evaluation.verdict._paired import PairedTest
from margin.evaluation.verdict._row_test import row_test

_CLEAR = 0.05


@dataclass(frozen=True)
class Against:
    """An earlier model on the test rows, and the new winner minus it.

    Parameters
    ----------
    model : str
        Name of the earlier model.
    score : float
        Its score on the test rows.
    interval : tuple of float
        95 % confidence interval of that score.
    test : PairedTest
        The new winner minus the earlier model, over the test rows.
    """

    model: str
    score: float
    interval: tuple[float, float]
    test: PairedTest

    @property
    def text(self) -> str:
        """Whether the new model should replace the earlier one, in words."""
        low, high = self.interval
        first = (
            f"the earlier model ({self.model}) scores {shown(self.score)} on these test rows "
            f"(95 % interval {shown(low)} to {shown(high)})"
        )
        gain, p = self.test.difference, self.test.p_value
        if not p < _CLEAR:
            return f"{first}; the new one is not clearly better or worse ({signed(gain)})"
        verb = "better" if gain > 0 else "worse"
        chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
        return f"{first}; the new one is {verb} by {shown(abs(gain))} ({chance}, paired over rows)"


def against(
    name: str,
    model: Any,
    X: Any,
    y: Array,
    answers: Array,
    metric: Metric,
    *,
    seed: int,
    resamples: int = MOST,
) -> Against:
    """Judge an earlier model on the test rows beside the winner's answers there.

    Parameters
    ----------
    name : str
        Name of the earlier model.
    model : fitted pipeline
        Takes the raw table.
    X, y : DataFrame, ndarray
        Test rows, with all columns of the table.
    answers : ndarray
        The winner's, as the metric takes them.
    metric : Metric
        The score.
    seed : int
        Seed of resamples.
    resamples : int
        How many.
    """
    earlier = _answers(model, X, metric)
    return Against(
        name,
        metric(y, earlier),
        score_interval(metric, y, earlier, seed=seed, resamples=resamples),
        row_test(metric, y, answers, earlier, seed=seed, resamples=resamples),
    )


def _answers(model: Any, X: Any, metric: Metric) -> Array:
    """Answers of a model that may know other classes than this table has."""
    if metric.of_probabilities and hasattr(model, "predict_proba"):
        known = np.asarray(model.classes_).tolist()
        p = np.asarray(model.predict_proba(X), dtype=np.float64)
        columns = [
            p[:, known.index(label)] if label in known else np.zeros(len(p))
            for label in metric.classes
        ]
        return np.column_stack(columns)
    answers = metric.answers(model, X)
    if metric.name == "cost":
        # an answer that this table has no class for counts as the dearest one
        strange = ~np.isin(answers, list(metric.classes))
        if strange.any():
            dearest = int(np.argmax(np.asarray(metric.costs).sum(axis=0)))
            answers = np.where(strange, metric.classes[dearest], answers)
    return answers
