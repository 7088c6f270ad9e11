"""Graphs and rows as structural models take them."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from margin.causal.graph._as_graph import causal_graph
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.tables._columns import column
from margin.core import check
from margin.core.types import Floats
from margin.graphs import DAG, Graph

Names = tuple[Hashable, ...]


def causal_dag(owner: object, graph: Any) -> DAG:
    """The arrows of a graph without hidden causes.

    Examples
    --------
    >>> causal_dag("LinearSEM", [("x", "y")]).topological_order()
    ('x', 'y')
    """
    if graph is None:
        raise check.fail(owner, "graph", "a CausalGraph or arrows", graph)
    if isinstance(graph, Graph) or hasattr(graph, "is_directed") or not _are_arrows(graph):
        graph = causal_graph(owner, graph)
    else:
        graph = CausalGraph.from_edges([tuple(edge) for edge in graph])
    if graph.bidirected:
        raise check.fail(
            owner,
            "graph",
            "without hidden causes: equations cannot be learned",
            graph.bidirected[0],
        )
    return DAG(list(graph.nodes), list(graph.directed))


def _are_arrows(graph: Any) -> bool:
    return isinstance(graph, Iterable) and not isinstance(graph, str | bytes)


def known_rows(owner: object, frame: Any, names: Names) -> Floats:
    """Columns in order as numbers, NaN where unobserved; at least one row, every column somewhere.

    Examples
    --------
    >>> known_rows("LinearSEM", {"y": [1, 2], "x": [3.0, None]}, ("x", "y"))
    array([[ 3.,  1.],
           [nan,  2.]])
    """
    columns = []
    for name in names:
        try:
            values = np.asarray(column(owner, frame, name), dtype=np.float64)
        except (TypeError, ValueError) as error:
            if "must be with a column" in str(error):
                raise
            raise check.fail(owner, f"column {name!r}", "numbers", "words") from None
        if np.isinf(values).any():
            raise check.fail(owner, f"column {name!r}", "without infinity", "infinity")
        columns.append(values)
    if len({len(values) for values in columns}) != 1 or not len(columns[0]):
        lengths = [len(values) for values in columns]
        raise check.fail(owner, "frame", "columns of one length above 0", lengths)
    rows = np.column_stack(columns)
    empty = ~np.isfinite(rows).any(axis=0)
    if empty.any():
        raise check.fail(
            owner, f"column {names[int(np.argmax(empty))]!r}", "observed somewhere", ""
        )
    return rows


def ordered(owner: object, given: Any, names: Names) -> tuple[Floats, bool]:
    """Rows of evidence in the order of the names, NaN for what is not said; whether one was given.

    Examples
    --------
    >>> ordered("LinearSEM", {"y": 2.0}, ("x", "y"))
    (array([[nan,  2.]]), True)
    """
    held = list(given.columns) if hasattr(given, "columns") else None
    if held is None:
        if not isinstance(given, Mapping):
            raise check.fail(owner, "evidence", "a mapping or a data frame", given)
        held = list(given)
    unknown = [name for name in held if name not in names]
    if unknown:
        raise check.fail(owner, "evidence", f"of the variables {names}", unknown[0])
    single = isinstance(given, Mapping) and all(np.ndim(given[name]) == 0 for name in held)
    columns = {name: np.atleast_1d(np.asarray(given[name], dtype=np.float64)) for name in held}
    n = max((len(values) for values in columns.values()), default=1)
    rows = np.full((n, len(names)), np.nan)
    for name, values in columns.items():
        rows[:, names.index(name)] = values
    if np.isinf(rows).any():
        raise check.fail(owner, "evidence", "without infinity", "infinity")
    return rows, single
