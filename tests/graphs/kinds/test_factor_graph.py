import pytest

from margin.graphs import DAG, FactorGraph, UndirectedGraph, moral_graph


def test_scopes_and_edges():
    """graphs.01"""
    graph = FactorGraph(["a", "b", "c"], {"f": ["b", "a"], "g": ["c"], "constant": []})
    assert graph.nodes == ("a", "b", "c", "f", "g", "constant")
    assert graph.edges == (("b", "f"), ("a", "f"), ("c", "g"))
    assert graph.scope("f") == ("b", "a")
    assert graph.scope("constant") == ()
    assert graph.factors_of("c") == ("g",)
    assert FactorGraph(2, [(0, 1)]).scope(("factor", 0)) == (0, 1)


@pytest.mark.parametrize("seed", range(4))
def test_a_network_and_its_factor_graph_have_the_same_markov_graph(random_dag, random_graph, seed):
    dag, plain = random_dag(8, 0.3, seed), random_graph(8, 0.3, seed)
    assert FactorGraph.from_dag(dag).to_undirected() == moral_graph(dag)
    assert FactorGraph.from_undirected(plain).to_undirected() == plain


def test_forests():
    polytree = DAG.from_edges([("a", "c"), ("b", "c"), ("c", "d")])
    assert FactorGraph.from_dag(polytree).is_forest()
    square = UndirectedGraph(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert not FactorGraph.from_undirected(square).is_forest()


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="scope of 'f' must be distinct variables"):
        FactorGraph(2, {"f": [0, 0]})
    with pytest.raises(ValueError, match="scope of 'f' must be distinct variables"):
        FactorGraph(2, {"f": [7]})
    with pytest.raises(ValueError, match="nodes must be distinct"):
        FactorGraph(["a"], {"a": ["a"]})
    graph = FactorGraph(["a"], {"f": ["a"]})
    with pytest.raises(ValueError, match="factor must be one of the factors, got 'a'"):
        graph.scope("a")
    with pytest.raises(ValueError, match="variable must be one of the variables, got 'f'"):
        graph.factors_of("f")
