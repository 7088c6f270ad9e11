"""Undirected basics: paths, cycles, chords, connected parts, trees, diameter."""

from collections.abc import Iterator
from typing import Any

from margin.graphs._types import Node
from margin.graphs.bits import _sets
from margin.graphs.kinds._undirected import UndirectedGraph


def connected_components(graph: UndirectedGraph) -> tuple[tuple[Node, ...], ...]:
    """Largest sets of nodes in which a path leads from each node to each other (graphs.02).

    Examples
    --------
    >>> connected_components(UndirectedGraph(4, [(0, 2)]))
    ((0, 2), (1,), (3,))
    """
    return tuple(graph.named(part) for part in _sets.components(graph._neighbours))


def is_connected(graph: UndirectedGraph) -> bool:
    """Whether a path joins every two nodes (graphs.02)."""
    return len(connected_components(graph)) <= 1


def is_forest(graph: UndirectedGraph) -> bool:
    """Whether at most one path joins any two nodes: singly connected, no cycle (graphs.02)."""
    return len(graph.edges) == len(graph) - len(connected_components(graph))


def is_tree(graph: UndirectedGraph) -> bool:
    """Whether exactly one path joins any two nodes (graphs.02).

    A graph with more than one path between some nodes is multiply connected: neither this nor
    :func:`is_forest` holds.

    Examples
    --------
    >>> chain = UndirectedGraph(3, [(0, 1), (1, 2)])
    >>> circle = UndirectedGraph(3, [(0, 1), (1, 2), (2, 0)])
    >>> is_tree(chain), is_tree(circle)
    (True, False)
    """
    return is_connected(graph) and is_forest(graph)


def simple_paths(graph: UndirectedGraph, start: Node, end: Node) -> Iterator[tuple[Node, ...]]:
    """Paths from ``start`` to ``end`` that meet no node twice (graphs.02).

    There may be exponentially many; they come one at a time.

    Examples
    --------
    >>> square = UndirectedGraph.from_edges(["ab", "bc", "cd", "da"])
    >>> list(simple_paths(square, "a", "c"))
    [('a', 'b', 'c'), ('a', 'd', 'c')]
    """
    for path in walk_paths(graph._neighbours, graph.index(start), graph.index(end)):
        yield tuple(graph.nodes[i] for i in path)


def walk_paths(
    neighbours: tuple[int, ...] | list[int], start: int, end: int
) -> Iterator[list[int]]:
    """Simple paths over bit sets, in the order of the node numbers."""
    if start == end:
        yield [start]
        return
    path, visited = [start], 1 << start
    waiting = [neighbours[start]]
    while path:
        step = waiting[-1] & ~visited
        if not step:
            waiting.pop()
            visited &= ~(1 << path.pop())
            continue
        node = next(_sets.members(step))
        waiting[-1] &= ~(1 << node)
        if node == end:
            yield [*path, end]
            continue
        path.append(node)
        visited |= 1 << node
        waiting.append(neighbours[node])


def cycles(graph: UndirectedGraph) -> Iterator[tuple[Node, ...]]:
    """Every simple cycle once, from its first node towards the smaller of the two neighbours.

    Examples
    --------
    >>> triangle = UndirectedGraph.from_edges(["ab", "bc", "ca"])
    >>> list(cycles(triangle))
    [('a', 'b', 'c')]
    """
    rows = list(graph._neighbours)
    for first in range(len(graph)):
        inside = [bits >> first << first for bits in rows]
        for last in _sets.members(inside[first] & ~(1 << first)):
            # The closing edge may not be walked; the direction is the one that ends higher.
            for path in walk_paths(inside, first, last):
                if len(path) > 2 and path[1] < last:
                    yield tuple(graph.nodes[i] for i in path)


def chords(graph: UndirectedGraph, cycle: Any) -> tuple[tuple[Node, Node], ...]:
    """Edges between nodes of a cycle that are not its neighbours on the cycle (graphs.02).

    Examples
    --------
    >>> graph = UndirectedGraph.from_edges(["ab", "bc", "cd", "da", "ac"])
    >>> chords(graph, ("a", "b", "c", "d"))
    (('a', 'c'),)
    """
    around = [graph.index(node) for node in cycle]
    n = len(around)
    closed = all(graph._neighbours[around[i - 1]] >> around[i] & 1 for i in range(n))
    if n < 3 or len(set(around)) < n or not closed:
        raise ValueError(f"chords: cycle must be a simple cycle of the graph, got {tuple(cycle)!r}")
    return tuple(
        (graph.nodes[around[i]], graph.nodes[around[j]])
        for i in range(n)
        for j in range(i + 2, n)
        if (i, j) != (0, n - 1) and graph._neighbours[around[i]] >> around[j] & 1
    )


def distances(graph: UndirectedGraph, node: Node) -> dict[Node, int]:
    """Number of edges on the shortest path to every node that can be reached (graphs.02)."""
    reached = fresh = 1 << graph.index(node)
    steps_to = {node: 0}
    steps = 0
    while fresh:
        steps += 1
        around = 0
        for i in _sets.members(fresh):
            around |= graph._neighbours[i]
        fresh = around & ~reached
        reached |= fresh
        steps_to.update((name, steps) for name in graph.named(fresh))
    return steps_to


def diameter(graph: UndirectedGraph) -> float:
    """Longest of the shortest paths; infinite for a disconnected graph (graphs.02).

    Examples
    --------
    >>> diameter(UndirectedGraph(4, [(0, 1), (1, 2), (2, 3)])), diameter(UndirectedGraph(2))
    (3, inf)
    """
    if not is_connected(graph):
        return float("inf")
    return max((max(distances(graph, node).values()) for node in graph.nodes), default=0)
