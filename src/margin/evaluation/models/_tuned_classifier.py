"""A classifier whose weights and threshold follow the score it is judged by."""

from __future__ import annotations

import inspect
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import get_tags

from margin.core import available_if, check
from margin.core.types import Array, Floats, Places
from margin.evaluation.models._rule import Rule, tuned_rule
from margin.evaluation.models._seeded import seeded
from margin.evaluation.table._metric import Metric
from margin.evaluation.table._split import holdout

# With this many rows of the rarest class one part of the rows tells the threshold.
_ENOUGH = 200


def _has_probabilities(self: Any) -> bool:
    return hasattr(getattr(self, "estimator_", self.estimator), "predict_proba")


def _has_decisions(self: Any) -> bool:
    return hasattr(getattr(self, "estimator_", self.estimator), "decision_function")


class TunedClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Any classifier, with classes weighed and answers decided for a given score.

    The classes are weighed equally or as they come; what is answered then depends on a threshold
    (two classes) or on factors of the classes (more), chosen on predictions for rows that the
    model was not fitted to: three folds, or a third of the rows where the rarest class has at
    least 200.

    Parameters
    ----------
    estimator : classifier
        Unfitted. Without probabilities and decision values only the weights are tuned.
    metric : Metric
        The score.
    weights : {"none", "balanced"}
        Weights of the classes in the fit, through ``sample_weight``, ``class_weight`` or
        ``priors``, whichever the classifier has.
    random_state : int
        Seed of the folds, and of the classifier where it takes one.

    Attributes
    ----------
    classes_ : ndarray
        Labels.
    estimator_ : classifier
        Fitted on all rows.
    rule_ : Rule or None
        How answers are decided; ``None`` leaves it to the classifier.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> x = np.r_[np.linspace(0, 1, 90), np.linspace(0.5, 1.5, 10)]
    >>> y = np.repeat([0, 1], [90, 10])
    >>> metric = Metric("balanced accuracy", (0, 1), 1)
    >>> plain = LogisticRegression().fit(x[:, None], y)
    >>> tuned = TunedClassifier(LogisticRegression(), metric).fit(x[:, None], y)
    >>> bool(metric(y, tuned.predict(x[:, None])) > metric(y, plain.predict(x[:, None])) + 0.2)
    True
    """

    def __init__(
        self,
        estimator: Any,
        metric: Metric,
        *,
        weights: str = "none",
        random_state: int | None = 0,
    ) -> None:
        self.estimator = estimator
        self.metric = metric
        self.weights = weights
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        """Return the tags of the classifier inside."""
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags, tags.classifier_tags = inner.input_tags, inner.classifier_tags
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Tune the rule on rows held out, then fit the classifier to all rows."""
        if self.weights not in ("none", "balanced"):
            raise check.fail("TunedClassifier", "weights", "'none' or 'balanced'", self.weights)
        X, y = np.asarray(X), np.asarray(y)
        classes = np.unique(y)
        rule = self._rule(X, y, classes)
        self.estimator_ = fit_weighed(self._fresh(), X, y, self.weights)
        self.classes_, self.rule_ = classes, rule
        return self

    def _fresh(self) -> Any:
        return seeded(clone(self.estimator), self.random_state)

    def _rule(self, X: Any, y: Array, classes: Array) -> Rule | None:
        able = hasattr(self.estimator, "predict_proba") or (
            len(classes) == 2 and hasattr(self.estimator, "decision_function")
        )
        counts = np.unique(y, return_counts=True)[1]
        if not able or len(classes) < 2 or counts.min() < 2:
            return None
        values = np.full((len(y), len(classes)), np.nan)
        for train, test in _parts(y, int(counts.min()), self.random_state or 0):
            part = fit_weighed(self._fresh(), X[train], y[train], self.weights)
            if len(part.classes_) == len(classes):
                values[test] = believed(part, X[test])
        known = ~np.isnan(values).any(axis=1)
        if len(np.unique(y[known])) < len(classes):
            return None
        return tuned_rule(self.metric, classes, y[known], values[known])

    def predict(self, X: Any) -> Array:
        """Return the answers that the rule gives."""
        if self.rule_ is None:
            return np.asarray(self.estimator_.predict(X))
        return np.asarray(self.classes_[self.rule_.answers(believed(self.estimator_, X))])

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the classifier inside."""
        return np.asarray(self.estimator_.predict_proba(X))

    @available_if(_has_decisions)
    def decision_function(self, X: Any) -> Floats:
        """Return the decision values of the classifier inside."""
        return np.asarray(self.estimator_.decision_function(X))

    @property
    def fit_report_(self) -> Any:
        """The report of the classifier inside, where it has one."""
        return getattr(self.estimator_, "fit_report_", None)

    @property
    def n_features_in_(self) -> int:
        """Columns that the classifier was fitted to."""
        return int(self.estimator_.n_features_in_)


def believed(model: Any, X: Any) -> Floats:
    """Probabilities of a fitted classifier, or of two classes its decision values."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X), dtype=np.float64)
    value = np.asarray(model.decision_function(X), dtype=np.float64)
    return np.column_stack([-value, value])


def takes_weights(estimator: Any) -> bool:
    """Whether a classifier can weigh its classes at all."""
    names = estimator.get_params(deep=False)
    return _takes_sample_weight(estimator) or "class_weight" in names or "priors" in names


def fit_weighed(estimator: Any, X: Any, y: Array, weights: str) -> Any:
    """Fit a classifier, its classes weighed equally if asked for and possible; returns it."""
    if weights == "none":
        return estimator.fit(X, y)
    names = estimator.get_params(deep=False)
    classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if _takes_sample_weight(estimator):
        each = len(y) / (len(classes) * counts)
        return estimator.fit(X, y, sample_weight=each[codes])
    if "class_weight" in names:
        return estimator.set_params(class_weight="balanced").fit(X, y)
    if "priors" in names:
        equal = np.full(len(classes), 1 / len(classes))
        return estimator.set_params(priors=equal).fit(X, y)
    return estimator.fit(X, y)


def _takes_sample_weight(estimator: Any) -> bool:
    return "sample_weight" in inspect.signature(estimator.fit).parameters


def _parts(y: Array, rarest: int, seed: int) -> list[tuple[Places, Places]]:
    if rarest >= _ENOUGH:
        split = holdout(y, test_size=1 / 3, stratify=True, seed=seed)
        return [(split.train, split.test)]
    folds = StratifiedKFold(min(3, rarest), shuffle=True, random_state=seed)
    return list(folds.split(np.zeros(len(y)), y))
