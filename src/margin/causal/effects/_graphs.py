"""Graphs in every form that people and learners have them, as those that effects are read off."""

from typing import Any

from margin.causal.graph._as_graph import causal_class
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node
from margin.core import check
from margin.graphs import PAG, PDAG, Graph


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
    if isinstance(given, Graph) or hasattr(given, "is_directed"):
        return causal_class(owner, given)
    if isinstance(given, str):
        is_class = given.split("{")[0].strip().lower() in ("pag", "mag")
        return PAG.from_text(given) if is_class else CausalGraph.from_dagitty(given)
    try:
        return CausalGraph.from_edges([tuple(edge) for edge in given])
    except TypeError:
        need = "a CausalGraph, DAG, PDAG, PAG or MixedGraph, arrows, or dagitty's text"
        raise check.fail(owner, "graph", need, given) from None


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
