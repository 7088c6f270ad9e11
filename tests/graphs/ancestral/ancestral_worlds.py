"""All maximal ancestral graphs over a few nodes, in classes of equal independences."""

from collections import defaultdict
from functools import cache
from itertools import combinations, product

from margin.graphs import PAG, MixedGraph, is_maximal_ancestral


def mixed_graphs(n, pairs=None, undirected=True):
    """Every ancestral and maximal graph on n nodes with at most one edge per pair."""
    pairs = list(combinations(range(n), 2)) if pairs is None else pairs
    kinds = range(4 + undirected) if len(pairs) == n * (n - 1) // 2 else range(1, 4 + undirected)
    for chosen in product(kinds, repeat=len(pairs)):
        edges = {
            kind: [pair for pair, c in zip(pairs, chosen, strict=True) if c == kind]
            for kind in range(5)
        }
        arrows = edges[1] + [(b, a) for a, b in edges[2]]
        try:
            graph = MixedGraph(n, arrows, edges[3], edges[4])
        except ValueError:
            continue
        if is_maximal_ancestral(graph):
            yield graph


def statements(graph):
    """Everything that the graph separates."""
    n = len(graph)
    separated = set()
    for size in range(n - 1):
        for given in combinations(range(n), size):
            bits = sum(1 << g for g in given)
            for i in range(n):
                if i in given:
                    continue
                connected = graph._connected(1 << i, bits)
                separated.update(
                    (i, j, given)
                    for j in range(i + 1, n)
                    if j not in given and not connected >> j & 1
                )
    return frozenset(separated)


@cache
def classes(n, undirected=True):
    """Lists of graphs that imply the same independences."""
    groups = defaultdict(list)
    for graph in mixed_graphs(n, undirected=undirected):
        groups[statements(graph)].append(graph)
    return list(groups.values())


def common_marks(graphs):
    """The PAG by definition: a mark where all agree, a circle where not."""
    pags = [PAG.from_mixed(graph) for graph in graphs]
    symbols = {"arrow": ("<", ">"), "tail": ("-", "-"), "circle": ("o", "o")}
    edges = []
    for a, _, b in pags[0].edges:
        ends = []
        for one, other, side in ((b, a, 0), (a, b, 1)):
            marks = {pag.mark(one, other) for pag in pags}
            ends.append(symbols[marks.pop() if len(marks) == 1 else "circle"][side])
        edges.append((a, f"{ends[0]}-{ends[1]}", b))
    return PAG(pags[0].nodes, edges)
