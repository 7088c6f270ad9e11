"""Classification by few rows."""

from typing import Any, Self

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Solution, Status, atomic, check, random, threads
from margin.core.types import Array, Floats, Indices
from margin.native.rows.row_order import row_keys
from margin.neighbors.models._votes import shares, votes
from margin.neighbors.prototypes._sets import condensed, edited
from margin.neighbors.search._points import Points, SearchSettings, points_of

_METRICS = ("euclidean", "manhattan", "chebyshev", "cosine")
_SCIPY = {"manhattan": "cityblock"}


class PrototypeClassifier(ClassifierMixin, BaseEstimator):
    r"""Nearest-neighbour classification by a subset of the rows (neighbors.01).

    Editing drops rows whose neighbours disagree with them: what is left is smoother than the data
    and comes close to the best boundary. Condensing keeps rows until all others have a nearest
    kept row of their own class: with one neighbour the answer on the rows stays the same.

    Parameters
    ----------
    method : {"condensed", "edited", "both"}, default="both"
        The rule of Hart, that of Wilson, or editing followed by condensing.
    n_neighbors : int, default=1
        How many kept rows vote in a prediction.
    n_editors : int, default=3
        How many neighbours vote on whether a row stays.
    repeated : bool, default=False
        Whether editing goes on until no row is dropped.
    metric : {"euclidean", "manhattan", "chebyshev", "cosine"}, default="euclidean"
        The distance.
    random_state : int, Generator, RandomState or None, default=0
        Order in which condensing visits rows; it depends on what they hold, not on where they are.
    n_jobs : int, optional
        Threads that share the queries, all by default; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    prototype_indices_ : ndarray
        Rows kept, rising.
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        Those rows.
    fit_report_ : FitReport
        Rows kept; its objective is their share.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    A class of which editing would leave nothing keeps all its rows.

    References
    ----------
    P. Hart, The condensed nearest neighbor rule, IEEE Trans. Inf. Theory 14 (1968).
    D. Wilson, Asymptotic properties of nearest neighbor rules using edited data, IEEE Trans. Syst.
    Man Cybern. 2 (1972).

    Examples
    --------
    >>> from margin.neighbors import PrototypeClassifier
    >>> model = PrototypeClassifier(method="condensed")
    >>> model.fit([[0], [1], [2], [10], [11], [12]], [0, 0, 0, 1, 1, 1]).prototypes_.shape
    (2, 1)
    >>> model.predict([[1.5], [9.0]])
    array([0, 1])
    """

    card = Card(
        tasks=("classification",),
        cost="quadratic",
        search_space={"method": ["condensed", "edited", "both"], "n_neighbors": [1, 3]},
        max_rows=50_000,
    )

    def __init__(
        self,
        *,
        method: str = "both",
        n_neighbors: int = 1,
        n_editors: int = 3,
        repeated: bool = False,
        metric: str = "euclidean",
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.method = method
        self.n_neighbors = n_neighbors
        self.n_editors = n_editors
        self.repeated = repeated
        self.metric = metric
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any) -> Self:
        """Choose the rows to keep.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self
        """
        check.params(
            self,
            count="n_neighbors n_editors",
            flag="repeated",
            one_of={"method": ("condensed", "edited", "both"), "metric": _METRICS},
        )
        X, y, _ = check.data(self, X, y, target="classes", order="C")
        labels, codes = check.classes(self, y, least=1)
        kept = self._kept(X, codes.astype(np.int64))
        points = self._points_of(X[kept])
        self.classes_ = labels
        self.prototype_indices_, self.prototypes_ = kept, X[kept]
        self._codes, self._points = codes[kept].astype(np.int64), points
        self.fit_report_ = check.report(self, _report(len(kept), len(X)))
        return self

    def _points_of(self, X: Array) -> Points:
        settings = SearchSettings("auto", self.metric, {}, 30, threads.count(self.n_jobs))
        return points_of(self, X, settings)

    def _kept(self, X: Array, codes: Indices) -> Indices:
        """Numbers of the rows to keep, rising."""
        rows = np.arange(len(X))
        if self.method != "condensed" and len(X) > 1:
            k = min(int(self.n_editors), len(X) - 1)
            n_threads = threads.count(self.n_jobs)
            rows = edited(codes, self._points_of(X), k, n_threads, repeated=bool(self.repeated))
            gone = np.setdiff1d(codes, codes[rows])
            rows = np.union1d(rows, np.flatnonzero(np.isin(codes, gone)))
        if self.method == "edited":
            return rows
        mask = random.generator(self.random_state).integers(2**63, dtype=np.int64)
        order = np.argsort(row_keys(X[rows])[0] ^ np.uint64(mask), kind="stable")
        return np.sort(rows[condensed(codes[rows], _distances(X[rows], self.metric), order)])

    def predict(self, X: Any) -> Array:
        """Class with the most votes of the nearest prototypes.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        totals = self._votes(X)
        return np.asarray(self.classes_[totals.argmax(axis=1)])

    def predict_proba(self, X: Any) -> Floats:
        """Share of the votes of each class, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries, n_classes)
        """
        return shares(self._votes(X))

    def _votes(self, X: Any) -> Floats:
        check_is_fitted(self)
        X = check.table(self, X, order="C")
        k = min(int(self.n_neighbors), self._points.count)
        number = self._points.nearest(X, k, threads.count(self.n_jobs))[1]
        return votes(self._codes[number], None, len(self.classes_))


def _distances(X: Array, metric: str) -> Any:
    rows = X.astype(np.float64)
    name = _SCIPY.get(metric, metric)
    return lambda i: cdist(rows[i : i + 1], rows, name)[0]


def _report(kept: int, n: int) -> Solution:
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=0,
        objective=kept / n,
        trace={},
        solver=f"{kept} of {n} rows kept",
    )
