"""What the two forests for classes share: fitting and predicting."""

import warnings
from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score

from margin.core import atomic, check, threads
from margin.core.types import Array, Floats
from margin.ensemble.forests._base_forest import BaseForest, refuse_sparse_labels, settled
from margin.ensemble.forests._growth import out_of_bag
from margin.search import (
    CLASS_CRITERIA,
    Forest,
    Labels,
    best_labels,
    row_weights,
    split_outputs,
)
from margin.tree import DecisionTreeClassifier, Tree


class ClassifierForest(ClassifierMixin, BaseForest):
    """A forest whose leaves hold class shares."""

    @abstractmethod
    def __init__(self) -> None:
        """Store the parameters."""

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the forest.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Numbers; NaN is missing. Categories as ``categorical_features`` says.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Labels.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, which multiply how often a row was drawn.

        Returns
        -------
        self
        """
        self._rules(CLASS_CRITERIA)
        refuse_sparse_labels(self, y)
        X, y, weight = check.data(
            self,
            self._learn_categories(X, again=self._trees_to_keep() > 0),
            y,
            sample_weight,
            target="classes",
            sparse=True,
            multi_output=True,
            missing=True,
        )
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        labels = Labels.of(y)
        n_outputs = len(labels.classes)
        if self._trees_to_keep():
            there = self._label_sets()
            same = len(there) == n_outputs and all(map(np.array_equal, there, labels.classes))
            if not same:
                need = "of the classes fitted, with warm_start=True"
                raise check.fail(self, "y", need, labels.classes)
        self._warn_of_balance()
        per_tree = isinstance(self.class_weight, str) and self.class_weight == "balanced_subsample"
        balanced = labels.targets.codes if per_tree else None
        weight = row_weights(self, None if per_tree else self.class_weight, y, weight, n_outputs)
        self._grow(X, labels.targets, weight, balanced, CLASS_CRITERIA)
        counts = labels.targets.n_classes
        self.n_outputs_ = n_outputs
        self.classes_ = labels.classes[0] if n_outputs == 1 else list(labels.classes)
        self.n_classes_ = int(counts[0]) if n_outputs == 1 else counts
        if self.oob_score:
            self._judge(X, y)
        return self

    def _warn_of_balance(self) -> None:
        if self.warm_start and isinstance(self.class_weight, str):
            warnings.warn(
                f"{type(self).__name__}: class_weight={self.class_weight!r} with warm_start "
                "weighs the classes by the rows of this fit alone; give the weights themselves "
                "where later fits have other rows",
                UserWarning,
                stacklevel=4,
            )

    def _judge(self, X: Any, y: Array) -> None:
        """Shares and score from the trees that have not seen a row (tree.09)."""
        n_threads = threads.count(self.n_jobs)
        total, trees = out_of_bag(self.forest_, self.draws_, X, n_threads)
        if (trees == 0).any():
            warnings.warn(
                f"{type(self).__name__}: Some inputs do not have OOB scores. This probably means "
                "too few trees were used to compute any reliable OOB estimates.",
                UserWarning,
                stacklevel=4,
            )
        shares = settled(total, trees)
        seen = trees > 0
        parts = split_outputs(self._label_sets(), shares)
        told: Any = shares
        if self.n_outputs_ > 1:
            told = np.stack(parts, axis=2) if len({p.shape[1] for p in parts}) == 1 else parts
        self.oob_decision_function_ = told
        answers = best_labels(self._label_sets(), shares)
        if callable(self.oob_score):
            self.oob_score_ = self.oob_score(y, answers)
        elif self.n_outputs_ == 1:
            self.oob_score_ = float(accuracy_score(y[seen], answers[seen]))
        else:
            self.oob_score_ = float((answers == y)[seen].all(axis=1).mean())

    def _label_sets(self) -> tuple[Array, ...]:
        sets: Any = self.classes_
        return (sets,) if self.n_outputs_ == 1 else tuple(sets)

    def _tree_template(self, **parameters: Any) -> DecisionTreeClassifier:
        return DecisionTreeClassifier(**parameters)

    def _tree_model(self, forest: Forest, seed: int) -> DecisionTreeClassifier:
        model = self._tree_template(**self._tree_parameters(), random_state=seed)
        counts = np.array([len(c) for c in self._label_sets()], dtype=np.int64)
        model.tree_ = Tree(forest, counts)
        model.n_features_in_, model.n_outputs_ = self.n_features_in_, self.n_outputs_
        sets = [np.arange(float(k)) for k in counts]
        model.classes_ = sets[0] if self.n_outputs_ == 1 else sets
        model.n_classes_ = int(counts[0]) if self.n_outputs_ == 1 else counts
        model.category_columns_ = self.category_columns_
        return model

    def _row_losses(self) -> Any:
        """Share of the outputs that are wrong."""
        sets = self._label_sets()

        def loss(truth: Array, shares: Floats) -> Floats:
            wrong = best_labels(sets, shares) != truth
            return np.asarray(wrong.reshape(len(truth), -1).mean(axis=1))

        return loss

    def predict(self, X: Any) -> Array:
        """Label with the largest mean share over the trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        shares = self._mean_values(X)
        return best_labels(self._label_sets(), shares)

    def predict_proba(self, X: Any) -> Any:
        """Mean over the trees of the class shares in the leaf of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or list of them
            One array per output.
        """
        shares = self._mean_values(X)
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
