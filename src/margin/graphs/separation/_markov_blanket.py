"""Markov blankets."""

from typing import Any

from margin.graphs._types import Node
from margin.graphs.bits import _sets
from margin.graphs.kinds._chain_graph import ChainGraph
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._undirected import UndirectedGraph
from margin.graphs.separation._separation import d_separated, separated


def markov_blanket(graph: DAG | UndirectedGraph | ChainGraph, node: Node) -> tuple[Node, ...]:
    """Smallest set that separates a node from all others (graphs.07).

    In a DAG its parents, its children and their other parents; in an undirected graph its
    neighbours. Both are its neighbours in the moral graph.

    Examples
    --------
    >>> from margin.graphs import moral_graph
    >>> dag = DAG.from_edges([("a", "c"), ("b", "c"), ("c", "d")])
    >>> markov_blanket(dag, "a")
    ('c', 'b')
    >>> markov_blanket(moral_graph(dag), "a")
    ('c', 'b')
    """
    if isinstance(graph, DAG):
        i = graph.index(node)
        around = graph._parents[i] | graph._children[i]
        for child in _sets.members(graph._children[i]):
            around |= graph._parents[child]
        return graph.named(around & ~(1 << i))
    undirected = graph.moral_graph() if isinstance(graph, ChainGraph) else graph
    return undirected.neighbours(node)


def is_markov_blanket(
    graph: DAG | UndirectedGraph | ChainGraph, node: Node, blanket: Any, *, minimal: bool = True
) -> bool:
    """Whether a set separates a node from the rest and, if asked, no member is dispensable.

    Examples
    --------
    >>> dag = DAG.from_edges([("a", "b"), ("b", "c")])
    >>> is_markov_blanket(dag, "a", "b"), is_markov_blanket(dag, "a", ["b", "c"])
    (True, False)
    """
    members = graph.members(blanket)
    if not _screens(graph, node, members):
        return False
    return not minimal or not any(
        _screens(graph, node, tuple(m for m in members if m != left)) for left in members
    )


def _screens(
    graph: DAG | UndirectedGraph | ChainGraph, node: Node, blanket: tuple[Node, ...]
) -> bool:
    rest = [other for other in graph.nodes if other != node and other not in blanket]
    if not rest:
        return True
    if isinstance(graph, DAG):
        return d_separated(graph, [node], rest, list(blanket))
    if isinstance(graph, ChainGraph):
        return graph.separated([node], rest, list(blanket))
    return separated(graph, [node], rest, list(blanket))
