"""What a DAG says of the variables that are seen, when others are hidden or selected on."""

from typing import Any

from margin.core import check
from margin.graphs._types import Edge
from margin.graphs.bits import _sets
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._mixed import MixedGraph


def maximal_ancestral_graph(
    graph: DAG | MixedGraph, latent: Any = (), selection: Any = ()
) -> MixedGraph:
    r"""Maximal ancestral graph over the variables that are seen (graphs.04).

    Two nodes are joined when no set of seen variables separates them (given the selection); the
    edge has a tail at a node that is an ancestor of the other one or of the selection, and an
    arrowhead at a node that is neither.

    Parameters
    ----------
    graph : DAG, or MixedGraph without undirected edges
        All variables. Bidirected edges are hidden common causes.
    latent : node or collection of nodes
        Variables that are not seen.
    selection : node or collection of nodes
        Variables by whose values rows have come into the table.

    Returns
    -------
    MixedGraph
        Whose m-separations are the d-separations of the DAG among the seen.

    Examples
    --------
    >>> full = DAG([("u", "x"), ("u", "y"), ("x", "m"), ("y", "s"), ("m", "s")])
    >>> maximal_ancestral_graph(full, "u").edges
    (('x', 'm'), ('y', 's'), ('m', 's'), ('x', 'y'))
    >>> maximal_ancestral_graph(full, "u", "s").undirected
    (('x', 'y'), ('x', 'm'), ('y', 'm'))
    """
    owner = "maximal_ancestral_graph"
    if not isinstance(graph, DAG | MixedGraph):
        raise check.fail(owner, "graph", "a DAG or a MixedGraph", graph)
    full = graph.with_hidden() if isinstance(graph, MixedGraph) else graph
    hidden, chosen = graph.bits(latent), graph.bits(selection)
    if hidden & chosen:
        both = graph.named(hidden & chosen)
        raise check.fail(owner, "latent and selection", "without a common node", both)
    left = ((1 << len(graph)) - 1) & ~hidden & ~chosen
    seen = list(_sets.members(left))
    above = [_sets.closure(1 << i | chosen, full._parents) for i in range(len(graph))]
    arrows: list[Edge] = []
    pairs: list[Edge] = []
    lines: list[Edge] = []
    reader = MixedGraph(full.nodes, full.edges)
    for at, i in enumerate(seen):
        for j in seen[at + 1 :]:
            given = (above[i] | above[j]) & left & ~(1 << i | 1 << j) | chosen
            if not reader._connected(1 << i, given) >> j & 1:
                continue
            a, b = graph.nodes[i], graph.nodes[j]
            up, down = above[j] >> i & 1, above[i] >> j & 1
            if up and down:
                lines.append((a, b))
            elif up or down:
                arrows.append((a, b) if up else (b, a))
            else:
                pairs.append((a, b))
    return MixedGraph(graph.named(left), arrows, pairs, lines)


def is_maximal_ancestral(graph: MixedGraph) -> bool:
    """Whether a mixed graph is the maximal ancestral graph of some DAG.

    One edge per pair; no node is both ancestor and spouse of another; no arrowhead at a node with
    an undirected edge; some set separates every two nodes that are not joined.

    Examples
    --------
    >>> is_maximal_ancestral(MixedGraph([*"xyz"], [("x", "y")], [("y", "z")]))
    True
    >>> is_maximal_ancestral(MixedGraph([*"xy"], [("x", "y")], [("x", "y")]))
    False
    """
    n = len(graph)
    above = [_sets.closure(1 << i, graph._parents) for i in range(n)]
    upwards = [p | u for p, u in zip(graph._parents, graph._neighbours, strict=True)]
    for i in range(n):
        if above[i] & graph._spouses[i]:
            return False
        if graph._neighbours[i] and graph._parents[i] | graph._spouses[i]:
            return False
    for i in range(n):
        joined = graph._parents[i] | graph._children[i] | graph._spouses[i] | graph._neighbours[i]
        for j in range(i + 1, n):
            if joined >> j & 1:
                continue
            given = _sets.closure(1 << i | 1 << j, upwards) & ~(1 << i | 1 << j)
            if graph._connected(1 << i, given) >> j & 1:
                return False
    return True
