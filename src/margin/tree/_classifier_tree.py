"""What the two trees for classes share: fitting and predicting."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from margin.core import atomic, check
from margin.core.types import Array, Floats
from margin.search import (
    CLASS_CRITERIA,
    Labels,
    best_labels,
    refuse_sparse,
    row_weights,
    split_outputs,
)
from margin.tree._base_tree import BaseTree
from margin.tree._structure import Tree


class ClassifierTree(ClassifierMixin, BaseTree):
    """A tree whose leaves hold class shares."""

    @abstractmethod
    def __init__(self) -> None:
        """Store the parameters."""

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Numbers; NaN is missing. Categories as ``categorical_features`` says.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Labels.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.
        check_input : bool, default=True
            Without effect: what is wrong with the data is found in any case.

        Returns
        -------
        self
        """
        rules = self._rules(CLASS_CRITERIA)
        refuse_sparse(self, y)
        X, y, weight = check.data(
            self,
            self._learn_categories(X),
            y,
            sample_weight,
            target="classes",
            sparse=True,
            multi_output=True,
            missing=True,
        )
        labels = Labels.of(y)
        n_outputs = len(labels.classes)
        weight = row_weights(self, self.class_weight, y, weight, n_outputs)
        forest = self._grow(X, y, labels.targets, weight, rules, CLASS_CRITERIA)
        one = n_outputs == 1 and y.ndim == 1
        counts = labels.targets.n_classes
        self.n_outputs_ = n_outputs
        self.classes_ = labels.classes[0] if n_outputs == 1 else list(labels.classes)
        self.n_classes_ = int(counts[0]) if one or n_outputs == 1 else counts
        self.tree_ = Tree(forest, counts)
        return self

    def _label_sets(self) -> tuple[Array, ...]:
        sets: Any = self.classes_
        return (sets,) if self.n_outputs_ == 1 else tuple(sets)

    def _row_losses(self, y: Array) -> Any:
        """Misclassified outputs of each row."""
        codes = Labels.of(y).targets

        def loss(rows: Any, shares: Floats) -> Floats:
            parts = np.split(shares, np.cumsum(codes.n_classes)[:-1], axis=1)
            wrong = [
                part.argmax(axis=1) != code[rows]
                for part, code in zip(parts, codes.codes, strict=True)
            ]
            return np.asarray(np.mean(wrong, axis=0))

        return loss

    def predict(self, X: Any, check_input: bool = True) -> Array:
        """Most frequent label of the leaf of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        check_input : bool, default=True
            Whether ``X`` is checked; without, it must be an array of floats.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        shares = self._values(X, check_input)
        return best_labels(self._label_sets(), shares)

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """Shares of the classes in the leaf of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        check_input : bool, default=True
            Whether ``X`` is checked; without, it must be an array of floats.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or list of them
            One array per output.
        """
        shares = self._values(X, check_input)
        return shares if self.n_outputs_ == 1 else split_outputs(self._label_sets(), shares)

    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of :meth:`predict_proba`.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or list of them
        """
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(shares) if self.n_outputs_ == 1 else [np.log(part) for part in shares]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags
