import networkx as nx
import pytest

from margin.graphs.bits._order import find_cycle, topological_order, transposed


def bits(n, edges):
    parents = [0] * n
    for a, b in edges:
        parents[b] |= 1 << a
    return parents


@pytest.mark.parametrize("seed", range(5))
def test_every_parent_comes_first(random_dag, seed):
    """graphs.03"""
    dag = random_dag(30, 0.2, seed)
    order = topological_order(dag._parents)
    place = {node: at for at, node in enumerate(order)}
    assert sorted(order) == list(range(30))
    assert all(place[a] < place[b] for a, b in dag.edges)
    # Lexicographically first among all such orders.
    assert order == list(nx.lexicographical_topological_sort(dag.to_networkx()))


def test_a_cycle_is_found_and_is_one():
    """graphs.03: nodes that only hang on the cycle are not named."""
    edges = [(0, 1), (1, 2), (2, 3), (3, 1), (3, 4), (4, 5)]
    cycle = find_cycle(bits(6, edges))
    assert cycle == [1, 2, 3]
    assert find_cycle(bits(6, edges[:3] + edges[4:])) == []
    assert len(topological_order(bits(6, edges))) == 1


def test_transposing_twice_changes_nothing(random_dag):
    dag = random_dag(12, 0.4, 0)
    assert tuple(transposed(transposed(dag._parents))) == dag._parents
    assert tuple(transposed(dag._parents)) == dag._children
