"""Separators as near to one side as they can be."""

from collections.abc import Collection, Iterable

from margin.causal.graph._types import Node
from margin.graphs import DAG, moral_graph


def nearest_separator(
    dag: DAG, near: Iterable[Node], far: Node, usable: Collection[Node]
) -> tuple[Node, ...] | None:
    """Usable ancestors that separate two sides, no farther from the first than they must be.

    They leave open whatever a path from the second side can reach at all.

    Examples
    --------
    >>> chain = DAG.from_edges([("a", "b"), ("b", "c"), ("c", "d")])
    >>> nearest_separator(chain, ["d"], "a", ["b", "c"])
    ('c',)
    """
    start = tuple(near)
    above = {far, *start, *dag.ancestors([far, *start])}
    moral = moral_graph(dag.subgraph(above))
    wall = above & set(usable)

    def spread(begin: Iterable[Node], stop: set[Node]) -> set[Node]:
        """What is met from some nodes when walls are touched and not crossed."""
        met = set(begin)
        waiting = list(met)
        while waiting:
            for node in moral.neighbours(waiting.pop()):
                if node not in met:
                    met.add(node)
                    if node not in stop:
                        waiting.append(node)
        return met

    first = spread(start, wall)
    if far in first:
        return None
    first &= wall
    last = spread([far], first) & first
    return tuple(node for node in dag.nodes if node in last)
