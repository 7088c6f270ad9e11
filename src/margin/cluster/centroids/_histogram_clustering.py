"""Clusters of histograms."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from scipy.special import xlogy
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from margin.cluster.centroids._alternation import Assigned, alternate, filled, seeding_weight
from margin.cluster.centroids._block_model import BlockModel
from margin.cluster.centroids._restarts import best_of, n_starts, told_of_few
from margin.cluster.seeding._candidates import Candidates, TableCandidates
from margin.cluster.seeding._starts import check_init, starts, too_few
from margin.core import Card, Solution, atomic, check, random, threads
from margin.core.types import Array, Floats


class HistogramClustering(BlockModel, ClusterMixin, BaseEstimator):
    r"""Clusters of rows of counts, by the divergence of their distributions (cluster.13).

    .. math:: \min_{c, q} \sum_i w_i n_i \, \mathrm{KL}(p_i, q_{c(i)}), \qquad
              p_{ij} = x_{ij} / n_i,\; n_i = \textstyle\sum_j x_{ij}

    The best :math:`q_c` is the distribution of all counts of the cluster together: the hard limit
    of a mixture of multinomials.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    init : str, callable or array, default="k-means++"
        One of ``"k-means++"``, ``"random"``, ``"first"``, ``"partition"``, ``"farthest"``.
        Starting distributions, as for :class:`KMeans` on the rows divided by their sums.
    n_init : "auto" or int, default="auto"
        Starts, of which the best is kept.
    max_iter : int, default=300
        Most iterations of a start.
    smoothing : float, default=1e-3
        Count that is added to every bin of a cluster: what a cluster has never seen is rare, not
        impossible.
    random_state : int, Generator, RandomState or None, default=None
        For the starts.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The distributions.
    labels_ : ndarray of shape (n_samples,)
        The nearest distribution of each row.
    inertia_ : float
        The weighted sum of divergences, in nats.
    n_iter_ : int
        Iterations of the best start.
    fit_report_ : FitReport
        Trace of the sum with the smoothing, restarted empty clusters.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    References
    ----------
    J. Puzicha, T. Hofmann, J. Buhmann, Histogram clustering for unsupervised image segmentation,
    CVPR (1999).

    Examples
    --------
    >>> from margin.cluster import HistogramClustering
    >>> X = [[9, 1, 0], [18, 2, 0], [0, 1, 9], [0, 2, 18]]
    >>> HistogramClustering(n_clusters=2, random_state=0).fit(X).labels_
    array([1, 1, 0, 0], dtype=int32)
    """

    card = Card(tasks=("clustering",), search_space={"n_clusters": [2, 5]})

    def __init__(
        self,
        *,
        n_clusters: int = 8,
        init: Any = "k-means++",
        n_init: Any = "auto",
        max_iter: int = 300,
        smoothing: float = 1e-3,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.smoothing = smoothing
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the distributions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Counts, at least 0; a row of zeros says nothing and goes to the first cluster,
            which ``fit_report_`` tells.
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        count = self._check_params()
        X = check.table(self, X, sparse=True, order="C", reset=True)
        weight = check.weights(self, sample_weight, X.shape[0])
        return self._search(TableCandidates(X, threads.count(None)), weight, count)

    def _check_params(self) -> int:
        """The number of starts."""
        check.params(self, count="n_clusters max_iter", positive="smoothing")
        check_init(self, self.init)
        return n_starts(self, self.init, self.n_init, 10)

    def _search(self, rows: Candidates, weight: Floats | None, count: int) -> Self:
        """The best of several starts."""
        k, rng = int(self.n_clusters), random.generator(self.random_state)
        smoothing = float(self.smoothing)
        too_few(self, rows.shape[0], k)
        counts = rows.mapped(lambda X: _counts(self, X))
        shares = counts.mapped(_shares)
        totals = np.concatenate(counts.each(_totals))
        rounding = 1e-12 * max(float(block) for block in counts.each(lambda block: block.max()))
        w = np.ones(len(totals)) if weight is None else weight
        aimed = seeding_weight(weight, totals > 0)

        def assign(at: Floats) -> Assigned:
            return Assigned.joined(counts.each(lambda block: _assigned(block, at)))

        def update(assigned: Assigned, at: Floats) -> tuple[Floats, tuple[str, ...]]:
            label, mended = filled(assigned, k, aimed, rounding)
            return _distributions(counts.sums(label, w, k), smoothing), mended

        def climb(start: Floats) -> Solution:
            return alternate(
                assign, update, _distributions(np.maximum(start, 0.0), smoothing), weight,
                max_iter=int(self.max_iter), solver="histogram Lloyd",
            )  # fmt: skip

        solution = best_of(climb, lambda: starts(self, shares, k, self.init, aimed, rng), count)
        assigned = solution.extras["assigned"]
        self.cluster_centers_, self.labels_ = solution.x, assigned.label
        self.inertia_, self.n_iter_ = float(w @ assigned.cost), int(solution.n_iter)
        solution = told_of_few(self, solution, assigned.label, k)
        empty = int(np.count_nonzero(totals == 0))
        notes = (f"{empty} rows without counts say nothing: cluster 0",) if empty else ()
        self.fit_report_ = check.report(self, solution, notes)
        return self

    def predict(self, X: Any) -> Array:
        """The nearest distribution of every row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        X = check.table(self, X, sparse=True, order="C")
        return _assigned(_counts(self, X), self.cluster_centers_).label

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags


def _counts(owner: Any, X: Any) -> Any:
    """The rows in double precision, none below zero."""
    counts = X.astype(np.float64)
    least = float(counts.min())
    if least < 0:
        name = check.named(owner)
        raise ValueError(
            f"{name}: X must be at least 0 everywhere, got {least}: Negative values in data "
            f"passed to {name}"
        )
    return counts


def _totals(counts: Any) -> Floats:
    return np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()


def _shares(counts: Any) -> Any:
    """Rows divided by their sums."""
    factor = 1.0 / np.maximum(_totals(counts), np.finfo(float).tiny)
    return (
        counts.multiply(factor[:, None]).tocsr() if issparse(counts) else counts * factor[:, None]
    )


def _distributions(sums: Floats, smoothing: float) -> Floats:
    raised = sums + smoothing
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _assigned(counts: Any, centres: Floats) -> Assigned:
    total = _totals(counts)
    safe = np.where(total > 0, total, 1.0)
    if issparse(counts):
        cross = np.asarray(counts @ np.log(centres).T)
        place = np.repeat(np.arange(len(total)), np.diff(counts.indptr))
        parts = xlogy(counts.data, counts.data / safe[place])
        entropy = np.bincount(place, parts, minlength=len(total))
    else:
        cross = np.einsum("ij,kj->ik", counts, np.log(centres))
        entropy = xlogy(counts, counts / safe[:, None]).sum(axis=1)
    label = cross.argmax(axis=1).astype(np.int32)
    return Assigned(label, np.maximum(entropy - cross[np.arange(len(label)), label], 0.0))
