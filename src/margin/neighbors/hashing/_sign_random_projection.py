"""Locality-sensitive hashing by signs of random projections."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Solution, Status, atomic, check, random, threads
from margin.core.types import Array, Floats, Indices
from margin.neighbors.hashing._tables import Hashes, Tables
from margin.neighbors.search._points import Points, SearchSettings, points_of
from margin.neighbors.search._ragged import offsets_of

_SAMPLE = 200
_BLOCK = 1024  # queries at a time


class SignRandomProjection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Approximate neighbours by the signs of random projections (neighbors.02).

    A direction :math:`g \sim N(0, I)` gives two vectors at the angle :math:`\theta` the same sign
    with probability

    .. math:: P[\operatorname{sgn}(g^\top x) = \operatorname{sgn}(g^\top z)] = 1 - \theta / \pi ,

    so vectors that agree in all ``n_bits`` signs of one of ``n_tables`` tables are likely near:
    with probability :math:`1 - (1 - (1 - \theta / \pi)^b)^t`. Their distances are then computed
    exactly.

    Parameters
    ----------
    n_bits : int, default=10
        Signs of one table, at most 62; more make smaller buckets.
    n_tables : int, default=12
        Tables; more find more neighbours.
    n_probes : int, default=2
        Buckets looked up in each table: the own, then those with the most doubtful sign turned;
        at most ``n_bits + 1``.
    n_neighbors : int, default=5
        How many rows ``kneighbors`` gives.
    metric : {"cosine", "euclidean"}, default="cosine"
        Distance by which candidates are ranked. Angles are taken from the mean of the rows for
        ``"euclidean"``, from zero for ``"cosine"``.
    random_state : int, Generator, RandomState or None, default=0
        Where the directions come from; None draws others every time.
    n_jobs : int, optional
        Threads of the exact search, all by default; the answer does not depend on it.

    Attributes
    ----------
    directions_ : ndarray of shape (n_features, n_tables * n_bits)
        The random directions.
    centre_ : ndarray of shape (n_features,)
        What is subtracted before angles are taken.
    recall_ : float
        Share of the true neighbours that ``kneighbors`` gives, measured on some of the rows.
    candidates_ : float
        Share of all rows whose distance to a query is computed, on average over the same rows.
    fit_report_ : FitReport
        The recall as its objective.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    A query with fewer candidates than neighbours asked for is searched exactly.

    References
    ----------
    M. Charikar, Similarity estimation techniques from rounding algorithms, STOC (2002).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.neighbors import SignRandomProjection
    >>> X = np.random.default_rng(0).normal(size=(500, 10))
    >>> model = SignRandomProjection(random_state=0).fit(X)
    >>> int(model.kneighbors(X[:1], 1)[1][0, 0])
    0
    >>> model.recall_ > 0.5 > model.candidates_
    True
    """

    card = Card(tasks=("transform",), search_space={"n_bits": [6, 10, 14]})

    def __init__(
        self,
        *,
        n_bits: int = 10,
        n_tables: int = 12,
        n_probes: int = 2,
        n_neighbors: int = 5,
        metric: str = "cosine",
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_bits = n_bits
        self.n_tables = n_tables
        self.n_probes = n_probes
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw directions, fill the tables, and measure the recall on some of the rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check_params()
        X = check.validated(self, check.structure(self, X), dtype=check.FLOATS, order="C")
        rng = random.generator(self.random_state)
        hashes = Hashes(
            rng.standard_normal((X.shape[1], int(self.n_tables * self.n_bits))),
            int(self.n_tables),
            int(self.n_bits),
        )
        euclidean = self.metric == "euclidean"
        self.centre_ = X.mean(axis=0, dtype=np.float64) if euclidean else np.zeros(X.shape[1])
        settings = SearchSettings("auto", self.metric, {}, 30, threads.count(self.n_jobs))
        self._points = points_of(self, X, settings)
        self._hashes, self.directions_ = hashes, hashes.directions
        self._tables = Tables.of(hashes.codes(hashes.projections(X - self.centre_) >= 0))
        self._n_features_out = hashes.directions.shape[1]
        self.recall_, self.candidates_ = self._measured(X)
        self.fit_report_ = check.report(self, _report(self.recall_))
        return self

    def _check_params(self) -> None:
        check.params(
            self,
            count="n_bits n_tables n_probes n_neighbors",
            one_of={"metric": ("cosine", "euclidean")},
        )
        if self.n_bits > 62:
            raise check.fail(self, "n_bits", "at most 62", self.n_bits)
        if self.n_probes > self.n_bits + 1:
            raise check.fail(self, "n_probes", "at most n_bits + 1", self.n_probes)

    def _measured(self, X: Array) -> tuple[float, float]:
        """Recall and share of candidates, on rows spread over the table."""
        rows = np.unique(np.linspace(0, len(X) - 1, min(len(X), _SAMPLE)).astype(np.int64))
        k = min(int(self.n_neighbors), len(X))
        number, share = self._approximate(X[rows], k)[1:]
        true = self._points.nearest(X[rows], k, threads.count(self.n_jobs))[1]
        hits = [len(np.intersect1d(a, b)) for a, b in zip(number, true, strict=True)]
        return float(np.mean(hits)) / k, share

    def transform(self, X: Any) -> Array:
        """Signs of the projections as zeros and ones, the bits of one table after another.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries, n_tables * n_bits)
        """
        X = self._queries(X)
        return np.asarray(self._hashes.projections(X - self.centre_) >= 0, dtype=X.dtype)

    def kneighbors(
        self, X: Any, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """Rows that are likely the nearest, with their exact distances.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
        n_neighbors : int, optional
            How many; that of the constructor by default.
        return_distance : bool, default=True
            Whether distances come back too.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            Only with ``return_distance``.
        rows : ndarray of shape (n_queries, n_neighbors)
        """
        X = self._queries(X)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if not (isinstance(k, int | np.integer) and 1 <= k <= self._points.count):
            wanted = f"an integer from 1 to n_samples_fit = {self._points.count}"
            raise check.fail(self, "n_neighbors", wanted, k)
        distance, number, _ = self._approximate(X, int(k))
        return (distance, number) if return_distance else number

    def _queries(self, X: Any) -> Array:
        check_is_fitted(self)
        return np.asarray(check.table(self, X, order="C"))

    def _approximate(self, X: Array, k: int) -> tuple[Floats, Indices, float]:
        """Neighbours by blocks of queries, and the share of rows that were candidates."""
        parts = [self._block(X[i : i + _BLOCK], k) for i in range(0, len(X), _BLOCK)]
        distance, number, counts = (np.concatenate(part) for part in zip(*parts, strict=True))
        return distance, number, float(counts.mean()) / self._points.count

    def _block(self, X: Array, k: int) -> tuple[Floats, Indices, Indices]:
        probes = self._hashes.probes(X - self.centre_, int(self.n_probes))
        queries, rows = self._tables.candidates(probes)
        distance = _pair_distances(self._points, X, queries, rows, self.metric)
        order = np.lexsort((rows, distance, queries))
        counts = np.bincount(queries, minlength=len(X))
        enough = np.flatnonzero(counts >= k)
        places = order[offsets_of(counts)[enough][:, None] + np.arange(k)]
        values, numbers = np.empty((len(X), k)), np.empty((len(X), k), dtype=np.int64)
        values[enough], numbers[enough] = distance[places], rows[places]
        few = np.flatnonzero(counts < k)
        if len(few):
            answer = self._points.nearest(X[few], k, threads.count(self.n_jobs))
            values[few], numbers[few] = answer
            counts[few] = self._points.count
        return values, numbers, counts


def _pair_distances(
    points: Points, X: Array, queries: Indices, rows: Indices, metric: str
) -> Floats:
    left, right = X.astype(np.float64), points.X.astype(np.float64)
    if metric == "euclidean":
        difference = left[queries] - right[rows]
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", difference, difference)))
    lengths = np.linalg.norm(left, axis=1)[queries] * np.linalg.norm(right, axis=1)[rows]
    product = np.einsum("ij,ij->i", left[queries], right[rows])
    cosine = np.divide(product, lengths, out=np.zeros_like(product), where=lengths > 0)
    return np.asarray(np.maximum(0.0, 1.0 - cosine))


def _report(recall: float) -> Solution:
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=0,
        objective=recall,
        trace={},
        solver="random directions",
    )
