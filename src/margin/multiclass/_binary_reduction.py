"""What the reductions of many classes to two share."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from margin.core import check
from margin.core.types import Array, Floats, Matrix, Places
from margin.multiclass._binary_classifiers import base_classifier
from margin.multiclass._code_matrices import Code
from margin.multiclass._gathered_report import gathered_report
from margin.multiclass._training_cost import TrainingCost


class Examples(NamedTuple):
    """Checked rows, the labels that occur, the class of each row, and weights."""

    X: Any
    labels: Array
    codes: Places
    weight: Floats | None


class BinaryReduction(ClassifierMixin, BaseEstimator, ABC):
    """Many classes by binary classifiers, one for each column of a coding matrix.

    A subclass has the parameters ``estimator``, the classifier to clone, and ``n_jobs``; it fits
    ``classes_``, ``code_`` and ``estimators_``.
    """

    @abstractmethod
    def predict(self, X: Matrix) -> Array:
        """Class of each row."""

    @abstractmethod
    def _doubtful(self, X: Matrix) -> tuple[Array, Array]:
        """Best class of each row as a code, and whether the classifiers do not agree on it."""

    def predict_or_reject(self, X: Matrix, *, reject: Any = None) -> Array:
        """Class on which the classifiers agree, else "don't know" (linear.24).

        One against one the class must win all its duels, one against the rest its classifier alone
        must fire, and in other codes no more may disagree than the code corrects.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        reject : object, default=None
            What stands for "don't know".

        Returns
        -------
        ndarray of object, shape (n_samples,)
        """
        best, doubtful = self._doubtful(X)
        answer = self.classes_[best].astype(object)
        answer[doubtful] = reject
        return np.asarray(answer)

    def _base(self) -> Any:
        """The classifier to clone."""
        return base_classifier(self, self.estimator)

    def _examples(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None) -> Examples:
        """Rows that the base classifier takes, of at least two classes."""
        base = self._base()
        tags = get_tags(base).input_tags
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=tags.sparse, missing=tags.allow_nan
        )
        labels, codes = check.classes(self, y)
        if weight is not None:
            if not has_fit_parameter(base, "sample_weight"):
                need = "a classifier that takes sample_weight when weights are given"
                raise check.fail(self, "estimator", need, self.estimator)
            empty = np.bincount(codes, weights=weight) <= 0
            if empty.any():
                need = f"above 0 for some row of class {labels[empty.argmax()].item()!r}"
                raise check.fail(self, "sample_weight", need, 0)
        return Examples(X, labels, codes, weight)

    def _table(self, X: Matrix) -> Any:
        """Table of a prediction, held against what the base classifier takes."""
        tags = get_tags(self._base()).input_tags
        return check.table(self, X, sparse=tags.sparse, missing=tags.allow_nan)

    def _store(
        self, examples: Examples, code: Code, classifiers: list[Any], notes: tuple[str, ...] = ()
    ) -> None:
        self.classes_, self.code_, self.estimators_ = examples.labels, code, classifiers
        self.training_cost_ = TrainingCost.of(code, np.bincount(examples.codes))
        self.fit_report_ = gathered_report(
            type(self).__name__, classifiers, self.training_cost_, notes
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        try:
            base = get_tags(self._base()).input_tags
        except ValueError:
            return tags
        tags.input_tags.sparse = base.sparse
        tags.input_tags.allow_nan = base.allow_nan
        tags.input_tags.positive_only = base.positive_only
        return tags
