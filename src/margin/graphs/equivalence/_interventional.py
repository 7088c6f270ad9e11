"""What experiments leave open of a graph."""

from collections.abc import Iterable
from typing import Any

from margin.graphs.bits import _sets
from margin.graphs.equivalence._equivalence import cpdag
from margin.graphs.equivalence._meek import close_orientations
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._pdag import PDAG


def interventional_graph(dag: DAG, targets: Iterable[Any]) -> PDAG:
    """Essential graph of a DAG under observation and interventions (graphs.14, causal.13).

    An arrow points the same way in every DAG that agrees on all independences and on the arrows
    between nodes of which some experiment sets exactly one; an undirected edge stays open.

    Parameters
    ----------
    dag : DAG
    targets : iterable of nodes or of collections of nodes
        What each experiment sets; nothing needs to be said of plain observation.

    References
    ----------
    A. Hauser and P. Bühlmann, JMLR 13 (2012).

    Examples
    --------
    >>> chain = DAG.from_edges([("a", "b"), ("b", "c"), ("c", "d")])
    >>> interventional_graph(chain, ["b"]).directed
    (('a', 'b'), ('b', 'c'), ('c', 'd'))
    >>> interventional_graph(chain, [["a", "b"]]).undirected
    (('a', 'b'),)
    """
    sets = [dag.bits(some) for some in targets]
    graph = cpdag(dag)
    parents, neighbours = list(graph._parents), list(graph._neighbours)
    for tail, head in _revealed(graph, dag, sets):
        neighbours[tail] &= ~(1 << head)
        neighbours[head] &= ~(1 << tail)
        parents[head] |= 1 << tail
    close_orientations(parents, neighbours)
    return PDAG.from_bits(dag.nodes, parents, neighbours)


def _revealed(graph: PDAG, dag: DAG, sets: list[int]) -> list[tuple[int, int]]:
    return [
        (tail, head)
        for head, bits in enumerate(dag._parents)
        for tail in _sets.members(bits & graph._neighbours[head])
        if any((some >> tail & 1) != (some >> head & 1) for some in sets)
    ]
