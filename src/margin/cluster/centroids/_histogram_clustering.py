"""Clusters of histograms."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.special import xlogy
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from margin.cluster.centroids._alternation import Assigned, alternate, filled, seeding_weight
from margin.cluster.centroids._restarts import best_of, n_starts, told_of_few
from margin.cluster.seeding._starts import check_init, starts, too_few
from margin.core import Card, Solution, atomic, check, random
from margin.core.types import Array, Floats


class HistogramClustering(ClusterMixin, BaseEstimator):
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
        X : array-like of shape (n_samples, n_features)
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
        check.params(self, count="n_clusters max_iter", positive="smoothing")
        check_init(self, self.init)
        count = n_starts(self, self.init, self.n_init, 10)
        X = check.table(self, X, order="C", reset=True)
        weight = check.weights(self, sample_weight, X.shape[0])
        k, smoothing = int(self.n_clusters), float(self.smoothing)
        too_few(self, X.shape[0], k)
        counts = _counts(self, X)
        P = counts / np.maximum(counts.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        rng = random.generator(self.random_state)
        w = np.ones(len(P)) if weight is None else weight
        seen = np.asarray(counts.any(axis=1))
        aimed = seeding_weight(weight, seen)

        def update(assigned: Assigned, at: Floats) -> tuple[Floats, tuple[str, ...]]:
            label, mended = filled(assigned, k, aimed, 1e-12 * float(counts.max()))
            hot = np.zeros((k, len(label)))
            hot[label, np.arange(len(label))] = w
            return _distributions(hot @ counts, smoothing), mended

        def climb(start: Floats) -> Solution:
            return alternate(
                lambda at: _assigned(counts, at), update,
                _distributions(np.maximum(start, 0.0), smoothing), weight,
                max_iter=int(self.max_iter), solver="histogram Lloyd",
            )  # fmt: skip

        solution = best_of(climb, lambda: starts(self, P, k, self.init, aimed, rng), count)
        assigned = solution.extras["assigned"]
        self.cluster_centers_, self.labels_ = solution.x, assigned.label
        self.inertia_, self.n_iter_ = float(w @ assigned.cost), int(solution.n_iter)
        solution = told_of_few(self, solution, assigned.label, k)
        empty = int(np.count_nonzero(~seen))
        notes = (f"{empty} rows without counts say nothing: cluster 0",) if empty else ()
        self.fit_report_ = check.report(self, solution, notes)
        return self

    def predict(self, X: Any) -> Array:
        """The nearest distribution of every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        X = check.table(self, X, order="C")
        return _assigned(_counts(self, X), self.cluster_centers_).label

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def _counts(owner: Any, X: Array) -> Floats:
    counts = np.asarray(X, dtype=np.float64)
    if counts.min() < 0:
        name = check.named(owner)
        raise ValueError(
            f"{name}: X must be at least 0 everywhere, got {counts.min()}: Negative values in data "
            f"passed to {name}"
        )
    return counts


def _distributions(sums: Floats, smoothing: float) -> Floats:
    raised = sums + smoothing
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _assigned(counts: Floats, centres: Floats) -> Assigned:
    total = counts.sum(axis=1)
    cross = np.einsum("ij,kj->ik", counts, np.log(centres))
    label = cross.argmax(axis=1).astype(np.int32)
    entropy = xlogy(counts, counts / np.where(total > 0, total, 1.0)[:, None]).sum(axis=1)
    return Assigned(label, np.maximum(entropy - cross[np.arange(len(label)), label], 0.0))
