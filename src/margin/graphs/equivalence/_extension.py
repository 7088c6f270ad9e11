"""Directed graphs hidden in partially directed ones."""

from margin.graphs.bits import _sets
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._pdag import PDAG


def extend_pdag(graph: PDAG) -> DAG | None:
    """A DAG with the same skeleton, the same v-structures and all the arrows given (graphs.14).

    Takes away, again and again, a node that no arrow leaves and whose undirected neighbours are
    joined to everything around it; its edges then point at it (Dor and Tarsi).

    Returns
    -------
    DAG or None
        None when no DAG agrees with the graph.

    Examples
    --------
    >>> extend_pdag(PDAG(["a", "b", "c"], directed=[("a", "b")], undirected=[("b", "c")])).edges
    (('a', 'b'), ('b', 'c'))
    >>> square = PDAG(4, undirected=[(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> extend_pdag(square) is None
    True
    """
    parents, children = list(graph._parents), list(graph._children)
    neighbours = list(graph._neighbours)
    oriented = list(parents)
    left = (1 << len(graph)) - 1
    while left:
        sink = next(
            (i for i in _sets.members(left) if _is_sink(i, parents, children, neighbours)), None
        )
        if sink is None:
            return None
        oriented[sink] |= neighbours[sink]
        left &= ~(1 << sink)
        for other in _sets.members(neighbours[sink]):
            neighbours[other] &= ~(1 << sink)
        for other in _sets.members(parents[sink]):
            children[other] &= ~(1 << sink)
    names = graph.nodes
    return DAG(
        names,
        [(names[p], names[i]) for i, bits in enumerate(oriented) for p in _sets.members(bits)],
    )


def _is_sink(node: int, parents: list[int], children: list[int], neighbours: list[int]) -> bool:
    if children[node]:
        return False
    around = parents[node] | neighbours[node]
    return all(
        not around & ~(parents[i] | children[i] | neighbours[i] | 1 << i)
        for i in _sets.members(neighbours[node])
    )
