"""Graphs from an order of the variables: Pearl's construction, and the order that is best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from margin.graphs import DAG

Oracle = Callable[[list[Any], list[Any], list[Any]], bool]
_MOST = 14


def pearl_construction(order: Iterable[Any], independent: Oracle) -> DAG:
    r"""Minimal I-map along an order of the variables (graphical.04).

    Node after node, a smallest set of parents :math:`P \subseteq S` among its predecessors
    :math:`S` with :math:`x_j \perp S \setminus P \mid P`. A causal order gives a sparse graph.

    Parameters
    ----------
    order : iterable
        Variables, ideally causes before effects.
    independent : callable of three lists
        Whether the first two are independent given the third: a table
        (:func:`margin.graphs.table_oracle`), a graph, or a test on data.

    Returns
    -------
    DAG

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> from margin.graphs import separation_oracle
    >>> truth = separation_oracle(DAG.from_edges([("b", "alarm"), ("e", "alarm")]))
    >>> pearl_construction(["b", "e", "alarm"], truth).edges
    (('b', 'alarm'), ('e', 'alarm'))
    >>> len(pearl_construction(["alarm", "e", "b"], truth).edges)
    3
    """
    nodes = tuple(order)
    edges = []
    for at, node in enumerate(nodes):
        edges += [(parent, node) for parent in _smallest(node, nodes[:at], independent)]
    return DAG(nodes, edges)


def _smallest(node: Any, before: Sequence[Any], independent: Oracle) -> tuple[Any, ...]:
    """Smallest set of predecessors that screens the node off from the others."""
    for size in range(len(before)):
        for chosen in combinations(before, size):
            rest = [other for other in before if other not in chosen]
            if independent([node], rest, list(chosen)):
                return chosen
    return tuple(before)


def best_order(names: Sequence[Any], independent: Oracle) -> tuple[tuple[Any, ...], DAG]:
    r"""Order with the fewest edges among all :math:`D!`, and its graph (graphical.03).

    The parents of a node depend on which variables precede it, not on their order, so the search
    runs over the :math:`2^D` sets: the best order of a set ends with some node, before which the
    rest is ordered best.

    Parameters
    ----------
    names : sequence
        Variables, at most 14.
    independent : callable of three lists
        As for :func:`pearl_construction`.

    Returns
    -------
    order : tuple
    graph : DAG

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> from margin.graphs import separation_oracle
    >>> truth = separation_oracle(DAG.from_edges([("b", "alarm"), ("e", "alarm")]))
    >>> order, graph = best_order(["alarm", "b", "e"], truth)
    >>> order, len(graph.edges)
    (('b', 'e', 'alarm'), 2)
    """
    nodes = tuple(names)
    if len(nodes) > _MOST:
        raise ValueError(f"best_order: names must be at most {_MOST} variables, got {len(nodes)}")
    best: list[tuple[int, int]] = [(0, -1)] * (1 << len(nodes))
    parents: dict[tuple[int, int], tuple[Any, ...]] = {}
    for members in range(1, 1 << len(nodes)):
        options = []
        for last in range(len(nodes)):
            if not members >> last & 1:
                continue
            rest = members & ~(1 << last)
            before = [nodes[i] for i in range(len(nodes)) if rest >> i & 1]
            parents[rest, last] = _smallest(nodes[last], before, independent)
            options.append((best[rest][0] + len(parents[rest, last]), -last))
        cost, last = min(options)
        best[members] = (cost, -last)
    order: list[int] = []
    edges = []
    members = (1 << len(nodes)) - 1
    while members:
        last = best[members][1]
        members &= ~(1 << last)
        order.append(last)
        edges += [(parent, nodes[last]) for parent in parents[members, last]]
    named = tuple(nodes[i] for i in reversed(order))
    return named, DAG(named, edges)
