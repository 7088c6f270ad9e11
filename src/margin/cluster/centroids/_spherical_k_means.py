"""k-means of directions."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.extmath import row_norms

from margin.cluster.centroids._alternation import Assigned, alternate, filled, seeding_weight
from margin.cluster.centroids._block_model import BlockModel
from margin.cluster.centroids._centre_model import CentreModel
from margin.cluster.centroids._restarts import best_of, n_starts, told_of_few
from margin.cluster.seeding._candidates import Candidates, TableCandidates
from margin.cluster.seeding._starts import check_init, starts, too_few
from margin.core import Card, Solution, atomic, check, random, threads
from margin.core.types import Array, Floats


class SphericalKMeans(BlockModel, CentreModel):
    r"""Clusters of directions, by the cosine of the angle to their centre (cluster.01).

    .. math:: \min_{c, \mu} \sum_i w_i (1 - \cos(x_i, \mu_{c(i)})), \qquad \|\mu_c\| = 1

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    init : str, callable or array, default="k-means++"
        One of ``"k-means++"``, ``"random"``, ``"first"``, ``"partition"``, ``"farthest"``.
        Starting directions, as for :class:`KMeans`.
    n_init : "auto" or int, default="auto"
        Starts, of which the best is kept.
    max_iter : int, default=300
        Most iterations of a start.
    random_state : int, Generator, RandomState or None, default=None
        For the starts.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Directions of length one.
    labels_ : ndarray of shape (n_samples,)
        The nearest direction of each row.
    inertia_ : float
        The weighted sum of one minus the cosines.
    n_iter_ : int
        Iterations of the best start.
    fit_report_ : FitReport
        Trace of the sum, restarted empty clusters.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    A row of zeros has no direction: its cosine with every centre is 0, and it goes to the first;
    ``fit_report_`` counts such rows.
    ``transform`` gives cosine distances.

    References
    ----------
    I. Dhillon, D. Modha, Concept decompositions for large sparse text data using clustering,
    Machine Learning 42 (2001).

    Examples
    --------
    >>> from margin.cluster import SphericalKMeans
    >>> X = [[1.0, 0.1], [5.0, 0.0], [0.0, 2.0], [0.1, 1.0]]
    >>> SphericalKMeans(n_clusters=2, random_state=0).fit(X).labels_
    array([1, 1, 0, 0], dtype=int32)
    """

    card = Card(tasks=("clustering", "transform"), search_space={"n_clusters": [2, 5]})

    def __init__(
        self,
        *,
        n_clusters: int = 8,
        init: Any = "k-means++",
        n_init: Any = "auto",
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the directions.

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
        count = self._check_params()
        X = check.table(self, X, sparse=True, order="C", reset=True)
        weight = check.weights(self, sample_weight, X.shape[0])
        return self._search(TableCandidates(X, threads.count(None)), weight, count)

    def _check_params(self) -> int:
        """The number of starts."""
        check.params(self, count="n_clusters max_iter")
        check_init(self, self.init)
        return n_starts(self, self.init, self.n_init, 10)

    def _search(self, rows: Candidates, weight: Floats | None, count: int) -> Self:
        """The best of several starts."""
        k, rng = int(self.n_clusters), random.generator(self.random_state)
        too_few(self, rows.shape[0], k)
        directions = rows.mapped(_directions)
        seen = np.concatenate(directions.each(_lengths)) > 0
        aimed = seeding_weight(weight, seen)
        w = np.ones(len(seen)) if weight is None else weight

        def assign(at: Floats) -> Assigned:
            return Assigned.joined(directions.each(lambda U: _assigned(U, at)))

        def update(assigned: Assigned, at: Floats) -> tuple[Floats, tuple[str, ...]]:
            label, mended = filled(assigned, k, aimed, 1e-12)
            sums = directions.sums(label, w, k)
            length = np.linalg.norm(sums, axis=1, keepdims=True)
            return np.where(length > 0, sums / np.where(length > 0, length, 1.0), at), mended

        def climb(start: Floats) -> Solution:
            length = np.linalg.norm(start, axis=1, keepdims=True)
            unit = start / np.where(length > 0, length, 1.0)
            return alternate(
                assign, update, unit, weight,
                max_iter=int(self.max_iter), solver="spherical Lloyd",
            )  # fmt: skip

        solution = best_of(climb, lambda: starts(self, directions, k, self.init, aimed, rng), count)
        self.cluster_centers_ = solution.x.astype(rows.dtype)
        assigned = assign(self.cluster_centers_.astype(np.float64))
        self.labels_, self.n_iter_ = assigned.label, int(solution.n_iter)
        self.inertia_ = float(w @ assigned.cost)
        solution = told_of_few(self, solution, assigned.label, k)
        nowhere = int(np.count_nonzero(~seen))
        notes = (f"{nowhere} rows of zeros have no direction: cluster 0",) if nowhere else ()
        self.fit_report_ = check.report(self, solution, notes)
        return self

    def predict(self, X: Any) -> Array:
        """The nearest direction of every row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        X = check.table(self, X, sparse=True, order="C")
        return _assigned(_directions(X), self.cluster_centers_.astype(np.float64)).label

    def transform(self, X: Any) -> Array:
        """Cosine distances to the directions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_clusters)
        """
        X = check.table(self, X, sparse=True, order="C")
        cosines = _cosines(_directions(X), self.cluster_centers_.astype(np.float64))
        return (1.0 - cosines).astype(X.dtype)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the weighted sum of one minus the cosines.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        float
        """
        X = check.table(self, X, sparse=True, order="C")
        weight = check.weights(self, sample_weight, X.shape[0])
        assigned = _assigned(_directions(X), self.cluster_centers_.astype(np.float64))
        w = np.ones(X.shape[0]) if weight is None else weight
        return -float(w @ assigned.cost)


def _directions(X: Any) -> Any:
    """Rows of length one, in double precision."""
    X = X.astype(np.float64)
    if issparse(X):
        norms = row_norms(X)
    else:
        largest = np.abs(X).max(axis=1, initial=0.0)
        X = X / np.where(largest > 0, largest, 1.0)[:, None]
        norms = np.sqrt(np.einsum("ij,ij->i", X, X))
    factor = 1.0 / np.where(norms > 0, norms, 1.0)
    return X.multiply(factor[:, None]).tocsr() if issparse(X) else X * factor[:, None]


def _lengths(U: Any) -> Floats:
    return np.asarray(row_norms(U))


def _cosines(U: Any, centres: Floats) -> Floats:
    if issparse(U):
        return np.asarray(U @ centres.T)
    return np.asarray(np.einsum("ij,kj->ik", U, centres))


def _assigned(U: Any, centres: Floats) -> Assigned:
    cosines = _cosines(U, centres)
    label = cosines.argmax(axis=1).astype(np.int32)
    return Assigned(label, 1.0 - cosines[np.arange(len(label)), label])
