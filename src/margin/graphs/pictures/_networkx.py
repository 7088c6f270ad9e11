"""To and from networkx, which is imported only here."""

from collections.abc import Iterator
from typing import Any, get_args

from margin.graphs._types import ONE_WAY, Kind, Node
from margin.graphs.pictures._drawable import Drawable, has_arrows

KINDS = get_args(Kind)


def _networkx() -> Any:
    try:
        import networkx as nx
    except ImportError:
        raise ImportError("to_networkx needs networkx: pip install 'margin[graph]'") from None
    return nx


def to_networkx(graph: Drawable) -> Any:
    """``DiGraph`` of a DAG, ``Graph`` of an undirected or factor graph, else a directed graph.

    In the latter every edge has a ``kind``; edges that are not arrows are stored both ways. A
    mixed graph, where a pair may have two edges, becomes a ``MultiDiGraph``. Variables and factors
    of a factor graph carry ``bipartite`` 0 and 1.
    """
    nx = _networkx()
    if not has_arrows(graph):
        copy = nx.Graph()
    elif "bidirected" in graph.edge_kinds:
        copy = nx.MultiDiGraph()
    else:
        copy = nx.DiGraph()
    factors = set(graph.squares)
    if factors:
        copy.add_nodes_from((node for node in graph.nodes if node not in factors), bipartite=0)
        copy.add_nodes_from(graph.squares, bipartite=1)
    else:
        copy.add_nodes_from(graph.nodes)
    if len(graph.edge_kinds) == 1:
        copy.add_edges_from((a, b) for a, b, _ in graph.links())
        return copy
    for a, b, kind in graph.links():
        copy.add_edge(a, b, kind=kind)
        if kind not in ONE_WAY:
            copy.add_edge(b, a, kind=kind)
    return copy


def links_of(
    graph: Any, owner: str, kinds: tuple[Kind, ...]
) -> tuple[list[Node], list[tuple[Node, Node, Kind]]]:
    """Nodes and typed edges of a networkx graph, as the named class reads them."""
    try:
        nodes, directed = list(graph.nodes), graph.is_directed()
    except AttributeError:
        raise TypeError(
            f"{owner}: graph must be a networkx graph, got {type(graph).__name__}"
        ) from None
    return nodes, list(_links(graph, directed, owner, kinds))


def _links(
    graph: Any, directed: bool, owner: str, kinds: tuple[Kind, ...]
) -> Iterator[tuple[Node, Node, Kind]]:
    if owner == "FactorGraph":
        for a, b in graph.edges():
            first_is_factor = graph.nodes[a].get("bipartite") == 1
            yield (b, a, "undirected") if first_is_factor else (a, b, "undirected")
        return
    two_way = set(kinds) == {"directed", "undirected"}
    for a, b, data in graph.edges(data=True):
        kind = data.get("kind", "directed" if directed else "undirected")
        if kind not in KINDS or (kind.startswith("circle") and kind not in kinds):
            choices = [known for known in KINDS if known in kinds or known in KINDS[:3]]
            raise ValueError(f"{owner}: kind must be one of {', '.join(choices)}, got {kind!r}")
        if "kind" not in data and two_way and directed and graph.has_edge(b, a):
            kind = "undirected"
        yield a, b, kind
