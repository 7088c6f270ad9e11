"""What trees for classes and for numbers share."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import fields, replace
from math import isfinite
from numbers import Integral, Real
from secrets import randbits
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, clone
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from margin.core import FitReport, Status, check, random, threads
from margin.core.types import Array, Floats, Indices
from margin.search import (
    ClassTargets,
    ExactTable,
    Forest,
    NumberTargets,
    PruningPath,
    TreeModel,
    TreeRules,
    TreeSum,
    chosen_columns,
    grow_exact,
    pruned,
    refuse_directions,
)
from margin.tree._pruning_choice import choose_strength

_RULES = tuple(field.name for field in fields(TreeRules))


class BaseTree(TreeModel, MultiOutputMixin, BaseEstimator, ABC):
    """A tree grown by exact splits: parameters, growth, and what a fitted tree can be asked."""

    __metadata_request__predict = {"check_input": "$UNUSED$"}

    @abstractmethod
    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        """Grow the tree."""

    @abstractmethod
    def _row_losses(self, y: Array) -> Any:
        """A function of rows and predicted values that judges strengths of pruning."""

    def _rules(self, criteria: dict[str, str]) -> TreeRules:
        rules = TreeRules(**{name: getattr(self, name) for name in _RULES})
        check.params(self, own="class_weight")
        self._check_pruning()
        return rules.checked(self, criteria)

    def _check_pruning(self) -> None:
        asked = self.ccp_alpha
        number = type(asked) is float or (isinstance(asked, Real) and not isinstance(asked, bool))
        if not (asked >= 0 and isfinite(asked) if number else asked == "cv"):
            raise check.fail(self, "ccp_alpha", "a number of at least 0 or 'cv'", asked)
        cv = self.cv
        if not (cv is None or isinstance(cv, int | Iterable) or hasattr(cv, "split")):
            raise check.fail(self, "cv", "a number of folds, a splitter or an iterable", cv)

    def _grow(
        self,
        X: Any,
        y: Array,
        targets: ClassTargets | NumberTargets,
        weight: Floats | None,
        rules: TreeRules,
        criteria: dict[str, str],
    ) -> Forest:
        """The tree of the parameters on checked data, pruned."""
        n, p = X.shape
        names = getattr(self, "feature_names_in_", None)
        columns, usable = self.category_columns_, None
        categorical = None if columns is None else np.flatnonzero(columns.mask)
        if self.split_features is not None:
            usable = np.zeros((1, p), dtype=np.uint8)
            usable[0, chosen_columns(self, "split_features", self.split_features, names, p)] = 1
        refuse_directions(self, self.monotonic_cst, targets)
        mask = None if columns is None else columns.mask
        settings = rules.settings(self, n, p, criteria, names=names, categorical=mask)
        seed = tree_seed(self.random_state)
        n_threads = threads.count(self.n_jobs)

        def grow(rows: Any) -> Forest:
            table = ExactTable.of(
                X if rows is None else X[rows],
                categorical,
                in_order=not settings.random_splits,
                n_threads=n_threads,
            )
            some = None if weight is None else weight[None, :]
            if rows is not None and some is not None:
                some = np.ascontiguousarray(some[:, rows])
            return grow_exact(
                table,
                targets if rows is None else _part(targets, rows),
                settings,
                seeds=[seed],
                weight=some,
                usable=usable,
                n_threads=n_threads,
            )

        tree = grow(None)
        strength = self.ccp_alpha
        if isinstance(strength, str):
            classes = isinstance(targets, ClassTargets) and y.ndim == 1
            self.pruning_choice_ = choose_strength(
                PruningPath.of(tree),
                grow,
                self._row_losses(y),
                X,
                self._folds(y, weight, classes),
                weight=weight,
            )
            strength = self.pruning_choice_.chosen
        self.ccp_alpha_ = float(strength)
        self.max_features_ = rules.columns_per_split(p)
        tree = pruned(tree, self.ccp_alpha_) if self.ccp_alpha_ > 0 else tree
        self.fit_report_ = growth_report(self, tree, "random" if settings.random_splits else "best")
        return tree

    def _folds(
        self, y: Array, weight: Floats | None, classes: bool
    ) -> list[tuple[Indices, Indices]]:
        """Rows to learn from and to judge by: none without weight, as if they were absent."""
        there = np.arange(len(y)) if weight is None else np.flatnonzero(weight > 0)
        if isinstance(self.cv, Iterable):  # of numbers of rows of X
            kept = [[part[np.isin(part, there)] for part in map(_rows, fold)] for fold in self.cv]
            folds = [(train, test) for train, test in kept if len(train) and len(test)]
        else:
            own = y[there]
            splitter = check_cv(self.cv, own, classifier=classes)
            pairs = splitter.split(np.zeros(len(there)), own)
            folds = [(there[train], there[test]) for train, test in pairs]
        if not folds:
            need = "folds with rows of positive weight on both sides"
            raise check.fail(self, "cv", need, self.cv)
        return folds

    def _checked(self, X: Any, check_input: bool) -> Any:
        if check_input:
            return self._table(X)
        check_is_fitted(self)
        if X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        return X

    def _tree_sum(self, names: tuple[str, ...]) -> TreeSum:
        forest = self.tree_.forest
        return TreeSum(forest, base=(0.0,) * forest.n_outputs, feature_names=names)

    def _values(self, X: Any, check_input: bool = True) -> Floats:
        X = self._checked(X, check_input)
        values: Floats = self.tree_.forest.predict(X, n_threads=threads.count(self.n_jobs))
        return values

    def apply(self, X: Any, check_input: bool = True) -> Indices:
        """Leaf of each row, a node of ``tree_``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        check_input : bool, default=True
            Whether ``X`` is checked; without, it must be an array of floats.

        Returns
        -------
        ndarray of int of shape (n_samples,)
        """
        X = self._checked(X, check_input)
        leaves: Indices = self.tree_.apply(X)
        return leaves

    def decision_path(self, X: Any, check_input: bool = True) -> Any:
        """Nodes that each row passes, as a sparse indicator of shape (n_samples, n_nodes).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        check_input : bool, default=True
            Whether ``X`` is checked; without, it must be an array of floats.

        Returns
        -------
        sparse array
        """
        X = self._checked(X, check_input)
        return self.tree_.decision_path(X)

    def get_depth(self) -> int:
        """Steps from the root to the deepest leaf."""
        check_is_fitted(self)
        return int(self.tree_.max_depth)

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return int(self.tree_.n_leaves)

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the impurity that all splits removed (tree.10)."""
        check_is_fitted(self)
        importances: Floats = self.tree_.compute_feature_importances()
        return importances

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """All strengths at which pruning cuts one more branch of the whole tree (tree.03).

        Parameters
        ----------
        X, y, sample_weight
            As in ``fit``.

        Returns
        -------
        Bunch
            ``ccp_alphas``, rising from zero, and ``impurities``, the summed impurity of the leaves
            that are left.
        """
        whole = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        path = PruningPath.of(whole.tree_.forest)
        return Bunch(ccp_alphas=path.strengths, impurities=path.risks)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def tree_seed(random_state: Any) -> int:
    """The seed of a tree: an integer is one, so that a tree of a forest can be grown again.

    Examples
    --------
    >>> tree_seed(7)
    7
    """
    whole = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    if whole and 0 <= int(random_state) < 2**63:
        return int(random_state)
    if random_state is None:  # a generator for one number takes longer than a small tree
        return randbits(63)
    return int(random.generator(random_state).integers(2**63))


def growth_report(owner: object, forest: Forest, splits: str) -> FitReport:
    """What was grown: levels as iterations, the mean impurity of the leaves as objective."""
    leaf = forest.is_leaf
    whole = forest.cover[forest.offsets[:-1]].sum()
    return FitReport(
        check.named(owner),
        f"exact growth, {splits} splits",
        Status.CONVERGED,
        int(forest.depths.max()),
        float((forest.impurity * forest.cover)[leaf].sum() / whole),
    )


def _part(targets: ClassTargets | NumberTargets, rows: Indices) -> ClassTargets | NumberTargets:
    """Targets of some rows."""
    if isinstance(targets, ClassTargets):
        return replace(targets, codes=np.ascontiguousarray(targets.codes[:, rows]))
    return replace(targets, numbers=np.ascontiguousarray(targets.numbers[:, rows]))


def _rows(part: Any) -> Indices:
    """Numbers of rows, from numbers or a mask."""
    rows = np.asarray(part)
    return np.flatnonzero(rows) if rows.dtype == np.bool_ else rows.astype(np.int64)
