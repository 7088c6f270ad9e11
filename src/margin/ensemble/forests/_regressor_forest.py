"""What the two forests for numbers share: fitting, predicting, and the law of a target."""

import warnings
from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score

from margin.core import atomic, available_if, check, threads
from margin.core.types import Array, Floats
from margin.distributions import Empirical
from margin.ensemble.forests._base_forest import BaseForest, refuse_sparse_labels, settled
from margin.ensemble.forests._draws import tree_weights
from margin.ensemble.forests._growth import out_of_bag
from margin.ensemble.forests._leaf_rows import LeafRows
from margin.search import NUMBER_CRITERIA, Forest, number_targets
from margin.tree import DecisionTreeRegressor, Tree


class RegressorForest(RegressorMixin, BaseForest):
    """A forest whose leaves hold means or medians."""

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
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, which multiply how often a row was drawn.

        Returns
        -------
        self
        """
        self._rules(NUMBER_CRITERIA)
        check.params(self, flag="keep_leaves")
        refuse_sparse_labels(self, y)
        X, y, weight = check.data(
            self,
            self._learn_categories(X, again=self._trees_to_keep() > 0),
            y,
            sample_weight,
            sparse=True,
            multi_output=True,
            missing=True,
        )
        targets = number_targets(self, y, self.criterion, weight)
        self._grow(X, targets, weight, None, NUMBER_CRITERIA)
        self.n_outputs_ = len(targets.numbers)
        self._leaf_rows = self._kept(X, y, weight) if self.keep_leaves else None
        if self.oob_score:
            self._judge(X, y)
        return self

    def _kept(self, X: Any, y: Array, weight: Floats | None) -> LeafRows:
        if self.n_outputs_ > 1:
            raise check.fail(self, "keep_leaves", "False with several outputs", True)
        leaves = self.forest_.apply(X, n_threads=threads.count(self.n_jobs))

        def weights(tree: int) -> Floats:
            rows = tree_weights(self.draws_, range(tree, tree + 1), weight, None)
            return np.ones(len(y)) if rows is None else rows[0]

        return LeafRows.of(leaves, np.diff(self.forest_.offsets), weights, y.ravel())

    def _judge(self, X: Any, y: Array) -> None:
        """Predictions and score from the trees that have not seen a row (tree.09)."""
        total, trees = out_of_bag(self.forest_, self.draws_, X, threads.count(self.n_jobs))
        if (trees == 0).any():
            warnings.warn(
                f"{type(self).__name__}: Some inputs do not have OOB scores. This probably means "
                "too few trees were used to compute any reliable OOB estimates.",
                UserWarning,
                stacklevel=4,
            )
        answers = settled(total, trees)
        self.oob_prediction_ = answers[:, 0] if self.n_outputs_ == 1 else answers
        truth, seen = y.reshape(len(y), -1), trees > 0
        if callable(self.oob_score):
            self.oob_score_ = self.oob_score(y, answers[:, 0] if y.ndim == 1 else answers)
        else:
            self.oob_score_ = float(r2_score(truth[seen], answers[seen]))

    def _tree_template(self, **parameters: Any) -> DecisionTreeRegressor:
        return DecisionTreeRegressor(**parameters)

    def _tree_model(self, forest: Forest, seed: int) -> DecisionTreeRegressor:
        model = self._tree_template(**self._tree_parameters(), random_state=seed)
        model.tree_ = Tree(forest, np.ones(self.n_outputs_, dtype=np.int64))
        model.n_features_in_, model.n_outputs_ = self.n_features_in_, self.n_outputs_
        model.category_columns_ = self.category_columns_
        return model

    def _row_losses(self) -> Any:
        """Squared error, averaged over the outputs."""

        def loss(truth: Array, values: Floats) -> Floats:
            return np.asarray(((truth.reshape(len(truth), -1) - values) ** 2).mean(axis=1))

        return loss

    def predict(self, X: Any) -> Floats:
        """Mean of the predictions of all trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        values = self._mean_values(X)
        return values[:, 0] if self.n_outputs_ == 1 else values

    def _keeps_leaves(self) -> bool:
        if not self.keep_leaves:
            raise AttributeError(
                f"{type(self).__name__}: predict_dist needs keep_leaves=True in the fit"
            )
        return True

    @available_if(_keeps_leaves)
    def predict_dist(self, X: Any) -> Empirical:
        """Law of the target at each row: the training targets in the leaves it reaches.

        Every tree has the same weight, and in a tree every row drawn for it: the mean of the law is
        the prediction (quantile regression forest, Meinshausen 2006). Leaves must hold several
        rows to tell quantiles: choose ``min_samples_leaf`` accordingly.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        margin.distributions.Empirical
            One for every row.
        """
        leaves = self.apply(X)
        assert self._leaf_rows is not None  # or the method would not be here
        return self._leaf_rows.law(leaves)
