"""k-means from above, by splits in two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np

from margin.cluster.centroids._centre_model import CentreModel
from margin.cluster.centroids._k_means import ALGORITHMS
from margin.cluster.centroids._restarts import (
    Speaker,
    as_given,
    best_of,
    mean_variance,
    told_of_few,
)
from margin.cluster.seeding._starts import check_init, starts, too_few
from margin.core import Card, Iterate, Stop, atomic, check, iterate, random, threads
from margin.core.types import Array, Floats, Indices
from margin.inference import Lloyd, nearest_labels, pass_over, rows_near


class _Tree(NamedTuple):
    """Clusters so far: node of every row, and per node its children, centre and error."""

    node: Indices
    children: tuple[tuple[int, int], ...]
    centres: tuple[Floats, ...]
    error: tuple[float, ...]

    def leaves(self) -> list[int]:
        return [i for i, pair in enumerate(self.children) if pair[0] < 0]


class BisectingKMeans(CentreModel):
    r"""Clusters by repeated splits in two (cluster.09).

    From one cluster on, the one with the largest error (or the most rows) is split by k-means with
    two centres: a divisive tree, whose total error never rises.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    init : {"k-means++", "random", "first", "partition", "farthest"} or callable, default="random"
        Starting centres of a split.
    n_init : int, default=1
        Starts of a split, of which the best is kept.
    random_state : int, Generator, RandomState or None, default=None
        For the starts.
    max_iter : int, default=300
        Most iterations of a start.
    verbose : int, default=0
        Whether to print the splits.
    tol : float, default=1e-4
        As for :class:`KMeans`.
    copy_x : bool, default=True
        Without effect: the table is never written to.
    algorithm : {"lloyd", "elkan", "hamerly", "auto"}, default="lloyd"
        As for :class:`KMeans`.
    bisecting_strategy : {"biggest_inertia", "largest_cluster"}, default="biggest_inertia"
        Which cluster is split next.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The means.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    inertia_ : float
        The weighted sum of squared errors.
    children_ : ndarray of shape (2 n_clusters - 1, 2)
        Nodes that a node was split into; -1 for clusters.
    fit_report_ : FitReport
        Trace of the total error over the splits.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Examples
    --------
    >>> from margin.cluster import BisectingKMeans
    >>> X = [[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]]
    >>> BisectingKMeans(n_clusters=3, random_state=0).fit(X).inertia_
    1.5
    """

    card = Card(tasks=("clustering", "transform"), search_space={"n_clusters": [2, 5]})

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "random",
        n_init: int = 1,
        random_state: Any = None,
        max_iter: int = 300,
        verbose: int = 0,
        tol: float = 1e-4,
        copy_x: bool = True,
        algorithm: str = "lloyd",
        bisecting_strategy: str = "biggest_inertia",
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.tol = tol
        self.copy_x = copy_x
        self.algorithm = algorithm
        self.bisecting_strategy = bisecting_strategy

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Split until there are enough clusters.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        check.params(
            self,
            count="n_clusters n_init max_iter",
            nonnegative="tol",
            flag="copy_x",
            one_of={
                "algorithm": ALGORITHMS,
                "bisecting_strategy": ("biggest_inertia", "largest_cluster"),
            },
        )
        check_init(self, self.init)
        if not isinstance(self.init, str) and not callable(self.init):
            raise check.fail(self, "init", "a name or a callable", self.init)
        X = check.table(self, X, sparse=True, order="C", reset=True)
        weight = check.weights(self, sample_weight, X.shape[0])
        too_few(self, X.shape[0], self.n_clusters)
        stop = Stop("", None, max(1, int(self.n_clusters) - 1), unit="split", keep="last",
                    monotone=1e-9)  # fmt: skip
        solution = iterate(self._splits(X, weight), stop, solver="bisection")
        tree: _Tree = solution.x
        leaves = tree.leaves()
        label = np.full(len(tree.children), -1, dtype=np.int32)
        label[leaves] = np.arange(len(leaves))
        self.cluster_centers_ = as_given(np.stack([tree.centres[i] for i in leaves]), X)
        self.labels_ = label[tree.node]
        self.children_ = np.array(tree.children, dtype=np.int64)
        self.inertia_ = float(sum(tree.error[i] for i in leaves))
        self._node_centres, self._node_label = np.stack(tree.centres), label
        solution = told_of_few(self, solution, self.labels_, int(self.n_clusters))
        self.fit_report_ = check.report(self, solution)
        return self

    def _splits(self, X: Any, weight: Floats | None) -> Iterator[Iterate]:
        rng, speaker, n = random.generator(self.random_state), Speaker(self.verbose), X.shape[0]
        first = pass_over(X, weight, np.zeros((1, X.shape[1])), threads.count(None))
        middle = first.sums / first.mass[:, None]
        error = pass_over(X, weight, middle, threads.count(None)).inertia
        tree = _Tree(np.zeros(n, dtype=np.int64), ((-1, -1),), (middle[0],), (float(error),))
        alone = "one cluster has nothing to split" if self.n_clusters == 1 else ""
        yield Iterate(tree, error, n_iter=0, done=alone)
        algorithm = "lloyd" if self.algorithm == "auto" else self.algorithm
        variance = error / (n * X.shape[1]) if weight is None else mean_variance(X)
        method = Lloyd(self.tol * variance, int(self.max_iter), algorithm)
        for n_iter in range(1, int(self.n_clusters)):
            chosen = self._chosen(tree, weight)
            rows = np.flatnonzero(tree.node == chosen)
            if len(rows) < 2:
                yield Iterate(tree, sum(tree.error[i] for i in tree.leaves()), n_iter=n_iter,
                              stuck="no cluster has two rows")  # fmt: skip
                return
            tree = self._split(tree, X, weight, chosen, rows, method, rng)
            total = float(sum(tree.error[i] for i in tree.leaves()))
            speaker.say(f"Split {n_iter}, inertia {total}.")
            yield Iterate(tree, total, n_iter=n_iter)

    def _chosen(self, tree: _Tree, weight: Floats | None) -> int:
        sizes = np.bincount(tree.node, minlength=len(tree.children))
        leaves = [i for i in tree.leaves() if sizes[i] > 1] or tree.leaves()
        measure = sizes if self.bisecting_strategy == "largest_cluster" else tree.error
        return max(leaves, key=lambda i: measure[i])

    def _split(
        self,
        tree: _Tree,
        X: Any,
        weight: Floats | None,
        chosen: int,
        rows: Indices,
        method: Lloyd,
        rng: np.random.Generator,
    ) -> _Tree:
        part = X if len(rows) == X.shape[0] else X[rows]
        mass = None if weight is None else weight[rows]
        if mass is not None and not mass.any():
            mass = None
        n_threads = threads.count(None)
        solution = best_of(
            lambda start: method(rows_near(part, mass, start, n_threads), start),
            lambda: starts(self, part, 2, self.init, mass, rng, n_threads),
            int(self.n_init),
        )
        assigned, node = solution.extras["assigned"], tree.node.copy()
        m = len(tree.children)
        node[rows] = m + assigned.label
        square = assigned.square if mass is None else mass * assigned.square
        error = np.bincount(assigned.label, weights=square, minlength=2).tolist()
        children = list(tree.children)
        children[chosen] = (m, m + 1)
        return _Tree(
            node,
            (*children, (-1, -1), (-1, -1)),
            (*tree.centres, *solution.x),
            (*tree.error, *error),
        )

    def predict(self, X: Any) -> Array:
        """The cluster that the splits lead a row to.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        X = check.table(self, X, sparse=True, order="C")
        node = np.zeros(X.shape[0], dtype=np.int64)
        for parent, pair in enumerate(self.children_):
            rows = np.flatnonzero(node == parent)
            if pair[0] >= 0 and len(rows):
                centres = np.ascontiguousarray(self._node_centres[pair])
                node[rows] = pair[nearest_labels(X[rows], centres, threads.count(None))]
        return np.asarray(self._node_label[node])
