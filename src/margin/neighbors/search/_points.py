"""Points that can be searched: what an estimator keeps of its table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics import DistanceMetric

from margin.core import objects
from margin.core.types import Floats, Indices
from margin.kernels import Kernel
from margin.neighbors.search._any_units import in_any_units
from margin.neighbors.search._choice import Choice, choose
from margin.neighbors.search._given import Given
from margin.neighbors.search._indexes import Index
from margin.neighbors.search._names import Asked, metric_of
from margin.neighbors.search._ragged import Ragged

_BY_MATRIX = (Kernel, DistanceMetric)


@dataclass(frozen=True)
class SearchSettings:
    """How points are to be searched.

    Parameters
    ----------
    algorithm : {"auto", "brute", "kd_tree", "ball_tree"}
    metric : str, callable or Kernel
    params : mapping
        Of the metric.
    leaf_size : int
    n_threads : int
    """

    algorithm: str
    metric: Any
    params: Mapping[str, Any]
    leaf_size: int
    n_threads: int


@dataclass(frozen=True, eq=False)
class Points:
    """A table with a search over its rows.

    Parameters
    ----------
    X : table, sparse matrix, list of objects, or matrix of distances
    index : Index
    choice : Choice
        The method of search and why it was taken.
    """

    X: Any
    index: Index
    choice: Choice

    @property
    def count(self) -> int:
        """Number of points."""
        return objects.count(self.X)

    def nearest(self, Q: Any, k: int, n_threads: int) -> tuple[Floats, Indices]:
        """The ``k`` nearest points of each query; without queries of each point but itself."""
        if Q is not None:
            return self.index.nearest(Q, k, n_threads)
        distance, number = self.index.nearest(self.X, k + 1, n_threads)
        own = number == np.arange(self.count)[:, None]
        # Among many equal points a point may not be among its own nearest: the first goes instead.
        own[~own.any(axis=1), 0] = True
        return distance[~own].reshape(-1, k), number[~own].reshape(-1, k)

    def within(self, Q: Any, radius: Floats, n_threads: int) -> Ragged:
        """All points within a radius of each query; without queries of each point but itself."""
        if Q is not None:
            return self.index.within(Q, radius, n_threads)
        near = self.index.within(self.X, radius, n_threads)
        return near.kept(near.number != near.queries)


def points_of(owner: object, X: Any, settings: SearchSettings) -> Points:
    """The rows of ``X``, ready to be searched.

    Examples
    --------
    >>> import numpy as np
    >>> settings = SearchSettings("auto", "euclidean", {}, 30, 1)
    >>> points = points_of("NearestNeighbors", np.array([[0.0], [1.0], [5.0]]), settings)
    >>> points.nearest(np.array([[0.8]]), 2, 1)
    (array([[0.2, 0.8]]), array([[1, 0]]))
    >>> points.choice.reason
    '3 rows, too few for a tree to pay'
    """
    if isinstance(settings.metric, str) and settings.metric == "precomputed":
        return Points(X, Given(), Choice("brute", "distances are given"))
    sparse = issparse(X)
    metric = metric_of(owner, Asked(settings.metric, settings.params), X, sparse)
    n, p = (X.shape[0], X.shape[1]) if hasattr(X, "shape") else (len(X), 0)
    by_matrix = isinstance(settings.metric, _BY_MATRIX)
    algorithm = "brute" if sparse or by_matrix else settings.algorithm
    choice = choose(owner, algorithm, metric, n, p)
    if sparse:
        choice = Choice("brute", "sparse rows are compared by products")
    index = in_any_units(X, metric, choice, settings.leaf_size, settings.n_threads)
    return Points(X, index, choice)
