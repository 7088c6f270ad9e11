from itertools import combinations, pairwise, permutations

import networkx as nx
import numpy as np
import pytest

from margin.graphs import DAG, UndirectedGraph, d_separated, separated, table_oracle

# Golden example: a -> e <- f -> b, e -> c.
GOLDEN = DAG.from_edges([("a", "e"), ("f", "e"), ("f", "b"), ("e", "c")])
METHODS = ["bayes-ball", "moral", "paths"]


def by_definition(dag, x, y, given):
    """Every simple path of the skeleton, node by node."""
    arrows = set(dag.edges)
    others = [node for node in dag.nodes if node not in (x, y)]
    for k in range(len(others) + 1):
        for middle in permutations(others, k):
            path = (x, *middle, y)
            steps = list(pairwise(path))
            if not all((a, b) in arrows or (b, a) in arrows for a, b in steps):
                continue
            blocked = False
            for left, node, right in zip(path, path[1:], path[2:], strict=False):
                collides = (left, node) in arrows and (right, node) in arrows
                touched = {node, *dag.descendants(node)} & set(given)
                blocked |= not touched if collides else node in given
            if not blocked:
                return False
    return True


@pytest.mark.parametrize("method", METHODS)
def test_golden_example(method):
    """graphs.10"""
    assert d_separated(GOLDEN, "a", "b", method=method)
    assert not d_separated(GOLDEN, "a", "b", "c", method=method)
    assert d_separated(GOLDEN, "a", "b", "f", method=method)
    assert d_separated(GOLDEN, "a", "b", ["c", "f"], method=method)


@pytest.mark.parametrize("method", METHODS)
def test_a_collider_opens_through_any_descendant(method):
    """graphs.10: a grandchild is enough, not only a child."""
    dag = DAG.from_edges([("a", "m"), ("b", "m"), ("m", "child"), ("child", "grandchild")])
    assert not d_separated(dag, "a", "b", "grandchild", method=method)
    assert not d_separated(dag, "a", "b", "child", method=method)
    assert d_separated(dag, "a", "b", method=method)


def test_three_methods_and_the_definition_agree_on_all_543_dags(four_node_dags):
    """graphs.10, graphs.11, graphs.12: every pair, every conditioning set."""
    assert len(four_node_dags) == 543
    for dag in four_node_dags:
        for x, y in combinations(dag.nodes, 2):
            rest = [node for node in dag.nodes if node not in (x, y)]
            for given in ([], rest[:1], rest[1:], rest):
                expected = by_definition(dag, x, y, given)
                for method in METHODS:
                    assert d_separated(dag, x, y, given, method=method) == expected


@pytest.mark.parametrize("seed", range(20))
def test_sets_in_larger_graphs_agree_with_networkx(random_dag, seed):
    """graphs.10, graphs.11, graphs.12"""
    dag = random_dag(9, 0.25, seed)
    other = dag.to_networkx()
    rng = np.random.default_rng(seed)
    for _ in range(10):
        nodes = rng.permutation(9).tolist()
        x, y, given = nodes[:2], nodes[2:4], nodes[4 : 4 + int(rng.integers(0, 5))]
        expected = nx.is_d_separator(other, set(x), set(y), set(given))
        for method in METHODS:
            assert d_separated(dag, x, y, given, method=method) == expected


@pytest.mark.parametrize("seed", range(3))
def test_d_separation_is_independence_in_a_random_network(random_dag, random_joint, seed):
    """graphs.10: sound for every table and, for a generic one, complete."""
    dag = random_dag(5, 0.45, seed)
    independent = table_oracle(random_joint(dag, seed), tol=1e-9)
    for x, y in combinations(range(5), 2):
        rest = [node for node in range(5) if node not in (x, y)]
        for k in range(4):
            for given in combinations(rest, k):
                assert d_separated(dag, x, y, given) == independent([x], [y], list(given))


@pytest.mark.parametrize("seed", range(8))
def test_undirected_separation_by_removal(random_graph, seed):
    """graphs.08"""
    graph = random_graph(9, 0.25, seed)
    nodes = np.random.default_rng(seed).permutation(9).tolist()
    x, y, given = nodes[:2], nodes[2:4], nodes[4:7]
    left = graph.to_networkx()
    left.remove_nodes_from(given)
    expected = not any(nx.has_path(left, a, b) for a in x for b in y)
    assert separated(graph, x, y, given) == expected


@pytest.mark.parametrize("question", [d_separated, separated])
def test_bad_questions_are_refused(question):
    graph = GOLDEN if question is d_separated else UndirectedGraph(list("abcef"))
    name = question.__name__
    with pytest.raises(ValueError, match=f"{name}: X, Y and given must be disjoint, got 'a'"):
        question(graph, "a", ["a", "b"])
    with pytest.raises(ValueError, match="must be disjoint, got 'b'"):
        question(graph, "a", "b", "b")
    with pytest.raises(ValueError, match=f"{name}: Y must name at least one node"):
        question(graph, "a", [])
    with pytest.raises(ValueError, match="got 'z'"):
        question(graph, "a", "z")


def test_unknown_method_is_refused():
    with pytest.raises(ValueError, match="method must be one of 'bayes-ball'"):
        d_separated(GOLDEN, "a", "b", method="guess")
