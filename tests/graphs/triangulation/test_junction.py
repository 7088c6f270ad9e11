import pytest

from margin.graphs import (
    CliqueTree,
    connected_components,
    is_forest,
    junction_tree,
    moral_graph,
    triangulate,
)


@pytest.mark.parametrize("seed", range(8))
def test_running_intersection_by_brute_force(random_dag, seed):
    graph = moral_graph(random_dag(14, 0.12 + 0.02 * seed, seed))
    tree = junction_tree(triangulate(graph).cliques)
    drawn = tree.to_graph()
    assert is_forest(drawn)
    assert len(connected_components(drawn)) == len(connected_components(graph))
    for node in graph.nodes:
        holders = [clique for clique in tree.cliques if node in clique]
        assert len(connected_components(drawn.subgraph(holders))) == 1
    for (i, j), separator in zip(tree.edges, tree.separators, strict=True):
        assert set(separator) == set(tree.cliques[i]) & set(tree.cliques[j])


def test_cliques_of_a_cycle_have_no_junction_tree():
    with pytest.raises(ValueError, match="cliques must come from a triangulated graph"):
        junction_tree([(0, 1), (1, 2), (2, 3), (3, 0)])
    broken = CliqueTree(((0, 1), (2,), (1, 3)), ((0, 1), (1, 2)), ((), ()))
    assert not broken.has_running_intersection()


def test_degenerate():
    assert junction_tree([]).edges == ()
    alone = junction_tree([("a",), ("b",)])
    assert alone.edges == ()
    assert alone.has_running_intersection()
