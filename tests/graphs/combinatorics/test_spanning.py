from itertools import combinations

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree

from margin.graphs import UndirectedGraph, connected_components, is_forest, is_tree, spanning_tree


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_against_every_set_of_edges(random_graph, largest, seed):
    """graphs.06: brute force over all spanning trees."""
    graph = random_graph(5, 0.7, seed)
    rng = np.random.default_rng(seed)
    weight = {edge: float(rng.normal()) for edge in graph.edges}
    size = len(graph) - len(connected_components(graph))
    totals = [
        sum(weight[e] for e in edges)
        for edges in combinations(graph.edges, size)
        if is_forest(UndirectedGraph(5, edges))
    ]
    tree = spanning_tree(graph, weight, largest=largest)
    assert is_forest(tree)
    assert len(tree.edges) == size
    expected = max(totals) if largest else min(totals)
    assert sum(weight[e] for e in tree.edges) == pytest.approx(expected)


def test_against_scipy():
    """graphs.06"""
    W = np.triu(np.random.default_rng(0).uniform(1, 2, (20, 20)), 1)
    complete = UndirectedGraph(20).complement()
    tree = spanning_tree(complete, lambda a, b: W[a, b], largest=False)
    assert is_tree(tree)
    total = sum(W[a, b] for a, b in tree.edges)
    assert total == pytest.approx(minimum_spanning_tree(W).sum())


def test_weights():
    graph = UndirectedGraph(["a", "b"], [("a", "b")])
    assert spanning_tree(graph).edges == graph.edges
    assert spanning_tree(graph, {("b", "a"): 1.0}).edges == graph.edges
    with pytest.raises(ValueError, match="weight must name every edge"):
        spanning_tree(graph, {})
    with pytest.raises(ValueError, match="got NaN for"):
        spanning_tree(graph, {("a", "b"): float("nan")})
