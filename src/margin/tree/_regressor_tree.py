"""What the two trees for numbers share: fitting and predicting."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from margin.core import atomic, check
from margin.core.types import Array, Floats
from margin.search import NUMBER_CRITERIA, number_targets, refuse_sparse
from margin.tree._base_tree import BaseTree
from margin.tree._structure import Tree


class RegressorTree(RegressorMixin, BaseTree):
    """A tree whose leaves hold means or medians."""

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
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.
        check_input : bool, default=True
            Without effect: what is wrong with the data is found in any case.

        Returns
        -------
        self
        """
        rules = self._rules(NUMBER_CRITERIA)
        refuse_sparse(self, y)
        X, y, weight = check.data(
            self,
            self._learn_categories(X),
            y,
            sample_weight,
            sparse=True,
            multi_output=True,
            missing=True,
        )
        targets = number_targets(self, y, self.criterion, weight)
        forest = self._grow(X, y, targets, weight, rules, NUMBER_CRITERIA)
        self.n_outputs_ = len(targets.numbers)
        self.tree_ = Tree(forest, np.ones(self.n_outputs_, dtype=np.int64))
        return self

    def _row_losses(self, y: Array) -> Any:
        """Squared, absolute or Poisson loss of each row, by the criterion."""
        truth = y.reshape(len(y), -1)

        def loss(rows: Any, values: Floats) -> Floats:
            if self.criterion == "absolute_error":
                terms = np.abs(truth[rows] - values)
            elif self.criterion == "poisson":
                mean = np.maximum(values, np.finfo(float).tiny)
                terms = mean - truth[rows] * np.log(mean)
            else:
                terms = (truth[rows] - values) ** 2
            return np.asarray(terms.mean(axis=1))

        return loss

    def predict(self, X: Any, check_input: bool = True) -> Floats:
        """Mean (or median) of the leaf of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        check_input : bool, default=True
            Whether ``X`` is checked; without, it must be an array of floats.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        values = self._values(X, check_input)
        return values[:, 0] if self.n_outputs_ == 1 else values
