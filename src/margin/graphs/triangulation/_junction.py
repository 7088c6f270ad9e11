"""Junction trees of cliques."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from margin.graphs._types import Node
from margin.graphs.combinatorics._spanning import forest
from margin.graphs.kinds._undirected import UndirectedGraph
from margin.graphs.pictures._draw_tree import draw_clique_tree


@dataclass(frozen=True)
class CliqueTree:
    """Tree over cliques; the cliques that hold a node form a connected part of it.

    Parameters
    ----------
    cliques : tuple of tuple
        Its nodes, sets of variables.
    edges : tuple of (int, int)
        Positions in ``cliques`` of the cliques that are joined; one tree per connected part.
    separators : tuple of tuple
        What the two ends of each edge share.

    Examples
    --------
    >>> tree = junction_tree([("a", "b"), ("b", "c"), ("c", "d")])
    >>> tree.edges, tree.separators
    (((0, 1), (1, 2)), (('b',), ('c',)))
    """

    cliques: tuple[tuple[Node, ...], ...]
    edges: tuple[tuple[int, int], ...]
    separators: tuple[tuple[Node, ...], ...]

    def has_running_intersection(self) -> bool:
        """Whether, for every node, the cliques that hold it hang together."""
        holders: dict[Node, int] = {}
        for clique in self.cliques:
            for node in clique:
                holders[node] = holders.get(node, 0) + 1
        for separator in self.separators:
            for node in separator:
                holders[node] -= 1
        # In a forest, cliques less separators that hold a node count its connected pieces.
        return all(pieces == 1 for pieces in holders.values())

    def draw(self, ax: Any = None, **style: Any) -> Any:
        """Draw cliques as boxes and separators on the edges; see :func:`draw_clique_tree`."""
        return draw_clique_tree(self, ax, **style)

    def to_graph(self) -> UndirectedGraph:
        """The tree as a graph whose nodes are the cliques."""
        return UndirectedGraph(
            self.cliques, [(self.cliques[i], self.cliques[j]) for i, j in self.edges]
        )


def junction_tree(cliques: Iterable[Iterable[Node]]) -> CliqueTree:
    """Join the cliques of a triangulated graph by the heaviest spanning tree of their overlaps.

    Parameters
    ----------
    cliques : iterable of iterables
        Maximal cliques of a triangulated graph, for example ``triangulate(graph).cliques``.

    Returns
    -------
    CliqueTree
        Cliques, edges and separators.

    Raises
    ------
    ValueError
        If no tree of these cliques has the running-intersection property: the graph they come
        from is not triangulated.

    Examples
    --------
    >>> tree = junction_tree([("A", "B", "C"), ("B", "C", "D"), ("E",)])
    >>> tree.edges, tree.separators
    (((0, 1),), (('B', 'C'),))
    >>> junction_tree([("a", "b"), ("b", "c"), ("c", "a")])
    Traceback (most recent call last):
    ValueError: junction_tree: cliques must come from a triangulated graph
    """
    sets = tuple(dict.fromkeys(tuple(dict.fromkeys(clique)) for clique in cliques))
    edges = clique_tree_edges([frozenset(clique) for clique in sets])
    separators = tuple(tuple(v for v in sets[i] if v in sets[j]) for i, j in edges)
    tree = CliqueTree(sets, tuple(edges), separators)
    if not tree.has_running_intersection():
        raise ValueError("junction_tree: cliques must come from a triangulated graph")
    return tree


def clique_tree_edges(cliques: Sequence[frozenset[Node]]) -> list[tuple[int, int]]:
    """Edges of the heaviest spanning forest; only cliques that overlap are ever compared.

    Examples
    --------
    >>> clique_tree_edges([frozenset({0, 1}), frozenset({1, 2}), frozenset({5})])
    [(0, 1)]
    """
    holders: dict[Node, list[int]] = {}
    for at, clique in enumerate(cliques):
        for node in clique:
            holders.setdefault(node, []).append(at)
    n = len(cliques)
    # A pair (i, j) is the number i n + j, which sorts as the pair does and counts faster.
    shared = Counter(
        first * n + second for held in holders.values() for first, second in combinations(held, 2)
    )
    largest = max(map(len, cliques), default=0)
    ranked = sorted((largest - count) * n * n + pair for pair, count in shared.items())
    pairs = [divmod(rank % (n * n), n) for rank in ranked]
    return sorted(pairs[i] for i in forest(n, pairs))
