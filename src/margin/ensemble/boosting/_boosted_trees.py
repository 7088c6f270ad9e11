"""What fitted boosted trees can be asked, classifier and regressor alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import check, threads
from margin.core.types import Floats
from margin.search import Forest, TreeModel, TreeSum
from margin.search.growing._tree_sum import Link
from margin.tree import DecisionTreeRegressor, Tree


class BoostedTrees(TreeModel, BaseEstimator, ABC):
    """Scores of rows, the trees themselves, and what the columns contribute."""

    forest_: Forest | None
    baseline_: Floats
    n_iter_: int
    init: Any
    _init_model: Any

    @abstractmethod
    def _offset(self, X: Any) -> Floats | None:
        """Scores of the model that the trees improve on, shape (n_rows, n_outputs)."""

    @property
    @abstractmethod
    def _link(self) -> Link:
        """From scores to answers."""

    @property
    def _score_scale(self) -> float:
        """Factor of the scores before the link."""
        return 1.0

    def _start_scores(self, X: Any) -> Floats:
        raw = np.repeat(self.baseline_[None, :], X.shape[0], axis=0)
        offset = self._offset(X)
        return raw if offset is None else raw + offset

    def _raw(self, X: Any) -> Floats:
        """Scores, shape (n_rows, n_outputs)."""
        table = self._table(X)
        raw = self._start_scores(table)
        if self.forest_ is not None:
            self.forest_.predict(table, out=raw, n_threads=threads.count(self.n_jobs))
        return raw

    def _staged_raw(self, X: Any) -> Iterator[Floats]:
        """Scores after every stage."""
        table = self._table(X)
        raw, width = self._start_scores(table), len(self.baseline_)
        for stage in range(self.n_iter_):
            self._trees().predict(
                table,
                first=stage * width,
                last=(stage + 1) * width,
                out=raw,
                n_threads=threads.count(self.n_jobs),
            )
            yield raw.copy()

    def _tree_sum(self, names: tuple[str, ...]) -> TreeSum:
        if not (self._init_model is None or isinstance(self._init_model, str)):
            need = "None or 'zero' where the trees are handed on: they add to its answers"
            raise check.fail(self, "init", need, self.init)
        scale = self._score_scale
        base = tuple(scale * float(b) for b in self.baseline_)
        return TreeSum(self._trees(), base, scale, link=self._link, feature_names=names)

    def _trees(self) -> Forest:
        forest: Forest | None = self.forest_
        if forest is None:
            raise ValueError(f"{type(self).__name__}: the fit was interrupted before a tree")
        return forest

    @property
    def n_trees_per_iteration_(self) -> int:
        """Trees of a stage: one, or one per class or level."""
        check_is_fitted(self)
        return len(self.baseline_)

    @property
    def estimators_(self) -> NDArray[Any]:
        """The trees, each as an estimator of its own, shape (n_stages, trees per stage).

        Their answers are those before ``learning_rate``.
        """
        check_is_fitted(self)
        width = len(self.baseline_)
        models = np.empty((self.n_iter_, width), dtype=object)
        kinds = iter(self._stage_parameters)
        last, parameters, rate = next(kinds)
        for stage in range(self.n_iter_):
            if stage >= last:
                last, parameters, rate = next(kinds)
            for k in range(width):
                tree = self._trees().select([stage * width + k])
                models[stage, k] = self._tree_model(tree, parameters, rate)
        return models

    def __len__(self) -> int:
        """Number of stages."""
        check_is_fitted(self)
        return self.n_iter_

    def __getitem__(self, stage: int) -> NDArray[Any]:
        """Trees of a stage, each as an estimator."""
        trees: NDArray[Any] = self.estimators_[stage]
        return trees

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter(self.estimators_)

    def _tree_model(self, tree: Forest, parameters: dict[str, Any], rate: float) -> Any:
        model = DecisionTreeRegressor(**parameters)
        own = Forest.of_tree(
            n_features=tree.n_features,
            value=tree.value / rate,
            n_outputs=1,
            **{name: getattr(tree, name) for name in _OF_NODES},
        )
        model.tree_ = Tree(own, np.ones(1, dtype=np.int64))
        model.n_features_in_, model.n_outputs_ = tree.n_features, 1
        model.max_features_, model.category_columns_ = self.max_features_, self.category_columns_
        return model

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the gains of all splits; they sum to 1, or are all 0."""
        check_is_fitted(self)
        total = np.zeros(self.n_features_in_)
        if self.forest_ is not None:
            inner = ~self.forest_.is_leaf
            np.add.at(total, self.forest_.feature[inner], self.forest_.gain[inner])
        return total / total.sum() if total.sum() > 0 else total

    def _leaves(self, X: Any) -> NDArray[np.int32]:
        """Leaf of each row in each tree, shape (n_rows, n_stages, trees per stage)."""
        table = self._table(X)
        leaves = self._trees().apply(table, n_threads=threads.count(self.n_jobs))
        return leaves.reshape(len(leaves), self.n_iter_, len(self.baseline_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


_OF_NODES = (
    *("feature", "threshold", "left", "right", "missing_left", "categories", "category_words"),
    *("category_bits", "cover", "n_rows", "impurity", "gain"),
)
