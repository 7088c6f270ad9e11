"""What the reductions of many classes to two share."""

from abc import ABC, abstractmethod
from copy import deepcopy
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import has_fit_parameter

from margin.core import atomic, available_if, check
from margin.core.types import Array, Floats, Matrix, Places
from margin.multiclass._binary_classifiers import advance_column, base_classifier
from margin.multiclass._code_matrices import Code
from margin.multiclass._fit_parameters import routed
from margin.multiclass._gathered_report import gathered_report
from margin.multiclass._handed_on import handed_on, handed_on_data, handed_on_table
from margin.multiclass._training_cost import TrainingCost


class Examples(NamedTuple):
    """Checked rows, the labels that occur, the class of each row, and weights."""

    X: Any
    labels: Array
    codes: Places
    weight: Floats | None


def _has_partial_fit(self: Any) -> bool:
    return callable(self._base().partial_fit)


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

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def get_metadata_routing(self) -> MetadataRouter:
        """Which parameters of ``fit`` and ``partial_fit`` go to the classifiers."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        mapping = mapping.add(caller="partial_fit", callee="partial_fit")
        router = MetadataRouter(owner=type(self).__name__)
        return router.add(estimator=self._base(), method_mapping=mapping)

    @available_if(_has_partial_fit)
    @atomic
    def partial_fit(
        self, X: Matrix, y: ArrayLike, classes: ArrayLike | None = None, **partial_fit_params: Any
    ) -> Self:
        """Let every classifier see a batch of rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), optional
            Every class there is; needed in the first call only.
        **partial_fit_params : dict
            Handed to ``partial_fit`` of the classifiers; what has an entry per row, for their rows.

        Returns
        -------
        self
        """
        base, given = self._base(), routed(self, "partial_fit", partial_fit_params)
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise check.fail(self, "classes", "passed on the first call to partial_fit", None)
        X, y, _ = self._training(X, y, reset=first)
        labels = np.unique(np.asarray(classes)) if first else self.classes_
        codes = self._known_codes(labels, y)

        code = self._fixed_code(len(labels))
        start = [clone(base) for _ in code.T] if first else deepcopy(self.estimators_)
        pairs = zip(start, code.T, strict=True)
        classifiers = [advance_column(each, X, codes, column, given) for each, column in pairs]

        seen = np.bincount(codes, minlength=len(labels))
        self._n_seen = seen if first else self._n_seen + seen
        self._store(labels, code, TrainingCost.of(code, self._n_seen), classifiers)
        return self

    def _fixed_code(self, n_classes: int) -> Code:
        """Code that depends on the number of classes alone."""
        raise AttributeError(f"{type(self).__name__}: partial_fit needs a code known beforehand")

    def _known_codes(self, labels: Array, y: Array) -> Places:
        """Position of every entry of ``y`` among the labels; others are refused."""
        if not np.isin(y, labels).all():
            raise ValueError(
                f"{type(self).__name__}: y must be among the classes: Mini-batch contains "
                f"{np.unique(y)} while {self._subset} {labels}"
            )
        return np.searchsorted(labels, y)

    _n_seen: Places
    _subset = "classes must be subset of"

    def _examples(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None, least: int = 2
    ) -> Examples:
        """Rows, labels and weights, of at least so many classes."""
        X, y, weight = self._training(X, y, sample_weight)
        labels, codes = check.classes(self, y, least=least)
        self._check_weighable(weight)
        if weight is not None:
            empty = np.bincount(codes, weights=weight) <= 0
            if empty.any():
                need = f"above 0 for some row of class {labels[empty.argmax()].item()!r}"
                raise check.fail(self, "sample_weight", need, 0)
        return Examples(X, labels, codes, weight)

    def _training(
        self, X: Matrix, y: Any, sample_weight: Any = None, *, reset: bool = True
    ) -> tuple[Any, Array, Floats | None]:
        """Rows that the base classifier takes, labels and weights."""
        if handed_on(X):
            return handed_on_data(self, X, y, sample_weight, reset=reset)
        sparse = get_tags(self._base()).input_tags.sparse
        return check.data(
            self, X, y, sample_weight, target="classes", sparse=sparse, missing=True, reset=reset
        )

    def _check_weighable(self, weight: Floats | None) -> None:
        if weight is not None and not has_fit_parameter(self._base(), "sample_weight"):
            need = "a classifier that takes sample_weight when weights are given"
            raise check.fail(self, "estimator", need, self.estimator)

    def _table(self, X: Matrix) -> Any:
        """Table of a prediction, held against what the base classifier takes."""
        if handed_on(X):
            return handed_on_table(self, X)
        tags = get_tags(self._base()).input_tags
        return check.table(self, X, sparse=tags.sparse, missing=True)

    def _store(
        self,
        labels: Array,
        code: Code,
        cost: TrainingCost,
        classifiers: list[Any],
        notes: tuple[str, ...] = (),
    ) -> None:
        self.classes_, self.code_, self.estimators_ = labels, code, classifiers
        self.training_cost_ = cost
        self.fit_report_ = gathered_report(type(self).__name__, classifiers, cost, notes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        try:
            base = get_tags(self._base()).input_tags
        except ValueError:
            return tags
        tags.input_tags.sparse = base.sparse
        tags.input_tags.allow_nan = base.allow_nan
        tags.input_tags.positive_only = base.positive_only
        tags.input_tags.pairwise = base.pairwise
        return tags
