"""Classes with an order, by questions of the kind "more than this level?"."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression

from margin.core.types import Array, Floats

_TINY = 1e-12


class OrderedClassifier(ClassifierMixin, BaseEstimator):
    r"""Probabilities of ordered classes from classifiers of :math:`y > k`, one for each level.

    .. math:: p(y = k) = p(y > k - 1) - p(y > k)

    with the right side made to fall with ``k``, so that no probability is negative.

    Parameters
    ----------
    estimator : classifier, optional
        Tells two classes apart, with ``predict_proba``; logistic regression when absent.
    levels : sequence, optional
        The classes from lowest to highest; sorted labels when absent.

    Attributes
    ----------
    classes_ : ndarray
        Labels, sorted.
    estimators_ : list of classifiers
        One for each level but the highest.

    References
    ----------
    Frank and Hall, "A simple approach to ordinal classification", ECML 2001.

    Examples
    --------
    >>> x = np.linspace(0, 3, 90, endpoint=False)
    >>> model = OrderedClassifier().fit(x[:, None], x.astype(int))
    >>> model.predict([[0.2], [1.5], [2.8]])
    array([0, 1, 2])
    """

    def __init__(self, estimator: Any = None, *, levels: Any = None) -> None:
        self.estimator = estimator
        self.levels = levels

    def fit(self, X: Any, y: Any) -> Self:
        """Fit a classifier for every question."""
        y = np.asarray(y)
        classes = np.unique(y)
        known = classes.tolist() if self.levels is None else list(self.levels)
        order = [known.index(label) for label in classes.tolist()]
        rank = np.array(order)[np.searchsorted(classes, y)]
        steps = np.unique(rank)
        base = LogisticRegression(max_iter=1000) if self.estimator is None else self.estimator
        self.estimators_ = [clone(base).fit(X, rank > step) for step in steps[:-1]]
        self.places_ = np.searchsorted(steps, order)
        self.classes_ = classes
        self.n_features_in_ = np.shape(X)[1]
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return probabilities of the classes, in the order of ``classes_``."""
        above = [e.predict_proba(X)[:, 1] for e in self.estimators_]
        ones = np.ones(np.shape(X)[0])
        falling = np.minimum.accumulate(np.column_stack([ones, *above]), axis=1)
        chance = np.maximum(falling - np.column_stack([falling[:, 1:], 0 * ones]), _TINY)
        chance /= chance.sum(axis=1, keepdims=True)
        return np.asarray(chance[:, self.places_])

    def predict(self, X: Any) -> Array:
        """Return the most probable class."""
        return np.asarray(self.classes_[np.argmax(self.predict_proba(X), axis=1)])
