"""Isomorphism of small graphs."""

from collections import Counter

from margin.graphs._types import Node
from margin.graphs.combinatorics._weisfeiler_lehman import Labels, refine_colours
from margin.graphs.kinds._graph import Graph


def find_isomorphism(
    first: Graph, second: Graph, labels: tuple[Labels, Labels] | None = None
) -> dict[Node, Node] | None:
    """Renaming of the nodes that turns one graph into the other (graphs.18).

    Parameters
    ----------
    first, second : Graph
        Graphs of the same type.
    labels : pair of mappings, optional
        Labels of their nodes that the renaming must keep.

    Returns
    -------
    dict or None
        Node of the second graph for every node of the first; None when there is none.

    Notes
    -----
    Matches node by node within the colours of the Weisfeiler–Lehman refinement and turns back where
    edges disagree: fast where the colours tell nodes apart, exponential at worst.

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> find_isomorphism(DAG.from_edges([("a", "b")]), DAG.from_edges([(1, 0)]))
    {'a': 1, 'b': 0}
    >>> circle = [(i, (i + 1) % 6) for i in range(6)]
    >>> triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    >>> from margin.graphs import UndirectedGraph
    >>> find_isomorphism(UndirectedGraph(6, circle), UndirectedGraph(6, triangles)) is None
    True
    """
    if type(first) is not type(second) or len(first) != len(second):
        return None
    one, two = refine_colours([first, second], labels)[-1]
    sizes = Counter(one.values())
    if sizes != Counter(two.values()):
        return None
    links, other_links = _links(first), _links(second)
    order = _search_order(first, sizes, one)
    image_of: dict[Node, Node] = {}
    used: set[Node] = set()
    choices: list[list[Node]] = []
    # Depth-first with an explicit stack: choices[i] are the images of order[i] still to be tried.
    while len(image_of) < len(order):
        node = order[len(image_of)]
        if len(choices) == len(image_of):
            choices.append([b for b in second.nodes if two[b] == one[node] and b not in used])
        while choices[-1]:
            image = choices[-1].pop(0)
            if all(
                links.get((node, a)) == other_links.get((image, b)) for a, b in image_of.items()
            ):
                image_of[node] = image
                used.add(image)
                break
        else:
            choices.pop()
            if not choices:
                return None
            used.discard(image_of.pop(order[len(choices) - 1]))
    return {node: image_of[node] for node in first.nodes}


def _links(graph: Graph) -> dict[tuple[Node, Node], frozenset[str]]:
    """Kinds of the edges of every ordered pair, as seen from its first node."""
    kinds: dict[tuple[Node, Node], frozenset[str]] = {}
    for a, b, kind in graph.links():
        there, back = ("out", "in") if kind == "directed" else (kind, kind)
        kinds[a, b] = kinds.get((a, b), frozenset()) | {there}
        kinds[b, a] = kinds.get((b, a), frozenset()) | {back}
    return kinds


def _search_order(graph: Graph, sizes: Counter[int], colour: dict[Node, int]) -> list[Node]:
    """Rare colours first, then along edges, so that mistakes show early."""
    around: dict[Node, list[Node]] = {node: [] for node in graph.nodes}
    for a, b, _ in graph.links():
        around[a].append(b)
        around[b].append(a)
    order: list[Node] = []
    seen: set[Node] = set()
    for start in sorted(graph.nodes, key=lambda node: sizes[colour[node]]):
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                order.append(node)
                waiting += [b for b in around[node] if b not in seen]
    return order


def is_isomorphic(first: Graph, second: Graph, labels: tuple[Labels, Labels] | None = None) -> bool:
    """Whether some renaming of the nodes turns one graph into the other (graphs.18).

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> is_isomorphic(DAG(3, [(0, 1), (1, 2)]), DAG(3, [(2, 0), (0, 1)]))
    True
    """
    return find_isomorphism(first, second, labels) is not None
