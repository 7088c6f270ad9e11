"""Graphs as users have them: networkx graphs, adjacency matrices with or without labels."""

from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse

from margin.core import check
from margin.kernels.graphs._graph_set import IN, OUT, GraphBuilder, GraphSet, joined
from margin.kernels.parts._symbols import listed

_MISSING = object()
_WANTED = "a networkx graph, an adjacency matrix, or a pair of adjacency matrix and labels"


def graphs_of(owner: object, X: Any, Z: Any, label: str, unlabelled: str) -> tuple[GraphSet, int]:
    """Graphs of both sets in one numbering of labels, and the number of graphs in ``X``."""
    if isinstance(X, GraphSet):
        if Z is None or isinstance(Z, GraphSet):
            return (X if Z is None else joined(X, Z)), len(X)
        raise check.fail(owner, "Z", "of the same type as X", type(Z).__name__)
    graphs = listed(owner, X, "X", "graphs")
    n = len(graphs)
    if Z is not None:
        graphs = graphs + listed(owner, Z, "Z", "graphs")
    builder = GraphBuilder()
    labelled: tuple[bool, str] | None = None
    for i, graph in enumerate(graphs):
        name = f"X[{i}]" if i < n else f"Z[{i - n}]"
        names = _add(owner, graph, name, label, builder)
        if names is not None and not names and not builder.sizes[-1]:
            continue  # without nodes it is neither
        if labelled is not None and labelled[0] != (names is not None):
            wanted = f"labelled as {labelled[1]} is" if labelled[0] else "without labels"
            raise check.fail(owner, name, wanted, "no labels" if names is None else "labels")
        labelled = labelled or (names is not None, name)
        if names is None:
            size = builder.sizes[-1]
            degrees = builder.degrees[len(builder.degrees) - size :]
            names = degrees if unlabelled == "degree" else [None] * size
        try:
            builder.label(names)
        except TypeError:
            raise check.fail(owner, name, "of hashable labels", names) from None
    if builder.odd_label():
        raise check.fail(owner, "labels", "equal to themselves", float("nan"))
    return builder.build(), n


def _add(
    owner: object, graph: Any, name: str, label: str, builder: GraphBuilder
) -> list[Any] | None:
    """Add a graph without its labels; returns these, or None if it has none."""
    if hasattr(graph, "to_networkx"):
        graph = graph.to_networkx()
    if hasattr(graph, "adjacency") and hasattr(graph, "nodes"):
        return _add_networkx(owner, graph, name, label, builder)
    names = None
    if isinstance(graph, tuple | list) and len(graph) == 2 and _matrix(graph[0]) is not None:
        graph, names = graph
    matrix = _matrix(graph)
    if matrix is None:
        raise check.fail(owner, name, _WANTED, type(graph).__name__)
    size = _add_matrix(owner, matrix, name, builder)
    if names is None:
        return None if size else []
    names = names.tolist() if isinstance(names, np.ndarray) else list(names)
    if len(names) != size:
        raise check.fail(owner, name, f"given {size} labels, one per node", len(names))
    return names


def _add_networkx(
    owner: object, graph: Any, name: str, label: str, builder: GraphBuilder
) -> list[Any] | None:
    first = len(builder.degrees)
    index = dict(zip(graph, range(first, first + len(graph)), strict=True))
    at = index.__getitem__
    degrees: list[int] = []
    heads: list[int] = []
    kinds: list[int] | None = None
    if graph.is_directed():
        kinds = []
        for node, after in graph.adjacency():
            before = graph.pred[node]
            heads += map(at, after)
            heads += map(at, before)
            kinds += [OUT] * len(after) + [IN] * len(before)
            degrees.append(len(after) + len(before))
    else:
        rows = [around for _, around in graph.adjacency()]
        heads = list(map(at, chain.from_iterable(rows)))
        degrees = list(map(len, rows))
    builder.add(degrees, heads, kinds)
    names = [given for _, given in graph.nodes(data=label, default=_MISSING)]
    missing = names.count(_MISSING)
    if missing == len(names):
        return None if names else []
    if missing:
        wanted = f"given the attribute {label!r} at all nodes or at none"
        raise check.fail(owner, name, wanted, f"{missing} nodes without")
    return names


def _matrix(graph: Any) -> Any:
    """A 2-D adjacency matrix, or None if it is something else."""
    if sparse.issparse(graph):
        return graph
    if not isinstance(graph, np.ndarray | list | tuple):
        return None
    try:
        matrix = np.asarray(graph)
    except ValueError:
        return None
    if matrix.size == 0 and matrix.ndim <= 2:
        matrix = matrix.reshape(0, 0) if matrix.shape in ((0,), (0, 0)) else matrix
    return matrix if matrix.ndim == 2 and matrix.dtype.kind in "biuf" else None


def _add_matrix(owner: object, matrix: Any, name: str, builder: GraphBuilder) -> int:
    """Add the graph of the entries that are not zero; directed unless it is symmetric."""
    if matrix.shape[0] != matrix.shape[1]:
        raise check.fail(owner, name, "a square adjacency matrix", f"shape {matrix.shape}")
    matrix = check.structure(owner, matrix, name)
    values = matrix.data if sparse.issparse(matrix) else matrix
    if not np.isfinite(values).all():
        raise check.fail(owner, name, "finite everywhere", "NaN or infinity")
    links = sparse.csr_array(matrix != 0)
    links.sum_duplicates()
    links.sort_indices()
    first, size = len(builder.degrees), int(matrix.shape[0])
    back = sparse.csr_array(links.T)
    back.sort_indices()
    if np.array_equal(links.indptr, back.indptr) and np.array_equal(links.indices, back.indices):
        builder.add(np.diff(links.indptr).tolist(), (links.indices + first).tolist(), None)
        return size
    degrees, heads, kinds = [], [], []
    for v in range(size):
        after = links.indices[links.indptr[v] : links.indptr[v + 1]]
        before = back.indices[back.indptr[v] : back.indptr[v + 1]]
        heads += (after + first).tolist() + (before + first).tolist()
        kinds += [OUT] * len(after) + [IN] * len(before)
        degrees.append(len(after) + len(before))
    builder.add(degrees, heads, kinds)
    return size
