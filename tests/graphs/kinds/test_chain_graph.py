from itertools import combinations

import numpy as np
import pytest

from margin.graphs import (
    ChainGraph,
    d_separated,
    maximal_cliques,
    moral_graph,
    separated,
    separation_oracle,
    table_oracle,
)

# a -> c - d <- b
EXAMPLE = ChainGraph(["a", "b", "c", "d"], [("a", "c"), ("b", "d")], [("c", "d")])


def every_question(n):
    for x, y in combinations(range(n), 2):
        rest = [node for node in range(n) if node not in (x, y)]
        for k in range(len(rest) + 1):
            for given in combinations(rest, k):
                yield x, y, list(given)


def local_joint(graph, seed):
    """Positive potentials on the cliques of each component, normalised given its parents."""
    rng = np.random.default_rng(seed)
    n = len(graph)
    joint = np.ones((2,) * n)
    for component in graph.components():
        inside = [graph.index(node) for node in component]
        around = sorted({graph.index(p) for node in component for p in graph.parents(node)})
        block = np.ones((2,) * n)
        moral = ChainGraph(
            graph.nodes,
            [e for e in graph.directed if e[1] in component],
            [e for e in graph.undirected if e[0] in component],
        ).moral_graph()
        family = [graph.nodes[i] for i in sorted(inside + around)]
        for clique in maximal_cliques(moral.subgraph(family)):
            shape = [2 if node in clique else 1 for node in graph.nodes]
            block = block * rng.uniform(0.2, 2.0, shape)
        joint = joint * block / block.sum(tuple(inside), keepdims=True)
    return joint


def test_components_in_order():
    """graphs.04"""
    assert EXAMPLE.components() == (("a",), ("b",), ("c", "d"))
    late = ChainGraph(3, [(2, 0), (2, 1)], [(0, 1)])
    assert late.components() == ((2,), (0, 1))


def test_moral_graph_marries_the_parents_of_a_component():
    """graphs.04"""
    assert EXAMPLE.moral_graph().has_edge("a", "b")
    assert len(EXAMPLE.moral_graph().edges) == 4


@pytest.mark.parametrize("seed", range(5))
def test_limits_are_bayesian_and_markov_networks(random_dag, random_graph, seed):
    """graphs.04"""
    dag, plain = random_dag(5, 0.4, seed), random_graph(5, 0.4, seed)
    directed, undirected = ChainGraph.from_dag(dag), ChainGraph(5, (), plain.edges)
    assert directed.moral_graph() == moral_graph(dag)
    for x, y, given in every_question(5):
        assert directed.separated(x, y, given) == d_separated(dag, x, y, given)
        assert undirected.separated(x, y, given) == separated(plain, x, y, given)


@pytest.mark.parametrize(
    "graph",
    [
        EXAMPLE,
        ChainGraph(5, [(0, 1), (4, 3)], [(1, 2), (2, 3)]),
        ChainGraph(5, [(0, 2), (1, 3), (3, 4)], [(0, 1), (2, 3)]),
    ],
)
def test_separation_is_independence_in_the_locally_normalised_model(graph):
    """graphs.04: sound and, for random potentials, complete."""
    joint = local_joint(graph, 0)
    assert joint.sum() == pytest.approx(1.0)
    independent, implied = table_oracle(joint, graph.nodes), separation_oracle(graph)
    for x, y, given in every_question(len(graph)):
        X, Y, Z = [graph.nodes[x]], [graph.nodes[y]], [graph.nodes[z] for z in given]
        assert implied(X, Y, Z) == independent(X, Y, Z)


def test_way_back_is_refused():
    """graphs.04"""
    with pytest.raises(ValueError, match=r"join different chain components, got 0 -> 2"):
        ChainGraph(3, [(0, 2)], [(0, 1), (1, 2)])
    with pytest.raises(
        ValueError, match=r"no cycle of components, got \{0, 1\} -> \{2, 3\} -> \{0, 1\}"
    ):
        ChainGraph(4, [(0, 2), (3, 1)], [(0, 1), (2, 3)])
    with pytest.raises(ValueError, match=r"ChainGraph\.separated: X, Y and given must be disjoint"):
        EXAMPLE.separated("a", "a")
