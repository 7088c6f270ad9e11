from itertools import pairwise, permutations

import numpy as np

from margin.graphs import DAG, PAG, Marks, pag
from margin.search import possible_d_sep


def by_all_paths(graph):
    """Paths on which every inner node is a collider, or its neighbours on the path are joined."""
    p = len(graph)
    within = np.zeros((p, p), dtype=np.uint8)
    for length in range(2, p + 1):
        for path in permutations(range(p), length):
            steps = pairwise(path)
            if any(graph.mark(a, b) is None for a, b in steps):
                continue
            triples = zip(path, path[1:], path[2:], strict=False)
            if all(
                graph.mark(a, c) or graph.mark(a, b) == graph.mark(c, b) == "arrow"
                for a, b, c in triples
            ):
                within[path[0], path[-1]] = 1
    return within


def test_against_all_paths():
    rng = np.random.default_rng(0)
    for _ in range(10):
        dag = DAG.from_adjacency(np.triu(rng.random((7, 7)) < 0.4, 1).astype(int))
        graph = pag(dag, [0])
        renamed = PAG(6, [(a - 1, symbol, b - 1) for a, symbol, b in graph.edges])
        walks, paths = possible_d_sep(Marks.of(renamed)), by_all_paths(renamed)
        assert (walks >= paths).all()  # a walk may come back: a few nodes more, never fewer
        assert walks.sum() <= paths.sum() + 2
