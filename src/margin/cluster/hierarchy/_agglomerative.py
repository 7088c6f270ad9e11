"""Clusters by merges from below."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, check_memory

from margin.cluster.centroids._k_medoids import proximities
from margin.cluster.hierarchy._merging import (
    LINKAGES,
    SQUARED,
    bytes_needed,
    connected,
    merged,
    merged_along,
    merged_rows,
    stepwise,
)
from margin.cluster.hierarchy._tree import MergeTree
from margin.core import Solution, Status, atomic, check, memory, threads
from margin.core.types import Array, Indices

_ALONG = ("ward", "complete", "average", "single")
_ALWAYS = 2**26  # bytes that any machine has


class AgglomerativeClustering(ClusterMixin, BaseEstimator):
    r"""Merges of the closest clusters, from single rows on (cluster.07, cluster.08, cluster.10).

    The two clusters with the least :math:`d(A, B)` become one, again and again. The whole history
    is kept: :meth:`cut` gives the clusters at any number.

    Parameters
    ----------
    n_clusters : int or None, default=2
        Where the merges stop; None with a ``distance_threshold``.
    metric : str or callable, default="euclidean"
        As in :func:`sklearn.metrics.pairwise_distances`, or ``"precomputed"`` for any matrix of
        distances.
    memory : str or joblib Memory, optional
        Where trees are kept between fits.
    connectivity : array-like, sparse matrix or callable, optional
        Graph of rows; only clusters that are next to each other are merged.
    compute_full_tree : "auto" or bool, default="auto"
        Whether merges along a graph go on to the end.
    linkage : str or callable, default="ward"
        What the distance of two clusters is: ``"ward"``, ``"complete"``, ``"average"``,
        ``"single"``, ``"weighted"``, ``"centroid"`` or ``"median"``; or
        ``linkage(X, rows, others)``, the price of a merge: stepwise-optimal clustering.
    distance_threshold : float, optional
        Clusters at this distance or further apart are not merged.
    compute_distances : bool, default=False
        Whether to give ``distances_`` without a threshold.

    Attributes
    ----------
    n_clusters_ : int
        Clusters found.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    children_ : ndarray of shape (n_samples - 1, 2)
        Merged clusters: rows, or ``n_samples`` plus the number of an earlier merge.
    distances_ : ndarray of shape (n_samples - 1,)
        Distances of the merges.
    linkage_matrix_ : ndarray of shape (n_samples - 1, 4)
        Children, distance and size, as SciPy's functions take them.
    n_leaves_ : int
        Rows.
    n_connected_components_ : int
        Pieces of the graph.
    fit_report_ : FitReport
        How the tree was built; its objective is the last distance.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^2)` time and memory by chains of nearest neighbours; of Euclidean distances most are
    computed late and few stand in memory at once. A minimum spanning tree for single linkage, and
    Ward's merges of up to 64 features, found from the means of clusters, take memory for the rows
    alone. Centroid and median take about :math:`O(n^2)` in practice. Centroid and median may
    merge at a smaller distance than before. Single and complete linkage are sensitive to outliers.

    References
    ----------
    D. Müllner, Modern hierarchical, agglomerative clustering algorithms, arXiv:1109.2378 (2011).

    Examples
    --------
    >>> from margin.cluster import AgglomerativeClustering
    >>> model = AgglomerativeClustering(linkage="single").fit([[0.0], [1.0], [4.0], [6.0]])
    >>> model.labels_, model.linkage_matrix_[:, 2]
    (array([1, 1, 0, 0]), array([1., 2., 3.]))
    >>> model.cut(3)
    array([0, 0, 2, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = 2,
        *,
        metric: Any = "euclidean",
        memory: Any = None,
        connectivity: Any = None,
        compute_full_tree: Any = "auto",
        linkage: Any = "ward",
        distance_threshold: float | None = None,
        compute_distances: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.memory = memory
        self.connectivity = connectivity
        self.compute_full_tree = compute_full_tree
        self.linkage = linkage
        self.distance_threshold = distance_threshold
        self.compute_distances = compute_distances

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Merge the rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or a matrix of distances.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check()
        X = check.table(self, X, order="C", reset=True)
        n = X.shape[0]
        if n < 2:
            raise ValueError(
                f"{type(self).__name__}: X must hold at least 2 samples, got n_samples = {n}: "
                "a minimum of 2 is required."
            )
        if self.n_clusters is not None and self.n_clusters > n:
            raise check.fail(self, "n_clusters", f"at most the {n} samples", self.n_clusters)
        tree, pieces = self._tree_of(X)
        if not np.isfinite(tree.height).all():
            bad = float(tree.height[~np.isfinite(tree.height)][0])
            raise check.fail(self, "X", "scaled so that distances between rows are finite", bad)
        if self.distance_threshold is None:
            k = int(self.n_clusters or 1)
        else:
            k = int(np.count_nonzero(tree.height >= self.distance_threshold)) + 1
        self.n_clusters_, self.labels_ = k, tree.cut(k)
        self.children_, self.n_leaves_ = tree.children, n
        self.n_connected_components_ = pieces
        self.linkage_matrix_ = tree.linkage_matrix()
        if self.compute_distances or self.distance_threshold is not None:
            self.distances_ = tree.height
        elif "distances_" in self.__dict__:
            del self.__dict__["distances_"]
        self.fit_report_ = check.report(self, self._told(tree))
        return self

    def fit_predict(self, X: Any, y: Any = None) -> Array:
        """Fit, and return the labels of the rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.asarray(self.fit(X).labels_)

    def cut(self, n_clusters: int | None = None, *, distance: float | None = None) -> Indices:
        """Labels at another number of clusters, or below a distance, from the same merges.

        Parameters
        ----------
        n_clusters : int, optional
        distance : float, optional
            Merges at this distance or above are undone.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        n, Z = self.n_leaves_, self.linkage_matrix_
        tree = MergeTree(n, self.children_, Z[:, 2], Z[:, 3].astype(np.int64))
        if (n_clusters is None) == (distance is None):
            raise ValueError(f"{type(self).__name__}: give exactly one of n_clusters and distance")
        if n_clusters is None:
            n_clusters = int(np.count_nonzero(Z[:, 2] >= float(distance or 0.0))) + 1
        k = n_clusters
        least = n - len(Z)
        if not isinstance(k, int | np.integer) or not least <= k <= n:
            raise check.fail(self, "n_clusters", f"an integer from {least} to {n}", k)
        return tree.cut(int(k))

    def _check(self) -> None:
        check.params(self, flag="compute_distances")
        named = isinstance(self.linkage, str) and self.linkage in LINKAGES
        if not named and not callable(self.linkage):
            need = f"a callable or one of {', '.join(map(repr, LINKAGES))}"
            raise check.fail(self, "linkage", need, self.linkage)
        if not isinstance(self.metric, str) and not callable(self.metric):
            raise check.fail(self, "metric", "a name or a callable", self.metric)
        if self.linkage in SQUARED and self.metric not in ("euclidean", "l2"):
            raise check.fail(
                self, "metric", f"'euclidean' for linkage {self.linkage!r}", self.metric
            )
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise ValueError(
                f"{type(self).__name__}: Exactly one of n_clusters and distance_threshold has to "
                "be set, and the other needs to be None."
            )
        if self.n_clusters is None:
            check.params(self, nonnegative="distance_threshold")
        else:
            check.params(self, count="n_clusters")
        full = self.compute_full_tree
        if not isinstance(full, bool | np.bool_) and not (isinstance(full, str) and full == "auto"):
            raise check.fail(self, "compute_full_tree", "'auto', True or False", full)
        if self.distance_threshold is not None and not full:
            raise ValueError(
                f"{type(self).__name__}: compute_full_tree must be True if distance_threshold is "
                "set."
            )

    def _tree_of(self, X: Array) -> tuple[MergeTree, int]:
        build = check_memory(self.memory).cache(_built, ignore=["owner"])
        connectivity = self.connectivity(X) if callable(self.connectivity) else self.connectivity
        n, k = len(X), 1
        if connectivity is not None and self.n_clusters is not None:
            full = self.compute_full_tree
            if isinstance(full, str):
                full = self.n_clusters < max(100, 0.02 * n)
            k = 1 if full else int(self.n_clusters)
        tree, pieces = build(self, X, self.metric, self.linkage, connectivity, k)
        return tree, int(pieces)

    def _told(self, tree: MergeTree) -> Solution:
        way = {"single": "minimum spanning tree", "centroid": "closest pairs",
               "median": "closest pairs"}  # fmt: skip
        name = self.linkage if isinstance(self.linkage, str) else "stepwise-optimal"
        along = self.connectivity is not None
        how = (
            "closest neighbours of the graph" if along else way.get(name, "nearest-neighbour chain")
        )
        if not isinstance(self.linkage, str):
            how = "closest pairs by a quality"
        last = float(tree.height[-1]) if len(tree.height) else 0.0
        return Solution(
            np.empty(0), Status.CONVERGED, len(tree.height), last, {}, solver=f"{name}, {how}"
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.metric, str) and self.metric == "precomputed"
        return tags


def _built(
    owner: Any, X: Array, metric: Any, linkage: Any, connectivity: Any, n_clusters: int
) -> tuple[MergeTree, int]:
    """The tree and the pieces of the graph; kept by ``memory``."""
    if connectivity is None and callable(linkage):
        return stepwise(X, linkage), 1
    rows = connectivity is None and isinstance(metric, str) and metric in ("euclidean", "l2")
    _fits(owner, len(X), bytes_needed(len(X), X.shape[1], linkage, rows=rows))
    if isinstance(metric, str) and metric == "cosine" and not np.any(X, axis=1).all():
        raise ValueError(
            f"{check.named(owner)}: Cosine affinity cannot be used when X contains zero vectors"
        )
    if rows:
        return merged_rows(X, linkage, threads.count(None)), 1
    D = proximities(owner, X, metric, None)
    if connectivity is None:
        if isinstance(metric, str) and metric == "precomputed":
            return merged(np.maximum(D, D.T), linkage, own=True), 1
        return merged(D, linkage, own=True), 1
    if linkage not in _ALONG:
        raise check.fail(owner, "linkage", f"one of {_ALONG} with a connectivity", linkage)
    graph, pieces = connected(owner, connectivity, D)
    return merged_along(X, D, graph, linkage, n_clusters), pieces


def _fits(owner: Any, n: int, need: int) -> None:
    """Refuse distances that do not fit into memory."""
    if need <= _ALWAYS:  # asking costs more than the merges of few rows
        return
    room = memory.available()
    if room is not None and need > room:
        raise MemoryError(
            f"{check.named(owner)}: the distances of {n} rows need {need / 2**30:.1f} GiB and "
            f"{room / 2**30:.1f} GiB are free; cluster a sample, or use KMeans first"
        )
