"""A tree of random questions that predicts classes."""

from typing import Any

from margin.core import Card
from margin.tree._classifier_tree import ClassifierTree


class ExtraTreeClassifier(ClassifierTree):
    r"""Extremely randomised classification tree: thresholds drawn, the best of a few columns taken.

    Weak alone, and meant for averages: see :class:`margin.ensemble.ExtraTreesClassifier`.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "misclassification"}, default="gini"
        Impurity :math:`1 - \sum p_k^2`, :math:`-\sum p_k \log_2 p_k` (two names) or
        :math:`1 - \max p_k` of the class shares in a node.
    splitter : {"best", "random"}, default="random"
        The best threshold of each column, or one drawn between its smallest and largest value.
    max_depth : int, optional
        Most questions on a path; 1 gives a stump (tree.04).
    min_samples_split : int or float, default=2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int or float, default=1
        Fewest rows of a leaf; a float is a share of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the weight of all rows in a leaf.
    max_features : int, float, "sqrt" or "log2", default="sqrt"
        Columns that are looked at per split, drawn among those that vary in the node; all of them
        if None.
    random_state : int, Generator or RandomState, optional
        Source of the draws of columns and thresholds; the best splits of all columns need none.
    max_leaf_nodes : int, optional
        Most leaves; the node that gains most is split first.
    min_impurity_decrease : float, default=0.0
        Least gain of a split, times the share of its rows.
    class_weight : mapping, list of mappings or "balanced", optional
        Weights of the classes; a list has one mapping per output.
    ccp_alpha : float or "cv", default=0.0
        Price of a leaf in cost-complexity pruning of the whole tree (tree.03); ``"cv"`` takes the
        price of least loss on rows held out.
    monotonic_cst : array-like of -1, 0 and 1, or mapping, optional
        Directions in which predictions may move with each column, of the probability of the
        second of two classes.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Columns of categories: those of categorical type in a frame, or a mask, numbers or names. A
        split sends a set of them left; those not seen in the fit go the way of missing values.
    interaction_cst : "pairwise", "no_interactions" or sequence of sets, optional
        Groups of columns, by number or name, that may stand together on a path; columns in no
        group form one.
    split_features : array-like of bool, int or str, optional
        Columns that splits may use. With one column and ``max_depth=1`` this is the vertical
        stump (tree.04).
    cv : int, splitter or iterable, default=5
        Folds for ``ccp_alpha="cv"``.
    n_jobs : int, optional
        Threads; the tree does not depend on it.

    Attributes
    ----------
    tree_ : Tree
        The tree as arrays.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each column in the impurity that the splits removed.
    classes_ : ndarray of shape (n_classes,), or list of them
        Labels, one array per output.
    n_classes_ : int or ndarray of int
        Number of labels.
    ccp_alpha_ : float
        Strength of the pruning.
    fit_report_ : FitReport
        Levels grown, and the impurity of the leaves.
    pruning_choice_ : PruningChoice
        Strengths compared and their losses, with ``ccp_alpha="cv"``.
    max_features_ : int
        Columns looked at per split.
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
    A node costs a pass over its rows for each column looked at; nothing is sorted. Missing values
    (NaN) go to a random side, or with most rows where none was seen.

    References
    ----------
    Geurts, Ernst, Wehenkel. Extremely randomized trees. Machine Learning 63, 2006.

    Examples
    --------
    >>> from margin.tree import ExtraTreeClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> ExtraTreeClassifier(random_state=0).fit(X, y).score(X, y)
    1.0
    """

    card = Card(tasks=("classification",), cost="linear", on_request=True)

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "random",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: Any = 0.0,
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        interaction_cst: Any = None,
        split_features: Any = None,
        cv: Any = 5,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.interaction_cst = interaction_cst
        self.split_features = split_features
        self.cv = cv
        self.n_jobs = n_jobs
