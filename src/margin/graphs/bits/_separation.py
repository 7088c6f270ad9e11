"""What a set of nodes cuts off, in rows of bits: undirected, moral, and by bouncing a ball."""

from margin.graphs.bits import _sets


def cut_off(neighbours: tuple[int, ...] | list[int], start: int, removed: int) -> int:
    """Nodes reached from ``start`` when the nodes of ``removed`` are taken out."""
    reached = fresh = start & ~removed
    while fresh:
        ahead = 0
        for node in _sets.members(fresh):
            ahead |= neighbours[node]
        fresh = ahead & ~reached & ~removed
        reached |= fresh
    return reached


def moral_rows(parents: tuple[int, ...], kept: int = -1) -> list[int]:
    """Neighbours in the moral graph of the sub-graph on ``kept``, as bit sets."""
    neighbours = [0] * len(parents)
    for node, bits in enumerate(parents):
        if not kept >> node & 1:
            continue
        family = (bits & kept) | 1 << node
        for member in _sets.members(family):
            neighbours[member] |= family & ~(1 << member)
    return neighbours


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
    opened = _sets.closure(given, parents)
    up, down = start, 0  # to be entered from a child, from a parent
    was_up = was_down = 0
    while up or down:
        was_up |= up
        was_down |= down
        to_parents = up & ~given | down & opened
        to_children = (up | down) & ~given
        up, down = 0, 0
        for node in _sets.members(to_parents):
            up |= parents[node]
        for node in _sets.members(to_children):
            down |= children[node]
        up &= ~was_up
        down &= ~was_down
    return (was_up | was_down) & ~given
