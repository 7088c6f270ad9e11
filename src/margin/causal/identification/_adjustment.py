"""Sets of covariates that make groups comparable: which are valid, minimal, best."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from margin.causal.graph._as_graph import CausalClass, causal_class, causal_graph
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node
from margin.causal.identification._back_doors import Sets, back_doors
from margin.causal.identification._smallest_sets import smallest_sets
from margin.core import check


def forbidden_nodes(graph: CausalClass, treatment: Any, outcome: Any) -> Sets:
    """Nodes on the causal paths and all their effects: adjusting for one would hide the effect."""
    return back_doors(graph, treatment, outcome).forbidden


def is_adjustment_set(graph: CausalClass, treatment: Any, outcome: Any, Z: Any = ()) -> bool:
    r"""Whether adjusting for a set gives the effect, whatever the law (causal.17).

    .. math:: P(y \mid do(x)) = \sum_z P(y \mid x, z) P(z)

    Complete: no member is forbidden, and all paths that are not causal are blocked. The back-door
    criterion asks for more than is needed, see :func:`is_back_door_set`. For a class of graphs, a
    CPDAG (also with background knowledge) or a PAG, the set must be valid in every graph of it, and
    every path that may be causal must begin with an arrow behind which nothing hidden can stand.

    Parameters
    ----------
    graph : CausalGraph, DAG, PDAG, PAG, MixedGraph, directed networkx graph, arrows or text
    treatment, outcome, Z : node or collection of nodes

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y"), ("x", "d")])
    >>> [is_adjustment_set(graph, "x", "y", Z) for Z in ("z", (), ["z", "d"])]
    [True, False, True]
    >>> from margin.graphs import PAG
    >>> learnt = PAG(["a o-> x", "z o-> x", "x --> y", "z --> y", "b o-> y"])
    >>> is_adjustment_set(learnt, "x", "y", "z")
    True
    """
    graph = causal_class("is_adjustment_set", graph)
    chosen = set(graph.members(Z))
    x, y = graph.members(treatment), graph.members(outcome)
    if chosen & (set(x) | set(y)):
        return False
    doors = back_doors(graph, x, y)
    if doors.obstacle or chosen & set(doors.forbidden):
        return False
    return doors.graph.separated(x, y, list(chosen))


def is_back_door_set(graph: CausalGraph, treatment: Any, outcome: Any, Z: Any = ()) -> bool:
    """Whether no member is an effect of the treatment and all back doors are closed (causal.17).

    Sufficient for adjustment, not necessary.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y"), ("x", "d")])
    >>> is_back_door_set(graph, "x", "y", "z"), is_back_door_set(graph, "x", "y", ["z", "d"])
    (True, False)
    """
    graph = causal_graph("is_back_door_set", graph)
    chosen = set(graph.members(Z))
    x, y = graph.members(treatment), graph.members(outcome)
    if chosen & (set(x) | set(y)) or chosen & set(graph.descendants(x)):
        return False
    return all(
        graph.without_outgoing([one]).separated([one], y, list(chosen | (set(x) - {one})))
        for one in x
    )


def adjustment_sets(
    graph: CausalClass, treatment: Any, outcome: Any, *, minimal: bool = True, observed: Any = None
) -> Iterator[Sets]:
    """Valid adjustment sets, small ones first (causal.17).

    There may be exponentially many; :func:`minimal_adjustment_set` finds one in polynomial time.

    Parameters
    ----------
    graph : CausalGraph, DAG, PDAG, PAG, MixedGraph, directed networkx graph, arrows or text
    treatment, outcome : node or collection of nodes
    minimal : bool
        Only sets none of whose members can be left out.
    observed : collection of nodes, optional
        Nodes that may be used; all unless given.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("a", "x"), ("b", "a"), ("b", "y"), ("x", "y")])
    >>> list(adjustment_sets(graph, "x", "y"))
    [('a',), ('b',)]
    """
    graph = causal_class("adjustment_sets", graph)
    x, y = graph.members(treatment), graph.members(outcome)
    doors = back_doors(graph, x, y)
    barred = {*x, *y, *doors.forbidden}
    allowed = graph.nodes if observed is None else graph.members(observed)
    usable = [node for node in graph.nodes if node in set(allowed) and node not in barred]
    cut = doors.graph
    if doors.obstacle or not cut.separated(x, y, _ancestors_among(cut, x, y, usable)):
        return  # if any set separates, the usable ancestors do
    if minimal:
        above = _ancestors_among(cut, x, y, usable)
        yield from smallest_sets(above, lambda some: some if cut.separated(x, y, some) else None)
        return
    for size in range(len(usable) + 1):
        for chosen in combinations(usable, size):
            if cut.separated(x, y, chosen):
                yield chosen


def _ancestors_among(graph: CausalGraph, x: Sets, y: Sets, usable: list[Node]) -> list[Node]:
    above = set(graph.ancestors([*x, *y]))
    return [node for node in usable if node in above]


def minimal_adjustment_set(
    graph: CausalClass, treatment: Any, outcome: Any, *, observed: Any = None
) -> Sets | None:
    """One valid set none of whose members can be left out, or None; in polynomial time.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("a", "x"), ("b", "a"), ("b", "y"), ("x", "y")])
    >>> minimal_adjustment_set(graph, "x", "y")
    ('b',)
    """
    graph = causal_class("minimal_adjustment_set", graph)
    x, y = graph.members(treatment), graph.members(outcome)
    doors = back_doors(graph, x, y)
    barred = {*x, *y, *doors.forbidden}
    allowed = set(graph.nodes if observed is None else graph.members(observed))
    cut = doors.graph
    usable = [node for node in graph.nodes if node in allowed and node not in barred]
    chosen = _ancestors_among(cut, x, y, usable)
    if doors.obstacle or not cut.separated(x, y, chosen):
        return None
    for node in list(chosen):
        fewer = [other for other in chosen if other != node]
        if cut.separated(x, y, fewer):
            chosen = fewer
    return tuple(chosen)


def optimal_adjustment_set(graph: CausalClass, treatment: Any, outcome: Any) -> Sets | None:
    """The valid set of least asymptotic variance, or None (causal.17).

    Parents of the causal nodes that are neither forbidden nor treatments: they explain the outcome,
    not the treatment. Best among all valid sets where there are no hidden causes, also in all DAGs
    of a CPDAG at once; with hidden causes the set is refused unless it is valid.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("a", "x"), ("b", "a"), ("b", "y"), ("c", "y"), ("x", "y")])
    >>> optimal_adjustment_set(graph, "x", "y")
    ('b', 'c')
    """
    graph = causal_class("optimal_adjustment_set", graph)
    x, y = graph.members(treatment), graph.members(outcome)
    if set(x) & set(y):
        raise check.fail("optimal_adjustment_set", "outcome", "apart from the treatment", outcome)
    doors = back_doors(graph, x, y)
    barred = {*x, *doors.forbidden}
    above = {parent for node in doors.on_paths for parent in doors.graph.parents(node)}
    chosen = tuple(node for node in graph.nodes if node in above and node not in barred)
    return chosen if is_adjustment_set(graph, x, y, chosen) else None
