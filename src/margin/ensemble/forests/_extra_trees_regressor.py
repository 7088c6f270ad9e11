"""A forest of random regression trees."""

from typing import Any

from margin.core import Card
from margin.ensemble.forests._regressor_forest import RegressorForest


class ExtraTreesRegressor(RegressorForest):
    r"""Extremely randomised trees for numbers: thresholds drawn, the best of a few columns taken.

    The mean over trees of their predictions; the trees see all rows by default, and differ by
    their thresholds.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : str, default="squared_error"
        One of "squared_error", "absolute_error", "poisson", "friedman_mse".
        Loss around the mean (or median) of a node. ``"friedman_mse"`` is deprecated and the same
        as the first.
    max_depth : int, optional
        Most questions on a path.
    min_samples_split : int or float, default=2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int or float, default=1
        Fewest rows of a leaf; a float is a share of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the weight of all rows in a leaf.
    max_features : int, float, "sqrt", "log2" or None, default=1.0
        Columns that are looked at per split.
    max_leaf_nodes : int, optional
        Most leaves of a tree; the node that gains most is split first.
    min_impurity_decrease : float, default=0.0
        Least gain of a split, times the share of its rows.
    bootstrap : bool, default=False
        Whether each tree sees rows drawn with replacement, or all of them.
    oob_score : bool or callable, default=False
        Whether rows are predicted by the trees that have not seen them (tree.09); a function of
        truths and predictions replaces the coefficient of
        determination.
    n_jobs : int, optional
        Threads, a tree each; the forest does not depend on it.
    random_state : int, Generator or RandomState, optional
        Source of the draws of rows, columns and thresholds.
    verbose : int, default=0
        Without effect: growth of more than two seconds shows its progress.
    warm_start : bool, default=False
        Whether ``fit`` keeps the trees that there are and adds what is missing.
    ccp_alpha : float, default=0.0
        Price of a leaf in cost-complexity pruning of each tree.
    max_samples : int or float, optional
        Rows drawn per tree, as many as there are by default; a float is a share.
    monotonic_cst : array-like of -1, 0 and 1, or mapping, optional
        Directions in which predictions may move with each column.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Columns of categories: those of categorical type in a frame, or a mask, numbers or names. A
        split sends a set of them left; those not seen in the fit go the way of missing values.
    interaction_cst : "pairwise", "no_interactions" or sequence of sets, optional
        Groups of columns, by number or name, that may stand together on a path; columns in no
        group form one.
    max_tree_features : int or float, optional
        Columns that each tree may use at all, drawn once per tree (tree.07).
    growth : {"auto", "binned", "exact"}, default="auto"
        Without effect: thresholds are drawn between the values themselves.
    max_bins : int, default=255
        Bins per column.
    keep_leaves : bool, default=False
        Whether the training rows of all leaves are kept, for :meth:`predict_dist`.

    Attributes
    ----------
    forest_ : margin.search.Forest
        All trees as flat arrays.
    estimators_ : list of DecisionTreeRegressor
        The trees, each as an estimator; its ``random_state`` grows it again on its rows.
    estimator_ : DecisionTreeRegressor
        What every tree looked like before it was grown.
    estimators_samples_ : list of ndarray of int
        Rows drawn for each tree.
    draws_ : Draws
        What each tree has seen, by its seed.
    feature_importances_ : ndarray of shape (n_features,)
        Mean share of each column in the impurity that splits removed (tree.10); it favours columns
        with many values, see :meth:`out_of_bag_importance`.
    oob_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        Predictions out of the bag, with ``oob_score``; zero where every tree has seen a row.
    oob_score_ : float
        Score on rows out of the bag, with ``oob_score``.
    fit_report_ : FitReport
        Trees grown, and the impurity of their leaves.
    n_outputs_ : int
        Number of targets.
    category_columns_ : CategoryColumns or None
        Categories of the columns that have any.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    A tree costs :math:`O(n m \log n)` for :math:`m` columns per split; nothing is sorted.

    References
    ----------
    Geurts, Ernst, Wehenkel. Extremely randomized trees. Machine Learning 63, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from margin.ensemble import ExtraTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ExtraTreesRegressor(50, bootstrap=True, oob_score=True, random_state=0).fit(X, y)
    >>> model.oob_score_ > 0.3
    True
    """

    card = Card(
        tasks=("regression",),
        cost="linear",
        search_space={"min_samples_leaf": [1, 3, 10], "max_features": ["sqrt", 0.33, 0.66]},
    )

    _splitter = "random"

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = False,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: Any = None,
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        interaction_cst: Any = None,
        max_tree_features: Any = None,
        growth: str = "auto",
        max_bins: int = 255,
        keep_leaves: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.interaction_cst = interaction_cst
        self.max_tree_features = max_tree_features
        self.growth = growth
        self.max_bins = max_bins
        self.keep_leaves = keep_leaves
