from itertools import combinations

import numpy as np
import pytest

from margin.graphs import (
    PDAG,
    close_orientations,
    cpdag,
    enumerate_cpdags,
    equivalence_class,
    orient,
)


@pytest.mark.parametrize(
    ("nodes", "directed", "undirected", "expected"),
    [
        ("abc", ["ab"], ["bc"], "bc"),
        ("abc", ["ab", "bc"], ["ac"], "ac"),
        ("abcd", ["cb", "db"], ["ab", "ac", "ad"], "ab"),
        ("abcd", ["dc", "cb"], ["ab", "ac", "ad"], "ab"),
    ],
)
def test_each_rule(nodes, directed, undirected, expected):
    """graphs.14: Meek's rules one to four."""
    graph = PDAG(list(nodes), map(tuple, directed), map(tuple, undirected))
    assert tuple(expected) in orient(graph).directed


def test_knowledge_orients_exactly_what_it_implies():
    """graphs.14: every class of four nodes, every choice of one or two known arrows.

    An arrow of the result is common to all members that agree with the knowledge, and an edge that
    stays undirected points both ways in some.
    """
    for graph in enumerate_cpdags(4):
        members = list(equivalence_class(graph))
        arrows = [*graph.undirected, *(edge[::-1] for edge in graph.undirected)]
        for known in [*combinations(arrows, 1), *combinations(arrows, 2)]:
            agree = [set(dag.edges) for dag in members if set(known) <= set(dag.edges)]
            if not agree:
                with pytest.raises(ValueError, match="orient: knowledge must agree"):
                    orient(graph, known)
                continue
            result = orient(graph, known)
            assert set(result.directed) == set.intersection(*agree)


@pytest.mark.parametrize("seed", range(4))
def test_knowledge_on_larger_graphs(random_dag, seed):
    """graphs.14: knowing every arrow of a topological order gives the DAG back."""
    dag = random_dag(10, 0.35, seed)
    graph = cpdag(dag)
    assert set(orient(graph, tiers=dag.topological_order()).directed) == set(dag.edges)
    assert set(orient(graph, required=dag.edges).directed) == set(dag.edges)
    backwards = [(b, a) for a, b in dag.edges]
    assert set(orient(graph, forbidden=backwards).directed) == set(dag.edges)


def test_contradictions_are_refused():
    chain = PDAG(["a", "b"], [("a", "b")])
    with pytest.raises(ValueError, match="orient: knowledge must agree with the graph, got b -> a"):
        orient(chain, required=[("b", "a")])
    with pytest.raises(ValueError, match="got b -> a"):
        orient(chain, tiers=["b", "a"])
    assert orient(chain, tiers=[["a", "b"]]) == chain


def test_knowledge_about_nodes_that_are_not_joined_is_idle():
    graph = PDAG(3, undirected=[(0, 1)])
    assert orient(graph, required=[(0, 2)]) == graph


def test_rules_end_on_inconsistent_graphs():
    """A learned graph may contradict itself; the rules still stop and lose no edge."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = 8
        A = np.triu(rng.random((n, n)) < 0.5, 1)
        kind = rng.integers(0, 3, (n, n))
        parents, neighbours = [0] * n, [0] * n
        for i, j in np.argwhere(A).tolist():
            if kind[i, j] == 0:
                neighbours[i] |= 1 << j
                neighbours[j] |= 1 << i
            else:
                tail, head = (i, j) if kind[i, j] == 1 else (j, i)
                parents[head] |= 1 << tail
        close_orientations(parents, neighbours)
        edges = sum(b.bit_count() for b in parents) + sum(b.bit_count() for b in neighbours) // 2
        assert edges == A.sum()
