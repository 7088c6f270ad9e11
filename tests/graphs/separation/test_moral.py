import networkx as nx
import pytest

from margin.graphs import DAG, ancestral_graph, d_separated, moral_graph, separated


@pytest.mark.parametrize("seed", range(4))
def test_moral_graph_marries_all_parents(random_dag, seed):
    """graphs.09: against networkx."""
    dag = random_dag(15, 0.25, seed)
    theirs = nx.moral_graph(dag.to_networkx())
    assert {frozenset(edge) for edge in moral_graph(dag).edges} == {
        frozenset(edge) for edge in theirs.edges
    }


def test_separation_in_the_moral_graph_implies_d_separation_only(four_node_dags):
    """graphs.09: the converse fails for a collider."""
    lost = 0
    for dag in four_node_dags:
        moral = moral_graph(dag)
        for given in ([], ["c"], ["c", "d"]):
            if separated(moral, "a", "b", given):
                assert d_separated(dag, "a", "b", given)
            elif d_separated(dag, "a", "b", given):
                lost += 1
    assert lost > 0


def test_ancestral_graph_keeps_what_is_upstream():
    """graphs.09"""
    dag = DAG.from_edges([("a", "b"), ("b", "c"), ("d", "c"), ("b", "e")])
    part = ancestral_graph(dag, ["b", "d"])
    assert part.nodes == ("a", "b", "d")
    assert part.edges == (("a", "b"),)
    assert ancestral_graph(dag, dag.leaves()) == dag


def test_a_married_couple_of_forty_parents():
    dag = DAG(41, [(i, 40) for i in range(40)])
    assert len(moral_graph(dag).edges) == 41 * 40 // 2
