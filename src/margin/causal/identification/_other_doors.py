"""Front doors and instruments: effects where confounders are hidden."""

from collections.abc import Iterator, Sequence
from typing import Any

from margin.causal.graph._as_graph import causal_graph
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node
from margin.causal.identification._nearest import nearest_separator
from margin.causal.identification._smallest_sets import Within, smallest_set, smallest_sets
from margin.core import check

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
    graph = causal_graph("is_front_door_set", graph)
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
    """Front-door sets none of which holds another, small ones first (causal.23).

    There may be exponentially many; :func:`minimal_front_door_set` finds one in polynomial time.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("x", "a"), ("a", "b"), ("b", "y")], [("x", "y")])
    >>> list(front_door_sets(graph, "x", "y"))
    [('a',), ('b',)]
    """
    yield from smallest_sets(*_front_doors("front_door_sets", graph, treatment, outcome))


def minimal_front_door_set(graph: CausalGraph, treatment: Any, outcome: Any) -> Sets | None:
    """One front-door set that holds no other, or None, in polynomial time (causal.23).

    References
    ----------
    H. Jeong, J. Tian and E. Bareinboim, "Finding and listing front-door adjustment sets", NeurIPS
    2022.

    Examples
    --------
    >>> graph = CausalGraph.from_edges(
    ...     [("x", "a"), ("a", "y"), ("x", "b"), ("b", "y")], [("x", "y")]
    ... )
    >>> minimal_front_door_set(graph, "x", "y")
    ('a', 'b')
    """
    return smallest_set(*_front_doors("minimal_front_door_set", graph, treatment, outcome))


def _front_doors(
    owner: str, graph: Any, treatment: Any, outcome: Any
) -> tuple[Sequence[Node], Within]:
    """What front-door sets are made of, and the largest one among some of it.

    Front-door sets are closed under union: members without a back door from the treatment are
    found one by one, and one with an open back door to the outcome has it in every smaller set.
    """
    graph = causal_graph(owner, graph)
    x, y = graph.members(treatment), graph.members(outcome)
    if set(x) & set(y):
        raise check.fail(owner, "outcome", "apart from the treatment", outcome)
    moved = {*graph.without_outgoing(x).reached(x), *x, *y}
    usable = [node for node in graph.nodes if node not in moved]

    def within(some: Sets) -> Sets | None:
        chosen = some
        while chosen:
            confounded = set(graph.without_outgoing(chosen).reached(y, x))
            kept = tuple(node for node in chosen if node not in confounded)
            if len(kept) == len(chosen):
                break
            chosen = kept
        if not chosen:
            return None
        past = graph.subgraph([node for node in graph.nodes if node not in set(chosen)])
        return None if set(past.descendants(x)) & set(y) else chosen

    return usable, within


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
    graph = causal_graph("is_instrument", graph)
    x, y, z = (graph.members(part) for part in (treatment, outcome, Z))
    w = graph.members(given)
    if set(z) & {*x, *y, *w} or set(w) & {*x, *y}:
        return False
    if {*z, *w} & set(graph.descendants(x)):
        return False
    cut = graph.without_outgoing(x)
    return cut.separated(z, y, w) and not graph.separated(z, x, w)


def instruments(graph: CausalGraph, treatment: Any, outcome: Any) -> Iterator[tuple[Node, Sets]]:
    """Instruments with covariates that make each one valid, none needless (causal.24).

    Notes
    -----
    Covariates are looked for among the causes of the instrument and the outcome, which takes
    polynomial time: where a treatment has any instrument at all, one is found. That every single
    one be found would be NP-hard.

    References
    ----------
    B. van der Zander, J. Textor and M. Liśkiewicz, "Efficiently finding conditional instruments
    for causal inference", IJCAI 2015.

    Examples
    --------
    >>> graph = CausalGraph.from_edges(
    ...     [("z", "x"), ("w", "z"), ("w", "y"), ("x", "y")], [("x", "y")]
    ... )
    >>> list(instruments(graph, "x", "y"))
    [('z', ('w',))]
    """
    graph = causal_graph("instruments", graph)
    x, y = graph.members(treatment), graph.members(outcome)
    if set(x) & set(y):
        raise check.fail("instruments", "outcome", "apart from the treatment", outcome)
    cut = graph.without_outgoing(x)
    below = {*graph.descendants(x), *x, *y}
    usable = [node for node in graph.nodes if node not in below]
    full = cut.with_hidden()
    for z in usable:
        covariates = nearest_separator(full, y, z, [node for node in usable if node != z])
        if covariates is None or not is_instrument(graph, x, y, z, covariates):
            continue
        for node in covariates:
            fewer = tuple(other for other in covariates if other != node)
            if is_instrument(graph, x, y, z, fewer):
                covariates = fewer
        yield z, covariates
