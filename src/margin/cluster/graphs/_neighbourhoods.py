"""All rows within a distance of each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.neighbors import NearestNeighbors

from margin.core import check
from margin.core.types import Indices
from margin.native.neighbors import brute, trees

_POWERS = {"manhattan": 1.0, "l1": 1.0, "cityblock": 1.0, "euclidean": 2.0, "l2": 2.0,
           "chebyshev": np.inf, "infinity": np.inf}  # fmt: skip
_MEASURES = {1.0: "manhattan", 2.0: "euclidean", np.inf: "chebyshev"}


class Lists(NamedTuple):
    """Neighbours of all rows, one list after the other; each row is its own neighbour."""

    offsets: Indices
    number: Indices

    def rows(self) -> Indices:
        """The row that each entry is a neighbour of."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


class Search(NamedTuple):
    """How neighbours are searched for, as users say it."""

    metric: Any
    params: Mapping[str, Any]
    algorithm: str
    leaf_size: int
    n_threads: int


def within(owner: object, X: Any, radius: float, search: Search) -> Lists:
    """Rows within a radius of each row, by trees or products where the metric allows.

    Examples
    --------
    >>> import numpy as np
    >>> search = Search("euclidean", {}, "auto", 30, 1)
    >>> near = within("DBSCAN", np.array([[0.0], [1.0], [5.0]]), 1.0, search)
    >>> near.offsets.tolist(), near.number.tolist()
    ([0, 2, 4, 5], [0, 1, 1, 0, 2])
    """
    if isinstance(search.metric, str) and search.metric == "precomputed":
        return _given(owner, X, radius)
    power = _power(search)
    if issparse(X) or power is None:
        return _by_sklearn(owner, X, radius, search)
    radii = np.full(len(X), radius)
    Q = np.ascontiguousarray(X, dtype=np.float64)
    wide = X.shape[1] > 15 or search.algorithm == "brute"
    if power == 2.0 and wide:
        points = brute.panels(np.ascontiguousarray(X))
        if brute.near_enough(points, Q).all():
            offsets, _, number = brute.within(points, Q, radii, search.n_threads)
            return Lists(offsets, number)
    measure = _MEASURES.get(power, "minkowski")
    boxes = search.algorithm != "ball_tree"
    tree = trees.tree(X, measure, power, boxes=boxes, leaf_size=search.leaf_size,
                      n_threads=search.n_threads)  # fmt: skip
    offsets, _, number = trees.within(tree, Q, radii, search.n_threads)
    return Lists(offsets, number)


def _power(search: Search) -> float | None:
    """The power of a Minkowski distance without weights, None for all other metrics."""
    if not isinstance(search.metric, str) or set(search.params) - {"p"}:
        return None
    if search.metric in ("minkowski", "p"):
        power = search.params.get("p")
        power = 2.0 if power is None else float(power)
        return power if power >= 1 else None
    return _POWERS.get(search.metric)


def _by_sklearn(owner: object, X: Any, radius: float, search: Search) -> Lists:
    params = dict(search.params)
    power = params.pop("p", None)
    options = {} if power is None else {"p": power}
    try:
        model = NearestNeighbors(
            radius=radius, metric=search.metric, metric_params=params or None,
            algorithm=search.algorithm, leaf_size=search.leaf_size, **options,
        ).fit(X)  # fmt: skip
    except ValueError as error:
        raise check.fail(owner, "metric", "a metric of scikit-learn", search.metric) from error
    lists = model.radius_neighbors(X, return_distance=False)
    counts = [len(one) for one in lists]
    number = np.concatenate([*lists, np.empty(0, dtype=np.int64)]).astype(np.int64)
    return Lists(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), number)


def _given(owner: object, X: Any, radius: float) -> Lists:
    n = X.shape[0]
    if X.shape[1] != n:
        raise ValueError(
            f"{check.named(owner)}: X must be square for metric='precomputed', got {X.shape}"
        )
    if issparse(X):
        graph = csr_array(X).tocoo()
        near = graph.data <= radius
        row = np.concatenate([graph.coords[0][near], np.arange(n)])
        column = np.concatenate([graph.coords[1][near], np.arange(n)])
        graph = csr_array((np.ones(len(row)), (row, column)), shape=(n, n))
        return Lists(graph.indptr.astype(np.int64), graph.indices.astype(np.int64))
    near = np.asarray(X) <= radius
    counts = near.sum(axis=1)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Lists(offsets, np.nonzero(near)[1].astype(np.int64))
