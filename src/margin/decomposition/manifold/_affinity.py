"""Graphs of similar rows."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.neighbors import kneighbors_graph

from margin.core import threads
from margin.native.neighbors import trees

_DENSE = 2 * 10**7  # numbers that may be stored, so that ties are broken as for dense rows


def neighbour_graph(X: Any, k: int, n_jobs: int | None) -> Any:
    """Symmetric graph of the ``k`` nearest rows, each row among its own.

    An edge weighs one where both rows choose each other, else a half.

    Examples
    --------
    >>> neighbour_graph(np.array([[0.0], [1.0], [5.0]]), 2, 1).toarray()
    array([[1. , 1. , 0. ],
           [1. , 1. , 0.5],
           [0. , 0.5, 1. ]])
    """
    n = X.shape[0]
    if issparse(X) and X.shape[0] * X.shape[1] <= _DENSE:
        X = X.toarray()
    if issparse(X):
        graph = csr_array(kneighbors_graph(X, k, include_self=True, n_jobs=n_jobs))
    else:
        rows = np.ascontiguousarray(X, dtype=np.float64)
        grown = trees.tree(rows, "euclidean", n_threads=threads.count(n_jobs))
        nearest = trees.nearest(grown, rows, k, n_threads=threads.count(n_jobs))[1]
        ends = np.arange(0, n * k + 1, k)
        graph = csr_array((np.ones(n * k), nearest.ravel(), ends), shape=(n, n))
    return 0.5 * (graph + graph.T)


def given_neighbours(D: Any, k: int) -> Any:
    """The same from a sparse matrix of distances to some neighbours, of which ``k`` are taken."""
    graph = csr_array(D)
    ends, columns = [0], []
    for i in range(graph.shape[0]):
        part = slice(graph.indptr[i], graph.indptr[i + 1])
        order = np.argsort(graph.data[part], kind="stable")[:k]
        columns.append(graph.indices[part][order])
        ends.append(ends[-1] + len(order))
    neighbours = np.concatenate(columns)
    chosen = csr_array((np.ones(len(neighbours)), neighbours, ends), shape=graph.shape)
    return 0.5 * (chosen + chosen.T)
