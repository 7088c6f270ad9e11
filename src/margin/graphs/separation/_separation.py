"""Separation in undirected graphs and d-separation in directed ones."""

from typing import Any

from margin.graphs.kinds import _bits
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._graph import Graph
from margin.graphs.kinds._undirected import UndirectedGraph
from margin.graphs.separation._moral import moral_bits

METHODS = ("bayes-ball", "moral", "paths")


def separated(graph: UndirectedGraph, X: Any, Y: Any, given: Any = ()) -> bool:
    """Whether every path between the sets ``X`` and ``Y`` meets ``given`` (graphs.08).

    Parameters
    ----------
    graph : UndirectedGraph
        Graph to look at.
    X, Y, given : node or collection of nodes
        Disjoint sets.

    Examples
    --------
    >>> square = UndirectedGraph.from_edges(["ab", "bc", "cd", "da"])
    >>> separated(square, "a", "c", given="b"), separated(square, "a", "c", given=["b", "d"])
    (False, True)
    """
    x, y, z = disjoint_sets("separated", graph, X, Y, given)
    return not cut_off(graph._neighbours, x, z) & y


def cut_off(neighbours: tuple[int, ...] | list[int], start: int, removed: int) -> int:
    """Nodes reached from ``start`` when the nodes of ``removed`` are taken out."""
    reached = fresh = start & ~removed
    while fresh:
        found = 0
        for node in _bits.members(fresh):
            found |= neighbours[node]
        fresh = found & ~reached & ~removed
        reached |= fresh
    return reached


def d_separated(dag: DAG, X: Any, Y: Any, given: Any = (), *, method: str = "bayes-ball") -> bool:
    """Whether ``given`` blocks every path between ``X`` and ``Y`` (graphs.10).

    A path is blocked at a node in ``given`` where arrows do not meet head to head, and at a
    head-to-head node when neither it nor any of its descendants is in ``given``. d-separation
    means independence in every distribution that factorises over the graph.

    Parameters
    ----------
    dag : DAG
        Graph to look at.
    X, Y, given : node or collection of nodes
        Disjoint sets.
    method : {"bayes-ball", "moral", "paths"}
        Bouncing a ball (linear time; graphs.12), separation in the moral ancestral graph
        (graphs.11), or looking at every path (exponential; for teaching). They always agree.

    Returns
    -------
    bool
        True when they are d-separated.

    See Also
    --------
    explain_separation : every path, and what blocks it.

    Examples
    --------
    >>> dag = DAG.from_edges([("a", "e"), ("f", "e"), ("f", "b"), ("e", "c")])
    >>> d_separated(dag, "a", "b"), d_separated(dag, "a", "b", given="c")
    (True, False)
    >>> d_separated(dag, "a", "b", given="f", method="moral")
    True
    """
    x, y, z = disjoint_sets("d_separated", dag, X, Y, given)
    if method == "bayes-ball":
        return not bayes_ball(dag._parents, dag._children, x, z) & y
    if method == "moral":
        kept = _bits.closure(x | y | z, dag._parents)
        return not cut_off(moral_bits(dag._parents, kept), x, z) & y
    if method == "paths":
        from margin.graphs.separation._explanation import path_verdicts

        return not any(path.open for path in path_verdicts(dag, x, y, z))
    choices = ", ".join(map(repr, METHODS))
    raise ValueError(f"d_separated: method must be one of {choices}, got {method!r}")


def disjoint_sets(owner: str, graph: Graph, X: Any, Y: Any, given: Any) -> tuple[int, int, int]:
    """Bit sets of three sets of nodes that must not overlap; ``X`` and ``Y`` not empty."""
    x, y, z = graph.bits(X), graph.bits(Y), graph.bits(given)
    for name, bits in (("X", x), ("Y", y)):
        if not bits:
            raise ValueError(f"{owner}: {name} must name at least one node, got none")
    shared = x & y | x & z | y & z
    if shared:
        text = ", ".join(repr(node) for node in graph.named(shared))
        raise ValueError(f"{owner}: X, Y and given must be disjoint, got {text} more than once")
    return x, y, z


def bayes_ball(parents: tuple[int, ...], children: tuple[int, ...], start: int, given: int) -> int:
    """Nodes outside ``given`` that are not d-separated from ``start`` (included).

    Every node is entered at most once from its children and once from its parents, so the time is
    linear in the edges. A ball from a child goes on to parents and children unless the node is
    given; a ball from a parent goes on to the children unless the node is given, and back to the
    other parents if the node or a descendant is.

    Examples
    --------
    >>> bin(bayes_ball((0, 0, 0b11), (0b100, 0b100, 0), 0b001, 0b100))  # 0 -> 2 <- 1, given 2
    '0b11'
    """
    opened = _bits.closure(given, parents)
    up, down = start, 0  # to be entered from a child, from a parent
    was_up = was_down = 0
    while up or down:
        was_up |= up
        was_down |= down
        to_parents = up & ~given | down & opened
        to_children = (up | down) & ~given
        up, down = 0, 0
        for node in _bits.members(to_parents):
            up |= parents[node]
        for node in _bits.members(to_children):
            down |= children[node]
        up &= ~was_up
        down &= ~was_down
    return (was_up | was_down) & ~given
