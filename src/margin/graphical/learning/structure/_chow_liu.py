"""Trees of largest likelihood."""

import numpy as np
from sklearn.base import BaseEstimator

from margin.core import Card, Solution, Status, atomic, check
from margin.graphical.learning.structure import _columns
from margin.search import Categories, NetworkScore, information_matrix, maximum_spanning_tree


class ChowLiu(BaseEstimator):
    r"""Tree of largest likelihood over categorical columns.

    The log likelihood of a tree is :math:`n \sum_{(i, j)} I(i; j) - n \sum_j H(j)`: the best one is
    a spanning tree of largest total mutual information.

    Parameters
    ----------
    root : column name, optional
        Root of the tree; the first column by default. It changes no probability.

    Attributes
    ----------
    graph_ : DAG
        The tree, arcs away from the root.
    score_ : float
        Its maximised log likelihood.
    information_ : ndarray of shape (n_columns, n_columns)
        Mutual information of every pair, in nats.
    fit_report_ : FitReport
        The method.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    Every pair is counted on the rows that know both columns; ``score_`` is scaled to all rows.

    Examples
    --------
    >>> from margin.graphical import ChowLiu
    >>> rows = [[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1]]
    >>> model = ChowLiu().fit(rows)
    >>> model.graph_.edges, round(model.score_, 6)
    (((0, 1), (0, 2)), -4.158883)
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(self, *, root=None):
        self.root = root

    @atomic
    def fit(self, X, y=None, sample_weight=None):
        """Learn the tree; parameters as in :meth:`HillClimb.fit`."""
        data = Categories.of(self, X, sample_weight=sample_weight).compressed()
        root = _position(self, "root", self.root, data.names, default=0)
        information = information_matrix(data)
        store_tree(self, X, data, maximum_spanning_tree(information, root), "Chow–Liu tree")
        self.information_ = information
        return self


class TAN(BaseEstimator):
    r"""Tree-augmented naive Bayes: a class column, and a tree over the others given it.

    Every column has the class as a parent and at most one further one; the tree maximises
    :math:`\sum I(i; j \mid c)` and with it the likelihood of all such graphs.

    Parameters
    ----------
    target : column name, optional
        The class; the last column by default.
    root : column name, optional
        Root of the tree; the first column that is not the class by default.

    Attributes
    ----------
    graph_ : DAG
        Arcs from the class and of the tree.
    score_ : float
        Its maximised log likelihood.
    information_ : ndarray of shape (n_columns, n_columns)
        Mutual information of every pair given the class, in nats.
    fit_report_ : FitReport
        The method.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    Unknown values as in :class:`ChowLiu`.

    Examples
    --------
    >>> from margin.graphical import TAN
    >>> rows = [[0, 0, "a"], [1, 1, "a"], [0, 0, "b"], [1, 1, "b"]]
    >>> TAN().fit(rows).graph_.edges
    ((0, 1), (2, 0), (2, 1))
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(self, *, target=None, root=None):
        self.target = target
        self.root = root

    @atomic
    def fit(self, X, y=None, sample_weight=None):
        """Learn the graph; parameters as in :meth:`HillClimb.fit`."""
        data = Categories.of(self, X, sample_weight=sample_weight).compressed()
        target = _position(self, "target", self.target, data.names, default=len(data.names) - 1)
        others = np.array([i for i in range(len(data.names)) if i != target])
        if not len(others):
            raise check.fail(self, "X", "of at least one column besides the class", "one column")
        root = _position(self, "root", self.root, data.names, default=int(others[0]))
        if root == target:
            raise check.fail(self, "root", "different from the class", self.root)
        information = information_matrix(data, given=target)
        arcs = maximum_spanning_tree(information, root, others)
        arcs += [(target, int(i)) for i in others]
        store_tree(self, X, data, arcs, "tree-augmented naive Bayes")
        self.information_ = information
        return self


def store_tree(owner, frame, data, arcs, solver):
    """Store graph, log likelihood and report of a graph found in closed form."""
    adjacency = np.zeros((len(data.names),) * 2, dtype=np.uint8)
    for parent, child in arcs:
        adjacency[parent, child] = 1
    # AIC is the log likelihood less the number of free parameters.
    cards = data.cards
    free = sum(
        (cards[j] - 1) * np.prod(cards[np.flatnonzero(adjacency[:, j])])
        for j in range(len(data.names))
    )
    likelihood = float(NetworkScore.of(owner, data, "aic").total(adjacency) + free)
    owner.graph_ = _columns.dag(adjacency, data.names)
    owner.score_ = likelihood
    _columns.remember(owner, frame, data.names)
    solution = Solution(
        x=adjacency.astype(np.float64),
        status=Status.CONVERGED,
        n_iter=1,
        objective=likelihood,
        trace={"objective": np.array([likelihood])},
        solver=solver,
    )
    owner.fit_report_ = check.report(owner, solution)


def _position(owner, parameter, name, names, default):
    if name is None:
        return default
    if name not in names:
        raise check.fail(owner, parameter, f"one of the columns {list(names)}", name)
    return names.index(name)
