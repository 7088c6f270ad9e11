"""Colour refinement, the Weisfeiler–Lehman test."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from margin.graphs._types import Node
from margin.graphs.kinds._graph import Graph

Colours = dict[Node, int]
Labels = Mapping[Node, Hashable]


def refine_colours(
    graphs: Sequence[Graph],
    labels: Sequence[Labels | None] | None = None,
    n_iter: int | None = None,
) -> list[list[Colours]]:
    """Weisfeiler–Lehman colours of all nodes, round after round, for several graphs (graphs.18).

    A node's next colour stands for its colour and the colours around it, told apart by the kind and
    direction of the edge. The same number means the same thing in all the graphs.

    Parameters
    ----------
    graphs : sequence of Graph
        Graphs to colour together.
    labels : sequence of mappings, optional
        First colour of the nodes of each graph; all alike by default.
    n_iter : int, optional
        Number of rounds; by default until the colours no longer split.

    Returns
    -------
    list of list of dict
        For each round, starting with the labels, the colours of every graph.

    Examples
    --------
    >>> from margin.graphs import UndirectedGraph
    >>> chain = UndirectedGraph(3, [(0, 1), (1, 2)])
    >>> refine_colours([chain])[-1]
    [{0: 0, 1: 1, 2: 0}]
    """
    given: Sequence[Labels | None] = [None] * len(graphs) if labels is None else labels
    if len(given) != len(graphs):
        raise ValueError(f"refine_colours: labels must be {len(graphs)} mappings, got {len(given)}")
    around = [_surroundings(graph) for graph in graphs]
    first: list[dict[Node, Hashable]] = [
        {node: None if known is None else known[node] for node in graph.nodes}
        for graph, known in zip(graphs, given, strict=True)
    ]
    rounds = [_numbered(first)]
    while n_iter is None or len(rounds) <= n_iter:
        old = rounds[-1]
        signatures: list[dict[Node, Hashable]] = [
            {
                node: (colour[node], tuple(sorted((how, colour[b]) for b, how in around[g][node])))
                for node in graph.nodes
            }
            for g, (graph, colour) in enumerate(zip(graphs, old, strict=True))
        ]
        fresh = _numbered(signatures)
        if n_iter is None and _count(fresh) == _count(old):
            break
        rounds.append(fresh)
    return rounds


def _surroundings(graph: Graph) -> dict[Node, list[tuple[Node, str]]]:
    around: dict[Node, list[tuple[Node, str]]] = {node: [] for node in graph.nodes}
    for a, b, kind in graph.links():
        around[a].append((b, "out" if kind == "directed" else kind))
        around[b].append((a, "in" if kind == "directed" else kind))
    return around


def _numbered(signatures: Sequence[Mapping[Node, Hashable]]) -> list[Colours]:
    number: dict[Hashable, int] = {}
    return [
        {node: number.setdefault(signature, len(number)) for node, signature in part.items()}
        for part in signatures
    ]


def _count(colours: list[Colours]) -> int:
    return len({colour for part in colours for colour in part.values()})


def weisfeiler_lehman_test(
    first: Graph, second: Graph, labels: tuple[Labels, Labels] | None = None
) -> bool:
    """Whether colour refinement fails to tell two graphs apart (graphs.18).

    False proves that they are not isomorphic. True proves nothing: a circle of six and two
    triangles look alike to it.

    Examples
    --------
    >>> from margin.graphs import UndirectedGraph
    >>> circle = UndirectedGraph(6, [(i, (i + 1) % 6) for i in range(6)])
    >>> triangles = UndirectedGraph(6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
    >>> weisfeiler_lehman_test(circle, triangles)
    True
    >>> chain = UndirectedGraph(6, [(i, i + 1) for i in range(5)])
    >>> weisfeiler_lehman_test(circle, chain)
    False
    """
    one, two = refine_colours([first, second], labels)[-1]
    return Counter(one.values()) == Counter(two.values())
