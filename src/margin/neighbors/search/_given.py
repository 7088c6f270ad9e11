"""Neighbours from distances that are given, as a matrix or as a sparse graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.neighbors import sort_graph_by_row_values

from margin.core.types import Floats, Indices
from margin.native.neighbors import brute
from margin.neighbors.search._indexes import Index, within_matrix
from margin.neighbors.search._ragged import Ragged, offsets_of


class Given(Index):
    """Queries are rows of distances to all points; in a sparse matrix only those stored count."""

    def nearest(self, Q: Any, k: int, n_threads: int) -> tuple[Floats, Indices]:
        """The smallest entries of every row."""
        if issparse(Q):
            return _nearest_stored(Q, k)
        return brute.smallest(np.ascontiguousarray(Q), k, n_threads)

    def within(self, Q: Any, radius: Floats, n_threads: int) -> Ragged:
        """Entries that do not exceed the radius."""
        if not issparse(Q):
            return within_matrix(Q, radius)
        graph = _sorted(Q)
        counts = np.diff(graph.indptr)
        rows = np.repeat(np.arange(graph.shape[0]), counts)
        stored = Ragged(
            offsets_of(counts), graph.data.astype(np.float64), graph.indices.astype(np.int64)
        )
        return stored.kept(graph.data <= radius[rows])


def _nearest_stored(Q: Any, k: int) -> tuple[Floats, Indices]:
    graph = _sorted(Q)
    counts = np.diff(graph.indptr)
    fewest = int(counts.min()) if len(counts) else k
    if fewest < k:
        raise ValueError(
            f"{k} neighbors per samples are required, but some samples have only {fewest} "
            "neighbors in precomputed graph matrix. Decrease number of neighbors used or recompute "
            "the graph with more neighbors."
        )
    places = graph.indptr[:-1, None] + np.arange(k)
    return graph.data[places].astype(np.float64), graph.indices[places].astype(np.int64)


def _sorted(Q: Any) -> Any:
    return sort_graph_by_row_values(Q, copy=True, warn_when_not_sorted=True)
