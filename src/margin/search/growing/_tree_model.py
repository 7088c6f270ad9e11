"""What all estimators made of trees have in common: coded tables, and trees to hand on."""

from abc import ABC, abstractmethod
from typing import Any

from sklearn.utils.validation import check_is_fitted

from margin.core import check
from margin.search.growing._category_columns import CategoryColumns
from margin.search.growing._tree_sum import TreeSum


class TreeModel(ABC):
    """Tables with codes in the place of categories, and the trees as a value.

    A subclass has the parameter ``categorical_features``.
    """

    categorical_features: Any
    category_columns_: CategoryColumns | None = None

    @abstractmethod
    def _tree_sum(self, names: tuple[str, ...]) -> TreeSum:
        """The trees of a fitted model, over columns of these names."""

    def _learn_categories(self, X: Any, *, again: bool = False) -> Any:
        """The table of a fit, coded; ``again``: by the categories there are."""
        if not again:
            self.category_columns_ = CategoryColumns.of(self, X, self.categorical_features)
        return self._coded(X)

    def _coded(self, X: Any) -> Any:
        columns = self.category_columns_
        return X if columns is None else columns.encode(X)

    def _table(self, X: Any) -> Any:
        """The checked table of a prediction; categories nobody has seen are missing."""
        check_is_fitted(self)
        return check.table(self, self._coded(X), sparse=True, missing=True)

    def coded_table(self, X: Any) -> Any:
        """The table as the trees see it: checked, with codes in the place of categories.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray or sparse matrix of shape (n_samples, n_features)
        """
        return self._table(X)

    def to_trees(self) -> TreeSum:
        """The model as a sum of trees, to be explained or written to a file.

        Returns
        -------
        TreeSum
            Of the trees alone, over coded tables.
        """
        check_is_fitted(self)
        return self._tree_sum(tuple(map(str, getattr(self, "feature_names_in_", ()))))
