"""Ancestral graphs and moralisation."""

from typing import Any

from margin.graphs.kinds import _bits
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._undirected import UndirectedGraph


def moral_graph(dag: DAG) -> UndirectedGraph:
    """Marry all parents of every node, then drop the arrows (graphs.09).

    Every separation in the moral graph is a d-separation in the DAG, not the reverse: ``a`` and
    ``b`` are independent in ``a -> c <- b`` but married here.

    Examples
    --------
    >>> moral_graph(DAG.from_edges([("a", "c"), ("b", "c")])).edges
    (('a', 'c'), ('a', 'b'), ('c', 'b'))
    """
    return UndirectedGraph.from_bits(dag.nodes, moral_bits(dag._parents))


def moral_bits(parents: tuple[int, ...], kept: int = -1) -> list[int]:
    """Neighbours in the moral graph of the sub-graph on ``kept``, as bit sets."""
    neighbours = [0] * len(parents)
    for node, bits in enumerate(parents):
        if not kept >> node & 1:
            continue
        family = (bits & kept) | 1 << node
        for member in _bits.members(family):
            neighbours[member] |= family & ~(1 << member)
    return neighbours


def ancestral_graph(dag: DAG, nodes: Any) -> DAG:
    """Sub-graph on ``nodes`` and everything upstream of them (graphs.09).

    Marginalising the rest away leaves exactly the Bayesian network on this graph.

    Examples
    --------
    >>> chain = DAG.from_edges([("a", "b"), ("b", "c")])
    >>> ancestral_graph(chain, "b").nodes
    ('a', 'b')
    """
    kept = _bits.closure(dag.bits(nodes), dag._parents)
    return dag.subgraph(list(dag.named(kept)))
