"""Maximal cliques of symmetric rows of bits."""

from collections.abc import Sequence

from margin.graphs.bits import _sets


def maximal_cliques_of_rows(neighbours: Sequence[int]) -> list[int]:
    """Sets of mutually joined nodes that no further node can join, in the order of their members.

    Bron and Kerbosch with Tomita's pivot, from a degeneracy order.

    Examples
    --------
    >>> maximal_cliques_of_rows([0b110, 0b101, 0b011, 0])
    [7, 8]
    """
    cliques: list[int] = []
    later = (1 << len(neighbours)) - 1
    for node in degeneracy_order(neighbours):
        later &= ~(1 << node)
        around = neighbours[node]
        _extend(neighbours, 1 << node, around & later, around & ~later, cliques)
    return sorted(cliques, key=lambda bits: tuple(_sets.members(bits)))


def _extend(
    neighbours: Sequence[int], clique: int, open_: int, closed: int, cliques: list[int]
) -> None:
    """Report every maximal clique that adds nodes of ``open_`` and none of ``closed``."""
    # An explicit stack: a clique may be longer than Python's recursion is deep.
    stack = [(clique, open_, closed)]
    while stack:
        clique, open_, closed = stack.pop()
        if not open_:
            if not closed:
                cliques.append(clique)
            continue
        candidates = _sets.members(open_ | closed)
        pivot = max(candidates, key=lambda node: (neighbours[node] & open_).bit_count())
        for node in _sets.members(open_ & ~neighbours[pivot]):
            around = neighbours[node]
            stack.append((clique | 1 << node, open_ & around, closed & around))
            open_ &= ~(1 << node)
            closed |= 1 << node


def degeneracy_order(neighbours: Sequence[int]) -> list[int]:
    """Nodes by repeatedly taking one of least degree among those left.

    Examples
    --------
    >>> degeneracy_order([0b1110, 0b1, 0b1, 0b1])  # a star: leaves before the hub
    [1, 2, 3, 0]
    """
    degree = [bits.bit_count() for bits in neighbours]
    buckets: list[dict[int, None]] = [{} for _ in range(len(degree) + 1)]
    for node, count in enumerate(degree):
        buckets[count][node] = None
    order: list[int] = []
    gone, least = 0, 0
    while len(order) < len(degree):
        least = max(least - 1, 0)
        while not buckets[least]:
            least += 1
        node = next(iter(buckets[least]))
        del buckets[least][node]
        order.append(node)
        gone |= 1 << node
        for other in _sets.members(neighbours[node] & ~gone):
            del buckets[degree[other]][other]
            degree[other] -= 1
            buckets[degree[other]][other] = None
    return order
