"""Ancestral graphs and moralisation."""

from typing import Any

from margin.graphs.bits import _sets
from margin.graphs.bits._separation import moral_rows
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
    return UndirectedGraph.from_bits(dag.nodes, moral_rows(dag._parents))


def ancestral_graph(dag: DAG, nodes: Any) -> DAG:
    """Sub-graph on ``nodes`` and everything upstream of them (graphs.09).

    Marginalising the rest away leaves exactly the Bayesian network on this graph.

    Examples
    --------
    >>> chain = DAG.from_edges([("a", "b"), ("b", "c")])
    >>> ancestral_graph(chain, "b").nodes
    ('a', 'b')
    """
    kept = _sets.closure(dag.bits(nodes), dag._parents)
    return dag.subgraph(list(dag.named(kept)))
