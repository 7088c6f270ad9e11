"""Trees of largest likelihood."""

from typing import Any, Self

import numpy as np

from margin.core import Card, Solution, Status, atomic, check
from margin.graphical.learning.structure._structure_learner import StructureLearner
from margin.graphical.learning.structure._table import categories
from margin.graphs import DAG
from margin.search import Categories, NetworkScore, information_matrix, maximum_spanning_tree


class ChowLiu(StructureLearner):
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

    def __init__(self, *, root: Any = None) -> None:
        self.root = root

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the tree; parameters as in :meth:`HillClimb.fit`."""
        data = categories(self._name, X, sample_weight).compressed()
        root = position(self._name, "root", self.root, data.names, default=0)
        information = information_matrix(data)
        arcs = maximum_spanning_tree(information, root)
        solution = scored_tree(data, arcs, "Chow–Liu tree")
        graph = DAG.from_adjacency(solution.x, data.names)
        self._store(X, data.names, graph, solution.objective, check.report(self, solution))
        self.information_ = information
        return self


class TAN(StructureLearner):
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

    def __init__(self, *, target: Any = None, root: Any = None) -> None:
        self.target = target
        self.root = root

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the graph; parameters as in :meth:`HillClimb.fit`."""
        data = categories(self._name, X, sample_weight).compressed()
        last = len(data.names) - 1
        target = position(self._name, "target", self.target, data.names, default=last)
        others = np.array([i for i in range(len(data.names)) if i != target])
        if not len(others):
            raise check.fail(self, "X", "of at least one column besides the class", "one column")
        root = position(self._name, "root", self.root, data.names, default=int(others[0]))
        if root == target:
            raise check.fail(self, "root", "different from the class", self.root)
        information = information_matrix(data, given=target)
        arcs = maximum_spanning_tree(information, root, others)
        arcs += [(target, int(i)) for i in others]
        solution = scored_tree(data, arcs, "tree-augmented naive Bayes")
        graph = DAG.from_adjacency(solution.x, data.names)
        self._store(X, data.names, graph, solution.objective, check.report(self, solution))
        self.information_ = information
        return self


def scored_tree(data: Categories, arcs: list[tuple[int, int]], solver: str) -> Solution:
    """Adjacency and log likelihood of a graph found in closed form."""
    adjacency = np.zeros((len(data.names),) * 2, dtype=np.uint8)
    for parent, child in arcs:
        adjacency[parent, child] = 1
    # AIC is the log likelihood less the number of free parameters.
    cards = data.cards
    free = sum(
        (cards[j] - 1) * np.prod(cards[np.flatnonzero(adjacency[:, j])])
        for j in range(len(data.names))
    )
    likelihood = float(NetworkScore.of("tree", data, "aic").total(adjacency) + free)
    return Solution(
        x=adjacency.astype(np.float64),
        status=Status.CONVERGED,
        n_iter=1,
        objective=likelihood,
        trace={"objective": np.array([likelihood])},
        solver=solver,
    )


def position(owner: str, parameter: str, name: Any, names: tuple[Any, ...], default: int) -> int:
    """Place of a column by its name, or the default where none is named."""
    if name is None:
        return default
    if name not in names:
        raise check.fail(owner, parameter, f"one of the columns {list(names)}", name)
    return names.index(name)
