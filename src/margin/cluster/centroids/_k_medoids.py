"""Clusters around rows, for any distance."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.metrics import pairwise_distances
from sklearn.utils.validation import check_is_fitted

from margin.cluster.centroids._alternation import Assigned, alternate, filled
from margin.cluster.centroids._restarts import best_of, told_of_few
from margin.cluster.seeding._starts import too_few
from margin.core import Card, Solution, atomic, check, random
from margin.core.types import Array, Floats, Indices


class KMedoids(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    r"""Clusters around rows of the table, for any metric or a matrix (cluster.01, cluster.14).

    .. math:: \min_{c, m} \sum_i w_i \, d(x_i, x_{m_{c(i)}})

    A medoid is the row of its cluster with the least sum of distances. Only distances are needed:
    Minkowski, cosine, or any matrix of proximities. Swaps of a medoid with another row follow until
    none lowers the sum.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    metric : str or callable, default="euclidean"
        As in :func:`sklearn.metrics.pairwise_distances`, or ``"precomputed"``.
    metric_params : dict, optional
        Further parameters of the metric, such as ``{"p": 1.5}`` for ``"minkowski"``.
    init : {"build", "random", "k-medoids++"}, default="build"
        The greedy start, random rows, or rows drawn far apart.
    n_init : int, default=1
        Starts, of which the best end is kept.
    max_iter : int, default=300
        Most iterations.
    random_state : int, Generator, RandomState or None, default=None
        For random starts.

    Attributes
    ----------
    medoid_indices_ : ndarray of shape (n_clusters,)
        Rows that are medoids.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Those rows; None for a matrix of distances.
    labels_ : ndarray of shape (n_samples,)
        The nearest medoid of each row.
    inertia_ : float
        The weighted sum of the distances.
    n_iter_ : int
        Iterations made.
    fit_report_ : FitReport
        Trace of the sum.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^2)` memory; an iteration of swaps :math:`O(n^2)`.

    References
    ----------
    L. Kaufman, P. Rousseeuw, Finding Groups in Data (1990).
    E. Schubert, P. Rousseeuw, Fast and eager k-medoids clustering, Information Systems 101 (2021).

    Examples
    --------
    >>> from margin.cluster import KMedoids
    >>> model = KMedoids(n_clusters=2, metric="manhattan").fit([[0], [1], [3], [10], [11], [100]])
    >>> model.cluster_centers_.ravel(), model.inertia_
    (array([  3., 100.]), 20.0)
    """

    card = Card(
        tasks=("clustering", "transform"), cost="quadratic", search_space={"n_clusters": [2, 5]},
        max_rows=20_000, seeded=False,
    )  # fmt: skip

    def __init__(
        self,
        *,
        n_clusters: int = 8,
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
        init: str = "build",
        n_init: int = 1,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.metric_params = metric_params
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the medoids.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or a matrix of distances.
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
            one_of={"init": ("build", "random", "k-medoids++")},
        )
        if self.metric_params is not None and not isinstance(self.metric_params, dict):
            raise check.fail(self, "metric_params", "a dict or None", self.metric_params)
        if not isinstance(self.metric, str) and not callable(self.metric):
            raise check.fail(self, "metric", "a name or a callable", self.metric)
        X = check.table(self, X, order="C", reset=True)
        weight = check.weights(self, sample_weight, X.shape[0])
        k = int(self.n_clusters)
        too_few(self, X.shape[0], k)
        D = proximities(self, X, self.metric, self.metric_params)
        w = np.ones(len(D)) if weight is None else weight
        rng = random.generator(self.random_state)
        count = 1 if self.init == "build" else int(self.n_init)
        solution = best_of(
            lambda start: _climb(D, start, weight, k, int(self.max_iter)),
            lambda: _start(D, k, w, self.init, rng),
            count,
        )
        assigned = solution.extras["assigned"]
        self.medoid_indices_, self.labels_ = solution.x, assigned.label
        self.inertia_, self.n_iter_ = float(solution.objective), int(solution.n_iter)
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        self.cluster_centers_ = None if given else X[solution.x]
        solution = told_of_few(self, solution, assigned.label, k)
        self.fit_report_ = check.report(self, solution)
        return self

    def predict(self, X: Any) -> Array:
        """The nearest medoid of every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or the distances of new rows to those of the fit.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.asarray(self._distances(X).argmin(axis=1).astype(np.int32))

    def transform(self, X: Any) -> Floats:
        """Distances to the medoids.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or the distances of new rows to those of the fit.

        Returns
        -------
        ndarray of shape (n_samples, n_clusters)
        """
        return self._distances(X)

    def _distances(self, X: Any) -> Floats:
        check_is_fitted(self)
        X = check.table(self, X, order="C")
        if self.cluster_centers_ is None:
            return np.asarray(X[:, self.medoid_indices_])
        params = self.metric_params or {}
        D = pairwise_distances(X, self.cluster_centers_, metric=self.metric, **params)
        return np.asarray(D)

    @property
    def _n_features_out(self) -> int:
        return len(self.medoid_indices_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.metric, str) and self.metric == "precomputed"
        return tags


def proximities(owner: Any, X: Any, metric: Any, params: dict[str, Any] | None) -> Floats:
    """Matrix of distances between the rows, or the one that was given."""
    if isinstance(metric, str) and metric == "precomputed":
        if X.shape[0] != X.shape[1]:
            raise ValueError(
                f"{check.named(owner)}: X must be square for metric='precomputed', got "
                f"{X.shape}: Distance matrix should be square, got matrix of shape {X.shape}"
            )
        return np.asarray(X, dtype=np.float64)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            D = pairwise_distances(X, metric=metric, **(params or {}))
    except ValueError as error:
        if "metric" not in str(error).lower():
            raise
        raise check.fail(owner, "metric", "known to pairwise_distances", metric) from error
    D = np.asarray(D, dtype=np.float64)
    if not np.isfinite(D).all():
        bad = float(D[~np.isfinite(D)][0])
        raise check.fail(owner, "X", "scaled so that distances between rows are finite", bad)
    return D


def _start(D: Floats, k: int, weight: Floats, init: str, rng: np.random.Generator) -> Indices:
    n = len(D)
    if init == "random":
        some = np.flatnonzero(weight > 0)
        pool = some if len(some) >= k else np.arange(n)
        return np.sort(rng.choice(pool, size=k, replace=False))
    least = np.full(n, np.inf)
    chosen: list[int] = []
    for c in range(k):
        if init == "build":
            total = weight @ np.minimum(np.where(np.isinf(least), 1e300, least)[:, None], D) if c \
                else weight @ D  # fmt: skip
            total = np.asarray(total, dtype=np.float64)
            total[chosen] = np.inf
            row = int(total.argmin())
        else:
            mass = weight if c == 0 else weight * least
            sums = np.cumsum(mass) if mass.sum() > 0 else np.cumsum(np.isin(range(n), chosen) < 1)
            row = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
        chosen.append(row)
        least = np.minimum(least, D[row])
    return np.array(chosen, dtype=np.int64)


def _climb(D: Floats, start: Indices, weight: Floats | None, k: int, max_iter: int) -> Solution:
    w = np.ones(len(D)) if weight is None else weight

    def assign(medoids: Indices) -> Assigned:
        near = D[:, medoids]
        label = near.argmin(axis=1).astype(np.int32)
        return Assigned(label, near[np.arange(len(D)), label])

    def update(assigned: Assigned, medoids: Indices) -> tuple[Indices, tuple[str, ...]]:
        label, _ = filled(assigned, k, weight)
        new = medoids.copy()
        for c in range(k):
            rows = np.flatnonzero(label == c)
            if len(rows):
                new[c] = rows[int((w[rows] @ D[np.ix_(rows, rows)]).argmin())]
        # A swap with any other row, where the means of clusters no longer move.
        return (_swapped(D, new, w), ()) if np.array_equal(new, medoids) else (new, ())

    return alternate(
        assign,
        update,
        start,
        weight,
        max_iter=max_iter,
        solver="k-medoids",
        moved=lambda before, after: float(np.count_nonzero(before != after)),
    )


def _swapped(D: Floats, medoids: Indices, weight: Floats) -> Indices:
    """The medoids after the swap that lowers the sum most, or as they are."""
    if len(medoids) == len(D):
        return medoids
    near = np.sort(D[:, medoids], axis=1)
    label = D[:, medoids].argmin(axis=1)
    usual = float(weight @ near[:, 0])
    best, swap = usual * (1 - 1e-12), None
    for c in range(len(medoids)):
        rest = np.where(label == c, near[:, 1] if len(medoids) > 1 else np.inf, near[:, 0])
        total = weight @ np.minimum(rest[:, None], D)
        total[medoids] = np.inf
        row = int(total.argmin())
        if total[row] < best:
            best, swap = float(total[row]), (c, row)
    if swap is None:
        return medoids
    new = medoids.copy()
    new[swap[0]] = swap[1]
    return new
