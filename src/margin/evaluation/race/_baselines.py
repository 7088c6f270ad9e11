"""What a model must beat to be worth having."""

from __future__ import annotations

from dataclasses import dataclass

from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from margin.evaluation.table._column_info import TaskName
from margin.evaluation.table._shown import shown

RULE = "depth-1 rule"


def baselines(task: TaskName, *, guess: bool = False) -> dict[str, BaseEstimator]:
    """Honest baselines by name, unfitted (evaluation.07).

    The constant answer (most frequent class, or mean) and the best rule with one question
    (a decision tree of depth 1).

    Parameters
    ----------
    task : {"classification", "regression"}
        What is predicted.
    guess : bool
        Add random guessing with the frequencies of the classes.

    Examples
    --------
    >>> list(baselines("classification")), list(baselines("regression"))
    (['majority class', 'depth-1 rule'], ['mean', 'depth-1 rule'])
    """
    if task == "regression":
        return {"mean": DummyRegressor(), RULE: DecisionTreeRegressor(max_depth=1, random_state=0)}
    constant: dict[str, BaseEstimator] = {"majority class": DummyClassifier(strategy="prior")}
    if guess:
        constant["stratified guess"] = DummyClassifier(strategy="stratified", random_state=0)
    constant[RULE] = DecisionTreeClassifier(max_depth=1, random_state=0)
    return constant


@dataclass(frozen=True)
class Improvement:
    """How far a score lies above a baseline, in terms a person can weigh.

    Parameters
    ----------
    score, baseline : float
        Scores of the model and of the baseline, higher being better.
    n_test : int
        Test rows behind the scores.
    human : float or None
        Score a person reaches on the same task, if known.
    perfect : float
        The best possible score.

    Examples
    --------
    >>> gain = Improvement(0.95, 0.75, n_test=200, human=0.97)
    >>> round(gain.gain, 2), round(gain.errors_removed, 2), gain.examples
    (0.2, 0.8, 40)
    >>> gain.text
    '0.200 above the baseline, 80 % of the way to perfect and 91 % of the way to a person'
    """

    score: float
    baseline: float
    n_test: int
    human: float | None = None
    perfect: float = 1.0

    @property
    def gain(self) -> float:
        """Score minus the baseline's."""
        return self.score - self.baseline

    @property
    def errors_removed(self) -> float:
        """Share of the distance between baseline and perfection that is covered."""
        room = self.perfect - self.baseline
        return self.gain / room if room > 0 else 0.0

    @property
    def examples(self) -> int:
        """Test rows that the gain amounts to (exact for accuracy)."""
        return round(self.gain * self.n_test)

    @property
    def to_human(self) -> float | None:
        """Share of the distance between baseline and a person that is covered."""
        if self.human is None or self.human == self.baseline:
            return None
        return self.gain / (self.human - self.baseline)

    @property
    def text(self) -> str:
        """The improvement in one line."""
        if shown(self.gain) == shown(0.0):
            return "no better than the baseline"
        if self.gain < 0:
            return f"{shown(-self.gain)} below the baseline"
        way = f"{self.errors_removed:.0%} of the way to perfect"
        text = f"{shown(self.gain)} above the baseline, {way}"
        if self.to_human is not None:
            text += f" and {self.to_human:.0%} of the way to a person"
        return text.replace("%", " %")
