"""What forests for classes and for numbers share."""

import warnings
from abc import ABC, abstractmethod
from numbers import Integral
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, MultiOutputMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import check, random, threads
from margin.core.types import Array, Floats, Indices, Ints
from margin.ensemble.forests._draws import Draws
from margin.ensemble.forests._growth import ForestPlan, forest_report, grow_forest
from margin.ensemble.forests._importance import ForestImportance, gain_shares, shuffled_rise
from margin.ensemble.forests._leaf_rows import proximity
from margin.ensemble.forests._shares import share_of
from margin.search import (
    ClassTargets,
    Forest,
    NumberTargets,
    TreeModel,
    TreeRules,
    TreeSum,
    refuse_directions,
)
from margin.tree import path_indicator


class BaseForest(TreeModel, MultiOutputMixin, BaseEstimator, ABC):
    """Many trees, each on its own part of the rows and columns; the prediction is their mean."""

    _splitter = "best"
    draws_: Draws
    forest_: Forest

    @abstractmethod
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Grow the forest."""

    @abstractmethod
    def _tree_model(self, forest: Forest, seed: int) -> Any:
        """One tree as an estimator, grown from a seed."""

    @abstractmethod
    def _tree_template(self, **parameters: Any) -> Any:
        """An unfitted tree."""

    @abstractmethod
    def _row_losses(self) -> Any:
        """Loss of each row, of truths and summed values of one tree."""

    def _rules(self, criteria: dict[str, str]) -> TreeRules:
        check.params(
            self,
            count="n_estimators",
            flag="bootstrap warm_start",
            nonnegative="ccp_alpha",
            one_of={"growth": ("auto", "binned", "exact")},
            own="class_weight",
        )
        names = (
            *("criterion", "max_depth", "min_samples_split", "min_samples_leaf"),
            *("min_weight_fraction_leaf", "max_features", "max_leaf_nodes"),
            *("min_impurity_decrease", "monotonic_cst", "interaction_cst"),
        )
        rules = TreeRules(splitter=self._splitter, **{name: getattr(self, name) for name in names})
        if not (isinstance(self.oob_score, bool | np.bool_) or callable(self.oob_score)):
            raise check.fail(self, "oob_score", "True, False or a function", self.oob_score)
        if self.oob_score and not self.bootstrap:
            raise ValueError(
                f"{type(self).__name__}: oob_score must be False without bootstrap: Out of bag "
                "estimation only available if bootstrap=True"
            )
        if not (isinstance(self.max_bins, Integral) and 2 <= int(self.max_bins) <= 255):
            raise check.fail(self, "max_bins", "an integer from 2 to 255", self.max_bins)
        return rules.checked(self, criteria)

    def _grow(
        self,
        X: Any,
        targets: ClassTargets | NumberTargets,
        weight: Floats | None,
        balanced: Ints | None,
        criteria: dict[str, str],
    ) -> None:
        """Grow what is asked for beyond the trees there are, and store it."""
        n, p = X.shape
        rules = self._rules(criteria)
        columns = self.category_columns_
        categorical = None if columns is None else np.flatnonzero(columns.mask)
        refuse_directions(self, self.monotonic_cst, targets)
        settings = rules.settings(
            self,
            n,
            p,
            criteria,
            names=getattr(self, "feature_names_in_", None),
            categorical=None if columns is None else columns.mask,
        )
        drawn = share_of(self, "max_samples", n, beyond=True)
        if self.max_samples is not None and not self.bootstrap:
            raise ValueError(
                f"{type(self).__name__}: max_samples must be None without bootstrap: `max_sample` "
                "cannot be set if `bootstrap=False`. Either switch to `bootstrap=True` or set "
                f"`max_sample=None`., got {self.max_samples!r}"
            )
        rng = random.generator(self.random_state)
        seeds: Indices = rng.integers(2**63, size=int(self.n_estimators))
        draws = Draws(
            n,
            p,
            seeds,
            (n if drawn is None else drawn) if self.bootstrap else None,
            share_of(self, "max_tree_features", p),
        )
        first = self._trees_to_keep()
        if first:
            self._check_kept(p, targets)
            kept = self.draws_.seeds[:first]
            draws = Draws(n, p, np.append(kept, seeds[first:]), draws.n_drawn, draws.n_tree_columns)
        plan = ForestPlan(
            settings,
            self.growth == "binned" or (self.growth == "auto" and categorical is None),
            int(self.max_bins),
            categorical,
            float(self.ccp_alpha),
            threads.count(self.n_jobs),
            type(self).__name__,
        )
        if plan.binned and categorical is not None:
            raise check.fail(self, "growth", "'exact' with categorical columns", self.growth)
        if first == self.n_estimators:
            warnings.warn(
                f"{type(self).__name__}: Warm-start fitting without increasing n_estimators does "
                "not fit new trees.",
                UserWarning,
                stacklevel=4,
            )
        else:
            grown = grow_forest(
                X, targets, plan, draws, first=first, weight=weight, balanced=balanced
            )
            self.forest_ = Forest.concatenate([self.forest_, grown]) if first else grown
        self.draws_ = draws
        self.fit_report_ = forest_report(plan, self.forest_)

    def _tree_parameters(self) -> dict[str, Any]:
        names = (
            *("criterion", "max_depth", "min_samples_split", "min_samples_leaf", "ccp_alpha"),
            *("min_weight_fraction_leaf", "max_features", "max_leaf_nodes"),
            *("min_impurity_decrease", "monotonic_cst", "interaction_cst"),
        )
        return {"splitter": self._splitter, **{name: getattr(self, name) for name in names}}

    def _trees_to_keep(self) -> int:
        if not self.warm_start or not hasattr(self, "forest_"):
            return 0
        there = int(self.forest_.n_trees)
        if self.n_estimators < there:
            raise ValueError(
                f"{type(self).__name__}: n_estimators must be larger or equal to "
                f"len(estimators_)={there} when warm_start==True, got {self.n_estimators}: "
                f"n_estimators={self.n_estimators} must be larger or equal to "
                f"len(estimators_)={there} when warm_start==True"
            )
        return there

    def _check_kept(self, n_features: int, targets: ClassTargets | NumberTargets) -> None:
        """Trees of a warm start must be of the same columns and answers."""
        if n_features != self.forest_.n_features:
            need = f"of the {self.forest_.n_features} columns fitted, with warm_start=True"
            raise check.fail(self, "X", need, n_features)
        if isinstance(targets, ClassTargets):
            kind, width = "classes", int(targets.n_classes.sum())
        else:
            kind, width = "outputs", len(targets.numbers)
        if width != self.forest_.n_outputs:
            need = f"of the {self.forest_.n_outputs} {kind} fitted, with warm_start=True"
            raise check.fail(self, "y", need, width)

    def _tree_sum(self, names: tuple[str, ...]) -> TreeSum:
        base = (0.0,) * self.forest_.n_outputs
        return TreeSum(self.forest_, base, 1.0 / self.forest_.n_trees, feature_names=names)

    def _mean_values(self, X: Any) -> Floats:
        X = self._table(X)
        total = self.forest_.predict(X, n_threads=threads.count(self.n_jobs))
        return np.asarray(total / self.forest_.n_trees)

    def apply(self, X: Any) -> Ints:
        """Leaf of each row in each tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of int of shape (n_samples, n_estimators)
        """
        X = self._table(X)
        leaves: Ints = self.forest_.apply(X, n_threads=threads.count(self.n_jobs))
        return leaves

    def decision_path(self, X: Any) -> tuple[Any, Indices]:
        """Nodes that each row passes, and where the nodes of each tree start.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        indicator : sparse array of shape (n_samples, n_nodes of all trees)
        n_nodes_ptr : ndarray of int of shape (n_estimators + 1,)
        """
        leaves = self.apply(X)
        return path_indicator(self.forest_, leaves), self.forest_.offsets

    def proximity(self, X: Any, Z: Any = None) -> Floats:
        """Share of the trees in which two rows end in the same leaf.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        Z : array-like or sparse matrix of shape (n_others, n_features), optional
            The rows of ``X`` by default.

        Returns
        -------
        ndarray of shape (n_samples, n_others)
            Ones for rows that no tree tells apart.
        """
        leaves = self.apply(X)
        return proximity(leaves, leaves if Z is None else self.apply(Z))

    def out_of_bag_importance(
        self,
        X: Any,
        y: Any,
        *,
        n_repeats: int = 1,
        level: float = 0.95,
        random_state: Any = 0,
    ) -> ForestImportance:
        """Rise of the loss of each tree on unseen rows when a column is shuffled (tree.11).

        Unlike the impurity a split removes, it does not favour columns with many values; copies of
        a column share its importance.

        Parameters
        ----------
        X, y
            The rows of the fit, in their order.
        n_repeats : int, default=1
            Shuffles per tree and column.
        level : float, default=0.95
            Level of the confidence intervals over the trees.
        random_state : int, Generator or RandomState, default=0
            Source of the shuffles.

        Returns
        -------
        ForestImportance
        """
        X = self._table(X)
        if not self.bootstrap or X.shape[0] != self.draws_.n_rows:
            raise check.fail(self, "X", "the rows of a fit with bootstrap", X.shape)
        if len(np.asarray(y)) != X.shape[0]:
            raise check.fail(self, "y", f"the {X.shape[0]} targets of the fit", len(np.asarray(y)))
        names = getattr(self, "feature_names_in_", None)
        labels = tuple(f"x[{j}]" for j in range(X.shape[1])) if names is None else tuple(names)
        rises = shuffled_rise(
            self.forest_,
            self.draws_,
            X,
            np.asarray(y),
            self._row_losses(),
            n_repeats=n_repeats,
            rng=random.generator(random_state),
        )
        return ForestImportance(rises, level, labels)

    @property
    def estimators_(self) -> list[Any]:
        """The trees, each as an estimator of its own."""
        check_is_fitted(self)
        return [self[tree] for tree in range(self.forest_.n_trees)]

    @property
    def estimator(self) -> Any:
        """What every tree looks like before it is grown."""
        return self._tree_template(splitter=self._splitter)

    @property
    def estimator_(self) -> Any:
        """What every tree looked like before it was grown."""
        check_is_fitted(self)
        return self.estimator

    @property
    def estimators_samples_(self) -> list[Ints]:
        """Rows drawn for each tree."""
        check_is_fitted(self)
        return [self.draws_.rows(t).astype(np.int32) for t in range(len(self.draws_.seeds))]

    @property
    def feature_importances_(self) -> Floats:
        """Mean over the trees of the share of each column in the impurity removed (tree.10)."""
        check_is_fitted(self)
        return gain_shares(self.forest_)

    def __len__(self) -> int:
        """Number of trees."""
        check_is_fitted(self)
        return int(self.forest_.n_trees)

    def __getitem__(self, tree: int) -> Any:
        """One tree as an estimator."""
        check_is_fitted(self)
        trees = range(self.forest_.n_trees)
        return self._tree_model(self.forest_.select([trees[tree]]), int(self.draws_.seeds[tree]))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def settled(values: Floats, trees: Indices) -> Array:
    """Means over the trees that have not seen a row; zero where all have."""
    return np.asarray(values / np.maximum(trees, 1)[:, None])


def refuse_sparse_labels(owner: object, y: Any) -> None:
    """Targets are dense: a sparse one is a mistake."""
    if issparse(y):
        raise ValueError(
            f"{check.named(owner)}: y must be dense: sparse multilabel-indicator for y is not "
            "supported."
        )
