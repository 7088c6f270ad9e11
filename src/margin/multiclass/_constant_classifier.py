"""The classifier of a side that is always the same."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import _num_samples, check_is_fitted

from margin.core import FitReport, Status
from margin.core.types import Array, Floats


class ConstantClassifier(ClassifierMixin, BaseEstimator):
    """Says what it saw, whatever it is asked: where only one of two answers occurs.

    Attributes
    ----------
    answer_ : int
        Zero or one.
    classes_ : ndarray of shape (2,)
        Zero and one: both have a probability.
    fit_report_ : FitReport
        There was nothing to do.

    Examples
    --------
    >>> model = ConstantClassifier().fit([[0.3], [0.5]], [1, 1])
    >>> model.predict([[9.0]]), model.predict_proba([[9.0]])
    (array([1]), array([[0., 1.]]))
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Keep the one answer there is."""
        self.answer_ = int(np.asarray(y)[0])
        self.classes_ = np.array([0, 1])
        name = type(self).__name__
        self.fit_report_ = FitReport(name, "constant", Status.CONVERGED, 0, 0.0)
        return self

    def predict(self, X: Any) -> Array:
        """The answer for every row."""
        return np.full(self._n_rows(X), self.answer_)

    def decision_function(self, X: Any) -> Floats:
        """One where the answer is yes, else minus one."""
        return np.full(self._n_rows(X), 2.0 * self.answer_ - 1.0)

    def predict_proba(self, X: Any) -> Floats:
        """All the probability on the answer."""
        probability = np.zeros((self._n_rows(X), 2))
        probability[:, self.answer_] = 1.0
        return probability

    def _n_rows(self, X: Any) -> int:
        check_is_fitted(self)
        return int(_num_samples(X))
