"""Meek's rules: arrows that follow from arrows, and from background knowledge."""

from collections.abc import Iterable, Sequence
from typing import Any

from margin.graphs._types import Edge, Node
from margin.graphs.bits import _sets
from margin.graphs.kinds._pdag import PDAG


def close_orientations(parents: list[int], neighbours: list[int]) -> None:
    """Apply Meek's four rules in place until nothing changes.

    ``parents[i]`` and ``neighbours[i]`` are bit sets: arrows into ``i`` and undirected edges. The
    rules orient ``a - b`` as ``a -> b`` when the other way would make a new collider (1, 3, 4) or
    a cycle (2, 4).
    """
    n = len(parents)
    children = [0] * n
    for child, bits in enumerate(parents):
        for parent in _sets.members(bits):
            children[parent] |= 1 << child
    waiting = set(range(n))
    while waiting:
        a = waiting.pop()
        for b in _sets.members(neighbours[a]):
            if _forced(a, b, parents, children, neighbours):
                tail, head = a, b
            elif _forced(b, a, parents, children, neighbours):
                tail, head = b, a
            else:
                continue
            neighbours[tail] &= ~(1 << head)
            neighbours[head] &= ~(1 << tail)
            parents[head] |= 1 << tail
            children[tail] |= 1 << head
            around = parents[head] | children[head] | neighbours[head]
            around |= parents[tail] | children[tail] | neighbours[tail]
            waiting.update(_sets.members(around))


def _forced(a: int, b: int, parents: list[int], children: list[int], neighbours: list[int]) -> bool:
    """Whether the undirected edge ``a - b`` must be ``a -> b``."""
    next_to_b = parents[b] | children[b] | neighbours[b]
    # 1: c -> a - b with c, b apart. 2: a -> c -> b.
    if parents[a] & ~next_to_b & ~(1 << b) or children[a] & parents[b]:
        return True
    # 3: a - c -> b and a - d -> b with c, d apart.
    middle = neighbours[a] & parents[b]
    if any(
        middle & ~(parents[c] | children[c] | neighbours[c] | 1 << c) for c in _sets.members(middle)
    ):
        return True
    # 4: a - d -> c -> b, a joined to c, d and b apart.
    next_to_a = parents[a] | children[a] | neighbours[a]
    return any(
        parents[c] & neighbours[a] & ~next_to_b & ~(1 << b)
        for c in _sets.members(parents[b] & next_to_a)
    )


def orient(
    graph: PDAG,
    required: Iterable[Edge] = (),
    forbidden: Iterable[Edge] = (),
    tiers: Sequence[Any] | None = None,
) -> PDAG:
    """Add background knowledge to a partially directed graph, and all that follows from it.

    Parameters
    ----------
    graph : PDAG
        For example a CPDAG.
    required : iterable of (parent, child)
        Arrows known to be there, if the two nodes are joined at all.
    forbidden : iterable of (parent, child)
        Arrows known not to be there.
    tiers : sequence of nodes or collections of nodes, optional
        Groups from the past to the future: no arrow points from a later to an earlier one.

    Returns
    -------
    PDAG
        The maximally oriented graph (graphs.14).

    Raises
    ------
    ValueError
        If the knowledge contradicts an arrow of the graph or itself.

    Examples
    --------
    >>> chain = PDAG(["a", "b", "c"], undirected=[("a", "b"), ("b", "c")])
    >>> orient(chain, required=[("a", "b")]).directed
    (('a', 'b'), ('b', 'c'))
    """
    parents, neighbours = list(graph._parents), list(graph._neighbours)
    for tail, head in _known(graph, required, forbidden, tiers):
        a, b = graph.index(tail), graph.index(head)
        if parents[a] >> b & 1:
            raise ValueError(
                f"orient: knowledge must agree with the graph, got {tail} -> {head} against it"
            )
        if neighbours[a] >> b & 1:
            neighbours[a] &= ~(1 << b)
            neighbours[b] &= ~(1 << a)
            parents[b] |= 1 << a
            close_orientations(parents, neighbours)
    return _checked(graph, parents, neighbours)


def _checked(graph: PDAG, parents: list[int], neighbours: list[int]) -> PDAG:
    close_orientations(parents, neighbours)
    try:
        return PDAG.from_bits(graph.nodes, parents, neighbours)
    except ValueError as error:
        raise ValueError(f"orient: knowledge must agree with the graph ({error})") from None


def _known(
    graph: PDAG,
    required: Iterable[Edge],
    forbidden: Iterable[Edge],
    tiers: Sequence[Any] | None,
) -> list[tuple[Node, Node]]:
    arrows = [(a, b) for a, b in required] + [(b, a) for a, b in forbidden]
    rank = {node: level for level, tier in enumerate(tiers or ()) for node in graph.members(tier)}
    for a, b in graph.undirected + graph.directed:
        if a in rank and b in rank and rank[a] != rank[b]:
            arrows.append((a, b) if rank[a] < rank[b] else (b, a))
    return arrows
