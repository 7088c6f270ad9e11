"""Leaves of random trees as features."""

from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import TransformerMixin
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from margin.core import Card, atomic, check, random
from margin.core.types import Array, Floats, Ints
from margin.ensemble.forests._base_forest import BaseForest
from margin.ensemble.forests._leaf_columns import LeafColumns
from margin.search import NUMBER_CRITERIA, Forest, NumberTargets
from margin.tree import ExtraTreeRegressor, Tree


class RandomTreesEmbedding(TransformerMixin, BaseForest):
    r"""A column for every leaf of random trees: one where a row reaches it, zero elsewhere.

    Trees ask for one random column at a random threshold at a time, to tell numbers apart that mean
    nothing, drawn for every distinct row. Rows that are alike end in the same leaves: products of
    the new columns count the trees that do not tell two rows apart, a kernel learned without
    targets.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    max_depth : int, optional, default=5
        Most questions on a path; a tree has at most :math:`2^d` leaves.
    min_samples_split : int or float, default=2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int or float, default=1
        Fewest rows of a leaf; a float is a share of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the weight of all rows in a leaf.
    max_leaf_nodes : int, optional
        Most leaves of a tree.
    min_impurity_decrease : float, default=0.0
        Least gain of a split, in impurity times its share of the weight.
    sparse_output : bool, default=True
        Whether the new table is a sparse matrix.
    n_jobs : int, optional
        Threads; the answer does not depend on them.
    random_state : int, Generator or RandomState, optional
        Source of the draws.
    verbose : int, default=0
        For scikit-learn's sake.
    warm_start : bool, default=False
        Whether trees are added to those of the last fit.

    Attributes
    ----------
    forest_ : Forest
        All trees as arrays.
    draws_ : Draws
        The seeds of the trees.
    one_hot_encoder_ : OneHotEncoder
        From the numbers of leaves to columns.
    fit_report_ : FitReport
        What was grown.
    n_outputs_ : int
        Always one.
    n_features_in_ : int
        Number of columns of ``X``.
    feature_names_in_ : ndarray of str
        Names of the columns, if they had any.

    Notes
    -----
    :math:`O(n d)` per tree of depth :math:`d`; a row has as many ones as there are trees.

    References
    ----------
    Moosmann, Triggs, Jurie. Fast discriminative visual codebooks using randomized clustering
    forests. NIPS 2006.

    Examples
    --------
    >>> from margin.ensemble import RandomTreesEmbedding
    >>> X = [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1]]
    >>> codes = RandomTreesEmbedding(5, max_depth=1, random_state=0).fit_transform(X)
    >>> codes.sum(axis=1).ravel().tolist()
    [[5.0, 5.0, 5.0, 5.0, 5.0]]
    """

    card = Card(tasks=("transform",), cost="linear")

    _splitter = "random"
    criterion, max_features, ccp_alpha = "squared_error", 1, 0.0
    bootstrap, oob_score, max_samples, max_tree_features = False, False, None, None
    monotonic_cst, interaction_cst, categorical_features = None, None, None
    growth, max_bins = "auto", 255

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_depth: int | None = 5,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        sparse_output: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.sparse_output = sparse_output
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Numbers; NaN is missing.
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights.

        Returns
        -------
        self
        """
        self._learn(X, sample_weight)
        return self

    @atomic
    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Grow the trees, and the leaves of the same rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Numbers; NaN is missing.
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights.

        Returns
        -------
        ndarray or sparse matrix of shape (n_samples, n_leaves of all trees)
        """
        leaves = self._learn(X, sample_weight)
        return self._columns.codes(leaves)

    def _learn(self, X: Any, sample_weight: Any) -> Ints:
        """Grow the trees and give their leaves columns; the leaf of each row in each tree."""
        self._rules(NUMBER_CRITERIA)
        check.params(self, flag="sparse_output")
        table = check.table(self, X, sparse=True, missing=True, reset=True)
        weight = check.weights(self, sample_weight, table.shape[0])
        factors = random.generator(self.random_state).integers(2**63, size=table.shape[1])
        targets = _row_targets(table, factors.astype(np.uint64))
        self._grow(table, NumberTargets(targets[None]), weight, None, NUMBER_CRITERIA)
        self.n_outputs_ = 1
        leaves = self.apply(X)
        self._columns = LeafColumns.of(leaves, self.forest_.offsets, self.sparse_output)
        self._n_features_out = self._columns.count
        self.__dict__.pop("one_hot_encoder_", None)
        return leaves

    def transform(self, X: Any) -> Any:
        """Ones in the columns of the leaves that each row reaches.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray or sparse matrix of shape (n_samples, n_leaves of all trees)
        """
        check_is_fitted(self)
        return self._columns.codes(self.apply(X))

    @cached_property
    def one_hot_encoder_(self) -> OneHotEncoder:
        """From the numbers of leaves to columns; made when first asked for."""
        return self._columns.encoder()

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the new columns: the tree, and the number of the leaf within it.

        Parameters
        ----------
        input_features : array-like of str, optional
            Checked against the names seen in the fit.

        Returns
        -------
        ndarray of str
        """
        check_is_fitted(self)
        _check_feature_names_in(self, input_features, generate_names=False)
        names = [
            f"randomtreesembedding_{tree}_{leaf}"
            for tree, leaves in enumerate(self._columns.leaves)
            for leaf in leaves
        ]
        return np.asarray(names, dtype=object)

    def _set_oob_score_and_attributes(self, X: Any, y: Any) -> None:
        # Scikit-learn's name: no tree leaves a row out, and targets mean nothing.
        raise NotImplementedError(f"{type(self).__name__}: OOB score not supported by an embedding")

    def _tree_template(self, **parameters: Any) -> ExtraTreeRegressor:
        parameters.pop("splitter", None)
        return ExtraTreeRegressor(**parameters)

    def _tree_model(self, forest: Forest, seed: int) -> ExtraTreeRegressor:
        model = self._tree_template(**self._tree_parameters(), random_state=seed)
        model.tree_ = Tree(forest, np.ones(1, dtype=np.int64))
        model.n_features_in_, model.n_outputs_ = self.n_features_in_, 1
        return model

    def _row_losses(self) -> Any:
        """Squared error."""

        def loss(truth: Array, values: Floats) -> Floats:
            return np.asarray((truth - values[:, 0]) ** 2)

        return loss


def _row_targets(X: Any, factors: Array) -> Floats:
    """Numbers from 0 to 1, as good as random, but the same for rows of the same values."""
    spread, block = np.uint64(0x9E3779B97F4A7C15), 4096
    targets = np.empty(X.shape[0])
    for start in range(0, X.shape[0], block):
        rows = X[start : start + block]
        values = (rows.toarray() if issparse(rows) else rows).astype(np.float64) + 0.0
        values[np.isnan(values)] = np.nan  # of all missing values the same bits
        bits = values.view(np.uint64) * (2 * factors + np.uint64(1))
        bits = ((bits ^ (bits >> np.uint64(32))) * spread).sum(axis=1, dtype=np.uint64)
        bits = (bits ^ (bits >> np.uint64(29))) * spread
        targets[start : start + block] = (bits >> np.uint64(11)) * 2.0**-53
    return targets
