"""Front doors and instruments: effects where confounders are hidden."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node

Sets = tuple[Node, ...]


def is_front_door_set(graph: CausalGraph, treatment: Any, outcome: Any, M: Any) -> bool:
    """Whether mediators carry the whole effect and are themselves unconfounded (causal.23).

    They meet every directed path from treatment to outcome, no back door leads from the treatment
    to them, and the treatment closes all back doors from them to the outcome.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("x", "m"), ("m", "y")], [("x", "y")])
    >>> is_front_door_set(graph, "x", "y", "m")
    True
    """
    x, y, m = (graph.members(part) for part in (treatment, outcome, M))
    if not m or set(m) & (set(x) | set(y)):
        return False
    rest = graph.subgraph([node for node in graph.nodes if node not in set(m)])
    if set(rest.descendants(x)) & set(y):
        return False
    if not graph.without_outgoing(x).separated(x, m):
        return False
    return graph.without_outgoing(m).separated(m, y, x)


def front_door_sets(graph: CausalGraph, treatment: Any, outcome: Any) -> Iterator[Sets]:
    """Front-door sets none of which holds another, small ones first (causal.23)."""
    x, y = graph.members(treatment), graph.members(outcome)
    after = set(graph.descendants(x))
    between = [node for node in graph.nodes if node in after and node not in {*x, *y}]
    sets: list[set[Node]] = []
    for size in range(1, len(between) + 1):
        for chosen in combinations(between, size):
            if any(smaller < set(chosen) for smaller in sets):
                continue
            if is_front_door_set(graph, x, y, chosen):
                sets.append(set(chosen))
                yield chosen


def is_instrument(
    graph: CausalGraph, treatment: Any, outcome: Any, Z: Any, given: Any = ()
) -> bool:
    """Whether Z moves the treatment, and the outcome through it alone, given others (causal.24).

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("z", "x"), ("x", "y")], [("x", "y")])
    >>> is_instrument(graph, "x", "y", "z"), is_instrument(graph, "x", "y", "y")
    (True, False)
    """
    x, y, z = (graph.members(part) for part in (treatment, outcome, Z))
    w = graph.members(given)
    if set(z) & {*x, *y, *w} or set(w) & {*x, *y}:
        return False
    if {*z, *w} & set(graph.descendants(x)):
        return False
    cut = graph.without_outgoing(x)
    return cut.separated(z, y, w) and not graph.separated(z, x, w)


def instruments(graph: CausalGraph, treatment: Any, outcome: Any) -> Iterator[tuple[Node, Sets]]:
    """Instruments with the fewest covariates that make each one valid (causal.24).

    Examples
    --------
    >>> graph = CausalGraph.from_edges(
    ...     [("z", "x"), ("w", "z"), ("w", "y"), ("x", "y")], [("x", "y")]
    ... )
    >>> list(instruments(graph, "x", "y"))
    [('z', ('w',))]
    """
    x, y = graph.members(treatment), graph.members(outcome)
    others = [node for node in graph.nodes if node not in {*x, *y}]
    below = set(graph.descendants(x))
    for z in others:
        if z in below:
            continue
        usable = [node for node in others if node != z and node not in below]
        for size in range(len(usable) + 1):
            valid = next(
                (w for w in combinations(usable, size) if is_instrument(graph, x, y, z, w)), None
            )
            if valid is not None:
                yield z, valid
                break
