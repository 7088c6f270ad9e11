import numpy as np
import pytest

from margin.graphs import DAG, PDAG, FactorGraph, UndirectedGraph, layout


@pytest.mark.parametrize("seed", range(4))
def test_arrows_point_down_and_nodes_keep_apart(random_dag, seed):
    """plotting.04"""
    dag = random_dag(12, 0.2, seed)
    places = layout(dag)
    assert all(places[a][1] > places[b][1] for a, b in dag.edges)
    points = np.array(list(places.values()))
    gaps = np.linalg.norm(points[:, None] - points[None], axis=-1)[np.triu_indices(12, 1)]
    assert gaps.min() > 0.2


def test_layers_avoid_the_crossing():
    """plotting.04: two parallel arrows listed crosswise are uncrossed."""
    dag = DAG(["a", "b", "c", "d"], [("a", "d"), ("b", "c")])
    places = layout(dag)
    assert (places["a"][0] < places["b"][0]) == (places["d"][0] < places["c"][0])


def test_an_edge_does_not_run_through_a_node():
    places = layout(DAG.from_edges([("a", "b"), ("b", "c"), ("a", "c")]))
    assert abs(places["b"][0] - (places["a"][0] + places["c"][0]) / 2) > 0.2


def test_springs_follow_distances(random_graph):
    """plotting.04: a chain is stretched out to nearly its length."""
    chain = UndirectedGraph(6, [(i, i + 1) for i in range(5)])
    places = layout(chain)
    assert np.hypot(*np.subtract(places[0], places[5])) > 4.5
    apart = np.array(list(layout(random_graph(10, 0.1, 0)).values()))
    assert np.isfinite(apart).all()


def test_circle_and_small_ones():
    places = layout(UndirectedGraph(4), "circular")
    assert np.allclose(np.hypot(*np.array(list(places.values())).T), 1.0)
    for kind in ("layered", "circular", "spring"):
        assert layout(DAG(0), kind) == {}
        assert len(layout(PDAG(1), kind)) == 1
    assert len(layout(FactorGraph(2, [(0, 1)]))) == 3
    with pytest.raises(ValueError, match="kind must be one of 'layered', 'circular', 'spring'"):
        layout(DAG(1), "random")
