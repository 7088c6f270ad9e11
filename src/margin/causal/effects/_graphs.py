"""Graphs in every form that people and learners have them, as those that effects are read off."""

from typing import Any

from margin.causal.graph._as_graph import causal_class
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node
from margin.graphs import PAG, PDAG


def graph_of(owner: object, given: Any) -> CausalGraph | PDAG | PAG:
    """One graph, or the class of graphs that a learner has found.

    Nothing is lost or guessed on the way: a bidirected edge stays a hidden cause, an edge without
    a direction stays one. A maximal ancestral graph, behind whose arrows something may be hidden,
    is given as ``PAG.from_mixed(mag)``.

    Examples
    --------
    >>> graph_of("AverageEffect", [("x", "y")]).directed
    (('x', 'y'),)
    >>> print(graph_of("AverageEffect", "pag { x @-> y }"))
    x o-> y
    """
    return causal_class(owner, given)


def later_nodes(graph: CausalGraph | PDAG | PAG, nodes: tuple[Node, ...]) -> set[Node]:
    """What some of the nodes cause, in some graph of the class.

    Examples
    --------
    >>> sorted(later_nodes(PDAG(["a", "b", "c"], [("b", "c")], [("a", "b")]), ("a",)))
    ['b', 'c']
    """
    if isinstance(graph, CausalGraph):
        return set(graph.descendants(nodes)) - set(nodes)
    if isinstance(graph, PAG):
        return set(graph.possible_descendants(nodes))
    reached, waiting = set(nodes), list(nodes)
    while waiting:
        node = waiting.pop()
        fresh = {*graph.children(node), *graph.neighbours(node)} - reached
        reached |= fresh
        waiting.extend(fresh)
    return reached - set(nodes)
