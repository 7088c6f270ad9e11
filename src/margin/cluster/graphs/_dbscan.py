"""Clusters as connected dense regions."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from sklearn.base import BaseEstimator, ClusterMixin

from margin.cluster.graphs._neighbourhoods import Lists, Search, within
from margin.core import Solution, Status, atomic, check, threads
from margin.core.types import Array, Bools, Floats, Indices


class DBSCAN(ClusterMixin, BaseEstimator):
    r"""Clusters of rows that dense neighbourhoods connect; all others are noise (cluster.14).

    A row is a core when the rows within ``eps``, itself included, weigh ``min_samples`` or more.
    Cores within ``eps`` of each other are of one cluster; a row that is no core belongs to the
    first cluster with a core within ``eps``, or to none (label -1).

    Parameters
    ----------
    eps : float, default=0.5
        Radius of a neighbourhood.
    min_samples : int, default=5
        Weight that makes a row a core.
    metric : str or callable, default="euclidean"
        As in scikit-learn's neighbours, or ``"precomputed"`` for a matrix of distances, which may
        be sparse.
    metric_params : dict, optional
        Further parameters of the metric.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        How neighbours are searched for.
    leaf_size : int, default=30
        Rows of a leaf of a tree.
    p : float, optional
        Power of the Minkowski distance.
    n_jobs : int, optional
        Threads, all by default; the answer does not depend on it.

    Attributes
    ----------
    core_sample_indices_ : ndarray of shape (n_core_samples,)
        Rows that are cores.
    components_ : ndarray of shape (n_core_samples, n_features)
        Those rows.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, -1 for noise.
    fit_report_ : FitReport
        Numbers of clusters, cores and noise.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Memory for all pairs within ``eps``. Columns of different units want scaling first.

    References
    ----------
    M. Ester, H.-P. Kriegel, J. Sander, X. Xu, A density-based algorithm for discovering clusters,
    KDD (1996).

    Examples
    --------
    >>> from margin.cluster import DBSCAN
    >>> DBSCAN(eps=1.5, min_samples=2).fit([[0.0], [1.0], [2.0], [9.0], [10.0], [50.0]]).labels_
    array([ 0,  0,  0,  1,  1, -1])
    """

    def __init__(
        self,
        eps: float = 0.5,
        *,
        min_samples: int = 5,
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Or a matrix of distances.
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row adds to its neighbourhoods; a negative weight takes away.

        Returns
        -------
        self
        """
        check.params(
            self,
            count="min_samples leaf_size",
            positive="eps",
            one_of={"algorithm": ("auto", "ball_tree", "kd_tree", "brute")},
        )
        search = self._search()
        X = check.table(self, X, sparse=True, order="C", reset=True)
        weight = _weights(self, sample_weight, X.shape[0])
        near = within(self, X, float(self.eps), search)
        core = _cores(near, weight, float(self.min_samples))
        self.labels_ = _labels(near, core)
        self.core_sample_indices_ = np.flatnonzero(core)
        rows = self.core_sample_indices_
        self.components_ = X[rows].copy() if len(rows) else np.empty((0, X.shape[1]))
        self.fit_report_ = check.report(self, self._told(core))
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the labels of the rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.asarray(self.fit(X, sample_weight=sample_weight).labels_)

    def _search(self) -> Search:
        if not isinstance(self.metric, str) and not callable(self.metric):
            raise check.fail(self, "metric", "a name or a callable", self.metric)
        if self.metric_params is not None and not isinstance(self.metric_params, dict):
            raise check.fail(self, "metric_params", "a dict or None", self.metric_params)
        if self.p is not None:
            check.params(self, nonnegative="p")
        params = dict(self.metric_params or {})
        if self.p is not None and "p" in params:
            warnings.warn(
                "Parameter p is found in metric_params. The corresponding parameter from __init__ "
                "is ignored.",
                SyntaxWarning,
                stacklevel=4,
            )
        elif self.p is not None:
            params["p"] = self.p
        metric = self.metric
        if isinstance(metric, str) and metric == "euclidean" and "p" in params:
            metric = "minkowski"
        n_threads = threads.count(self.n_jobs)
        return Search(metric, params, self.algorithm, int(self.leaf_size), n_threads)

    def _told(self, core: Bools) -> Solution:
        k = int(self.labels_.max(initial=-1)) + 1
        noise = int(np.count_nonzero(self.labels_ < 0))
        text = f"{k} clusters, {int(core.sum())} core rows, {noise} rows of noise"
        return Solution(np.empty(0), Status.CONVERGED, 0, float(noise), {}, solver=text)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self.metric, str) and self.metric == "precomputed"
        return tags


def _weights(owner: Any, sample_weight: Any, n: int) -> Floats:
    if sample_weight is None:
        return np.ones(n)
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.ndim == 0:
        weight = np.full(n, float(weight))
    if weight.shape != (n,) or not np.isfinite(weight).all():
        need = f"{n} finite numbers"
        raise check.fail(owner, "sample_weight", need, f"shape {weight.shape}")
    return weight


def _cores(near: Lists, weight: Floats, least: float) -> Bools:
    mass = np.bincount(near.rows(), weights=weight[near.number], minlength=len(weight))
    # Sums of weights in any order of the neighbours: equality is meant up to rounding.
    return np.asarray(mass >= least - 1e-9 * max(1.0, least))


def _labels(near: Lists, core: Bools) -> Indices:
    """Connected cores in the order of their first row; the others go to the first they reach."""
    n, rows = len(core), near.rows()
    both = core[rows] & core[near.number]
    pairs = (np.ones(int(both.sum()), np.int8), (rows[both], near.number[both]))
    _, piece = connected_components(csr_array(pairs, shape=(n, n)), directed=False)
    label = np.full(n, -1, dtype=np.int64)
    cores = np.flatnonzero(core)
    names, first = np.unique(piece[cores], return_index=True)
    rank = np.empty(n, dtype=np.int64)
    rank[names[np.argsort(first)]] = np.arange(len(names))
    label[cores] = rank[piece[cores]]
    edge = core[near.number] & ~core[rows]
    best = np.full(n, n, dtype=np.int64)
    np.minimum.at(best, rows[edge], label[near.number[edge]])
    return np.where(~core & (best < n), best, label)
