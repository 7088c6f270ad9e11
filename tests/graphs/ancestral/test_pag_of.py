"""graphs.13, graphs.14: classes of maximal ancestral graphs, against all graphs on four nodes."""

import numpy as np
import pytest
from ancestral_worlds import classes, common_marks, mixed_graphs, statements

from margin.graphs import (
    DAG,
    PAG,
    MixedGraph,
    is_maximal_ancestral,
    mag_of_pag,
    mags_equivalent,
    maximal_ancestral_graph,
    pag,
    visible_edges,
)


@pytest.mark.parametrize(("n", "number"), [(2, 2), (3, 11), (4, 251)])
def test_marks_are_those_that_all_members_share(n, number):
    """graphs.14."""
    groups = classes(n)
    assert len(groups) == number
    for graphs in groups:
        truth = common_marks(graphs)
        assert pag(graphs[0]) == truth
        assert pag(graphs[-1]) == truth
        member = mag_of_pag(truth)
        assert statements(member) == statements(graphs[0])


def test_equivalence_is_equality_of_statements():
    """graphs.13."""
    rng = np.random.default_rng(0)
    groups = classes(4)
    for _ in range(200):
        one, other = rng.choice(len(groups), 2, replace=False)
        first, second = groups[one][0], groups[other][-1]
        assert not mags_equivalent(first, second)
        assert mags_equivalent(first, groups[one][-1])


@pytest.mark.parametrize("seed", range(4))
def test_five_nodes_with_hidden_causes(random_dag, seed):
    dag = random_dag(8, 0.35, 10 + seed)
    mag = maximal_ancestral_graph(dag, [0, 1, 2])
    numbers = {node: i for i, node in enumerate(mag.nodes)}
    pairs = sorted(tuple(sorted((numbers[a], numbers[b]))) for a, b in mag.edges)
    if len(pairs) > 6:
        pytest.skip("too many graphs on this skeleton")
    renamed = MixedGraph(
        5,
        [(numbers[a], numbers[b]) for a, b in mag.directed],
        [(numbers[a], numbers[b]) for a, b in mag.bidirected],
    )
    alike = [graph for graph in mixed_graphs(5, pairs) if statements(graph) == statements(renamed)]
    assert pag(renamed) == common_marks(alike)


def test_hidden_nodes_may_be_named_in_the_call():
    full = DAG([("u", "x"), ("u", "y"), ("a", "x"), ("b", "y")])
    expected = PAG(["a o-> x", "x <-> y", "b o-> y"])
    assert pag(full, latent="u") == expected
    assert pag(maximal_ancestral_graph(full, "u")) == expected
    mixed = MixedGraph([*"axyb"], [("a", "x"), ("b", "y")], [("x", "y")])
    assert pag(mixed) == expected
    # not maximal: made so first
    bow = MixedGraph([*"abc"], [("a", "b"), ("b", "c")], [("a", "b"), ("b", "c")])
    assert pag(bow) == pag(maximal_ancestral_graph(bow))


def test_a_graph_of_contradictions_has_no_member():
    for edges in (["a --> b", "b --> c", "c --> a"], ["a o-> b", "b o-o c"], ["a --> b"]):
        with pytest.raises(ValueError, match="mag_of_pag: graph must be the PAG of an equivalence"):
            mag_of_pag(PAG(edges))
    with pytest.raises(ValueError, match="first must be a maximal ancestral graph"):
        mags_equivalent(MixedGraph([*"ab"], [("a", "b")], [("a", "b")]), MixedGraph([*"ab"]))


def test_visible_edges_have_no_hidden_cause_behind_them():
    """By definition: a hidden common cause of the two ends would change the separations."""
    for graphs in classes(4, undirected=False):
        for graph in graphs[:3]:
            clear = set(visible_edges(graph))
            for a, b in graph.directed:
                more = MixedGraph(4, graph.directed, [*graph.bidirected, (a, b)])
                same = maximal_ancestral_graph(more) == graph
                assert same == ((a, b) not in clear)
    assert is_maximal_ancestral(mag_of_pag(PAG(["a o-> c", "b o-> c", "c --> d"])))
