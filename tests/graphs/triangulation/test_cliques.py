from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from margin.graphs import UndirectedGraph, clique_matrix, is_clique, maximal_cliques

NOTES = UndirectedGraph.from_edges(["AB", "AC", "BC", "BD", "CD"])


def test_the_example_of_the_curriculum():
    """graphs.05: AB, AC, BC, BD, CD have the maximal cliques ABC and BCD; ABCD is none."""
    assert maximal_cliques(NOTES) == (("A", "B", "C"), ("B", "C", "D"))
    assert not is_clique(NOTES, list("ABCD"))
    assert is_clique(NOTES, ["A", "B"])
    assert not is_clique(NOTES, ["A", "B"], maximal=True)
    assert is_clique(NOTES, list("BCD"), maximal=True)


@pytest.mark.parametrize("seed", range(12))
def test_against_every_subset(random_graph, seed):
    """graphs.05"""
    graph = random_graph(8, 0.15 + 0.07 * seed, seed)
    subsets = [s for k in range(1, 9) for s in combinations(range(8), k)]
    cliques = {s for s in subsets if all(graph.has_edge(a, b) for a, b in combinations(s, 2))}
    largest = {s for s in cliques if not any(set(s) < set(other) for other in cliques)}
    found = maximal_cliques(graph)
    assert set(found) == largest
    assert len(found) == len(largest)
    for s in subsets:
        assert is_clique(graph, list(s)) == (s in cliques)
        assert is_clique(graph, list(s), maximal=True) == (s in largest)


@pytest.mark.parametrize(("n", "density"), [(60, 0.1), (40, 0.5), (25, 1.0), (5, 0.0), (0, 0.0)])
def test_against_networkx(random_graph, n, density):
    """graphs.05"""
    graph = random_graph(n, density, 3)
    theirs = {frozenset(clique) for clique in nx.find_cliques(graph.to_networkx())}
    assert {frozenset(clique) for clique in maximal_cliques(graph)} == theirs


def test_moon_and_moser_have_three_to_the_power():
    """graphs.05: the worst case, three nodes per group and edges between all groups."""
    groups = [(i, j) for i, j in combinations(range(15), 2) if i // 3 != j // 3]
    assert len(maximal_cliques(UndirectedGraph(15, groups))) == 3**5


def test_clique_matrix_gives_back_the_edges(random_graph):
    """graphs.01"""
    graph = random_graph(10, 0.4, 1)
    Z = clique_matrix(graph).astype(int)
    shared = Z @ Z.T
    np.fill_diagonal(shared, 0)
    assert np.array_equal(shared > 0, graph.adjacency() == 1)
    assert clique_matrix(NOTES, [("A", "B")]).ravel().tolist() == [1, 1, 0, 0]
    with pytest.raises(ValueError, match="cliques must be mutually joined, got"):
        clique_matrix(NOTES, [("A", "D")])
