"""Graphs of any kind at the border: as one causal graph, or as the class they stand for."""

from typing import Any

from margin.causal.graph._causal_graph import CausalGraph
from margin.core import check
from margin.graphs import DAG, PAG, PDAG, Graph, MixedGraph

CausalClass = CausalGraph | DAG | PDAG | PAG
_WANTED = "a CausalGraph, DAG, PDAG, PAG, MixedGraph, directed networkx graph, arrows or text"


def causal_graph(owner: object, graph: Any) -> CausalGraph:
    """One causal graph of a graph of any kind; refused where it stands for several.

    Parameters
    ----------
    owner : object or str
        Whom messages name.
    graph : CausalGraph, DAG, MixedGraph, PDAG or networkx graph
        A PDAG must have no undirected edge left, a networkx graph must be directed; its edges may
        say by the attribute ``kind`` that they are something else than arrows.

    Examples
    --------
    >>> causal_graph("instruments", DAG.from_edges([("x", "y")])).directed
    (('x', 'y'),)
    >>> causal_graph("instruments", PDAG(["x", "y"], [], [("x", "y")]))
    Traceback (most recent call last):
    ValueError: instruments: graph must be without undirected edges, got ('x', 'y')
    """
    kind = causal_class(owner, graph)
    if isinstance(kind, CausalGraph):
        return kind
    if isinstance(kind, PDAG):
        raise check.fail(owner, "graph", "without undirected edges", kind.undirected[0])
    raise check.fail(owner, "graph", "one graph, not the class that a PAG stands for", graph)


def causal_class(owner: object, graph: Any) -> CausalGraph | PDAG | PAG:
    """The same, but a PDAG with undirected edges, or a PAG, stays what it is.

    Arrows alone, and text of dagitty's or Graphviz's kind, will do.

    Examples
    --------
    >>> causal_class("identify", PDAG(["x", "y"], [("x", "y")]))
    CausalGraph(nodes=('x', 'y'), directed=(('x', 'y'),), bidirected=())
    >>> causal_class("identify", "dag { x <-> y }").bidirected
    (('x', 'y'),)
    """
    if isinstance(graph, str):
        return _read(owner, graph)
    if isinstance(graph, CausalGraph | PAG):
        return graph
    if isinstance(graph, DAG):
        return CausalGraph(graph.nodes, graph.edges)
    if isinstance(graph, PDAG):
        return graph if graph.undirected else CausalGraph(graph.nodes, graph.directed)
    if isinstance(graph, MixedGraph):
        if graph.undirected:
            raise check.fail(owner, "graph", "without undirected edges", graph.undirected[0])
        return CausalGraph(graph.nodes, graph.directed, graph.bidirected)
    if isinstance(graph, Graph):
        raise check.fail(owner, "graph", _WANTED, graph)
    if not hasattr(graph, "is_directed"):
        return _of_arrows(owner, graph)
    plain = "directed" if graph.is_directed() else "undirected"
    kinds = {data.get("kind", plain) for *_, data in graph.edges(data=True)}
    if "undirected" in kinds and not graph.is_directed():
        wanted = "directed: an undirected networkx graph says nothing of causes"
        raise check.fail(owner, "graph", wanted, type(graph).__name__)
    if any(str(kind).startswith("circle") for kind in kinds):
        return PAG.from_networkx(graph)
    if "undirected" in kinds and "bidirected" not in kinds:
        return PDAG.from_networkx(graph)
    return CausalGraph.from_networkx(graph)


def _read(owner: object, text: str) -> CausalGraph | PAG:
    if "{" not in text:
        raise check.fail(owner, "graph", _WANTED, text)
    word = text.split("{", maxsplit=1)[0].strip().lower()
    if word in ("pag", "mag"):
        return PAG.from_text(text)
    return CausalGraph.from_dot(text) if "graph" in word else CausalGraph.from_dagitty(text)


def _of_arrows(owner: object, given: Any) -> CausalGraph:
    """Graph of pairs (cause, effect)."""
    try:
        return CausalGraph.from_edges([tuple(edge) for edge in given])
    except TypeError:
        raise check.fail(owner, "graph", _WANTED, given) from None
