import pytest

from margin.graphs import (
    DAG,
    ChainGraph,
    is_markov_blanket,
    markov_blanket,
    moral_graph,
)


def test_parents_children_and_co_parents():
    """graphs.07"""
    dag = DAG.from_edges([("p", "x"), ("x", "c"), ("q", "c"), ("p", "r"), ("c", "d")])
    assert set(markov_blanket(dag, "x")) == {"p", "c", "q"}
    assert set(markov_blanket(dag, "d")) == {"c"}


@pytest.mark.parametrize("seed", range(6))
def test_it_screens_off_and_is_minimal(random_dag, seed):
    """graphs.07: directed, undirected and as a chain graph."""
    dag = random_dag(8, 0.3, seed)
    moral = moral_graph(dag)
    chain = ChainGraph.from_dag(dag)
    for node in dag.nodes:
        blanket = markov_blanket(dag, node)
        assert markov_blanket(moral, node) == markov_blanket(chain, node) == blanket
        for graph in (dag, moral, chain):
            assert is_markov_blanket(graph, node, list(blanket))
            extra = [n for n in dag.nodes if n != node and n not in blanket]
            if extra:
                assert is_markov_blanket(graph, node, [*blanket, extra[0]], minimal=False)
                assert not is_markov_blanket(graph, node, [*blanket, extra[0]])
            if blanket:
                assert not is_markov_blanket(graph, node, list(blanket[1:]))


def test_a_lonely_node_has_none():
    dag = DAG(["a", "b"])
    assert markov_blanket(dag, "a") == ()
    assert is_markov_blanket(dag, "a", [])
    assert is_markov_blanket(DAG(["a"]), "a", [])
