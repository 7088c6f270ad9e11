"""Markov equivalence: skeletons, colliders and completed graphs."""

from collections.abc import Iterable

from margin.graphs._types import Node
from margin.graphs.bits import _sets
from margin.graphs.bits._order import find_cycle
from margin.graphs.equivalence._meek import close_orientations
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._partly_directed import PartlyDirected
from margin.graphs.kinds._pdag import PDAG
from margin.graphs.kinds._undirected import UndirectedGraph

Triple = tuple[Node, Node, Node]


def skeleton(graph: DAG | PartlyDirected) -> UndirectedGraph:
    """All edges without their arrowheads (graphs.13).

    Examples
    --------
    >>> skeleton(DAG.from_edges([("b", "a")])).edges
    (('b', 'a'),)
    """
    if isinstance(graph, PartlyDirected):
        return graph.skeleton()
    rows = [p | c for p, c in zip(graph._parents, graph._children, strict=True)]
    return UndirectedGraph.from_bits(graph.nodes, rows)


def v_structures(graph: DAG | PartlyDirected) -> tuple[Triple, ...]:
    """Triples ``(a, c, b)`` with ``a -> c <- b`` where ``a`` and ``b`` are not joined (graphs.13).

    Also called immoralities. ``a`` comes before ``b`` in the order of the nodes.

    Examples
    --------
    >>> v_structures(DAG.from_edges([("a", "c"), ("b", "c")]))
    (('a', 'c', 'b'),)
    """
    joined = skeleton(graph)._neighbours
    names = graph.nodes
    return tuple(
        (names[a], names[c], names[b])
        for c, parents in enumerate(graph._parents)
        for a in _sets.members(parents)
        for b in _sets.members((parents & ~joined[a]) >> (a + 1) << (a + 1))
    )


def markov_equivalent(first: DAG, second: DAG) -> bool:
    """Whether two DAGs imply the same independences: same skeleton, same v-structures (graphs.13).

    The same moral graph is not enough in place of the v-structures.

    Examples
    --------
    >>> chain = DAG.from_edges([("a", "b"), ("b", "c")])
    >>> fork = DAG.from_edges([("b", "a"), ("b", "c")])
    >>> collider = DAG.from_edges([("a", "b"), ("c", "b")])
    >>> markov_equivalent(chain, fork), markov_equivalent(chain, collider)
    (True, False)
    """
    return skeleton(first) == skeleton(second) and _unordered(first) == _unordered(second)


def _unordered(graph: DAG) -> set[tuple[frozenset[Node], Node]]:
    return {(frozenset((a, b)), c) for a, c, b in v_structures(graph)}


def cpdag(dag: DAG) -> PDAG:
    """Completed graph of the Markov equivalence class (graphs.14).

    An arrow of the result points the same way in every DAG of the class; an undirected edge points
    either way in some.

    Examples
    --------
    >>> cpdag(DAG.from_edges([("a", "c"), ("b", "c"), ("b", "d")]))
    PDAG(nodes=('a', 'c', 'b', 'd'), directed=(('a', 'c'), ('b', 'c')), undirected=(('b', 'd'),))
    """
    graph = cpdag_from_colliders(skeleton(dag), v_structures(dag))
    assert graph is not None  # the DAG itself is an extension
    return graph


def cpdag_from_colliders(skeleton: UndirectedGraph, colliders: Iterable[Triple]) -> PDAG | None:
    """Skeleton with the arrows of some colliders and all that follow by Meek's rules (graphs.14).

    Parameters
    ----------
    skeleton : UndirectedGraph
        Which nodes are joined.
    colliders : iterable of (a, c, b)
        Triples to orient as ``a -> c <- b``.

    Returns
    -------
    PDAG or None
        None when the colliders contradict each other (opposite arrows or a cycle).

    Examples
    --------
    >>> chain = UndirectedGraph.from_edges([("a", "b"), ("b", "c"), ("c", "d")])
    >>> cpdag_from_colliders(chain, [("a", "b", "c")]).directed
    (('a', 'b'), ('c', 'b'))
    >>> cpdag_from_colliders(chain, [("a", "b", "c"), ("b", "c", "d")]) is None
    True
    """
    parents, neighbours = [0] * len(skeleton), list(skeleton._neighbours)
    for a, c, b in colliders:
        head = skeleton.index(c)
        for tail in (skeleton.index(a), skeleton.index(b)):
            if not skeleton._neighbours[head] >> tail & 1:
                raise ValueError(
                    f"cpdag_from_colliders: colliders must follow edges, got {(a, c, b)!r}"
                )
            if parents[tail] >> head & 1:
                return None
            parents[head] |= 1 << tail
            neighbours[head] &= ~(1 << tail)
            neighbours[tail] &= ~(1 << head)
    if find_cycle(parents):
        return None
    close_orientations(parents, neighbours)
    if find_cycle(parents):
        return None
    return PDAG.from_bits(skeleton.nodes, parents, neighbours)
