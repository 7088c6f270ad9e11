"""Answers that are known already, in the shape of a fitted model, so that a scorer can ask them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import check_scoring

from margin.core.types import Floats


class KnownNumbers(RegressorMixin, BaseEstimator):
    """A regressor whose predictions are known."""

    def __init__(self, answers: Any = None) -> None:
        self.answers = answers

    def fit(self, X: Any, y: Any = None) -> KnownNumbers:
        """Nothing is left to learn."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Floats:
        """The answers."""
        return np.asarray(self.answers)


class KnownProbabilities(ClassifierMixin, BaseEstimator):
    """A classifier whose probabilities are known."""

    def __init__(self, answers: Any = None, classes_: Any = None) -> None:
        self.answers = answers
        self.classes_ = classes_

    def fit(self, X: Any, y: Any = None) -> KnownProbabilities:
        """Nothing is left to learn."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict_proba(self, X: Any) -> Floats:
        """The answers."""
        return np.asarray(self.answers)

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class."""
        return np.asarray(self.classes_[np.argmax(self.answers, axis=1)])


def scored(model: Any, scoring: Any, X: Any, y: Any, weight: Floats | None) -> float:
    """Score of known answers, larger is better; weights where the scorer takes them."""
    scorer = check_scoring(model, scoring)
    if weight is None:
        return float(scorer(model, X, y))
    return float(scorer(model, X, y, sample_weight=weight))
