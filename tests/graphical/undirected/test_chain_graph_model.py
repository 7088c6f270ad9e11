"""Chain graphs with local normalisers (graphical.15), and factor graphs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, ChainGraphModel, FactorGraphModel, MarkovNetwork
from margin.graphs import ChainGraph, FactorGraph

GRAPH = ChainGraph(["a", "b", "c", "d"], [("a", "c"), ("b", "d")], [("c", "d")])


def factors(seed=0):
    rng = np.random.default_rng(seed)
    return {
        ("a",): rng.dirichlet(np.ones(2)),
        ("b",): rng.dirichlet(np.ones(3)),
        ("a", "c"): rng.dirichlet(np.ones(2), size=2),
        ("b", "d"): rng.dirichlet(np.ones(2), size=3),
        ("c", "d"): rng.random((2, 2)) + 0.1,
    }


@pytest.mark.parametrize("seed", range(3))
def test_local_normaliser_keeps_the_parents(seed):
    """graphical.15: sums to one and keeps p(a), p(b); a global constant would not."""
    given = factors(seed)
    model = ChainGraphModel(GRAPH, given)
    a, b, ac, bd, cd = given.values()
    component = np.einsum("ac,bd,cd->abcd", ac, bd, cd)
    local = component / component.sum(axis=(2, 3), keepdims=True)
    expected = np.einsum("a,b,abcd->abcd", a, b, local)
    assert_allclose(model.query(["a", "b", "c", "d"]).values, expected, atol=1e-12)
    assert_allclose(model.log_partition, 0, atol=1e-12)
    assert_allclose(model.marginals()["a"], a)
    assert_allclose(model.marginals()["b"], b)
    whole = MarkovNetwork(given).marginals()["a"]
    assert np.abs(whole - a).max() > 1e-4


def test_single_components_are_a_bayesian_network():
    """graphical.15: p(f | a, b), not p(f | a) p(f | b)."""
    rng = np.random.default_rng(0)
    table = rng.dirichlet(np.ones(2), size=(2, 2))
    graph = ChainGraph(["a", "b", "f"], [("a", "f"), ("b", "f")])
    parts = {("a",): [0.3, 0.7], ("b",): [0.6, 0.4], ("a", "b", "f"): table}
    chain = ChainGraphModel(graph, parts)
    net = BayesianNetwork.from_edges(
        [("a", "f"), ("b", "f")], {"a": [0.3, 0.7], "b": [0.6, 0.4], "f": table}
    )
    assert_allclose(chain.query("a", {"f": 1}).values, net.query("a", {"f": 1}).values)


def test_one_component_is_a_markov_network():
    """graphical.15"""
    potentials = {("a", "b"): [[1.0, 2.0], [3.0, 4.0]], ("b", "c"): [[1.0, 5.0], [2.0, 1.0]]}
    graph = ChainGraph(["a", "b", "c"], undirected=[("a", "b"), ("b", "c")])
    chain, field = ChainGraphModel(graph, potentials), MarkovNetwork(potentials)
    assert_allclose(chain.marginals()["b"], field.marginals()["b"])


def test_factor_graphs_with_one_undirected_graph():
    rng = np.random.default_rng(0)
    f = {"ab": rng.random((2, 2)), "bc": rng.random((2, 2)), "ca": rng.random((2, 2))}
    loop = FactorGraphModel(FactorGraph(["a", "b", "c"], {k: list(k) for k in f}), f)
    whole = np.einsum("ab,bc,ca->abc", f["ab"], f["bc"], f["ca"])
    single = FactorGraphModel(
        FactorGraph(["a", "b", "c"], {"abc": ["a", "b", "c"]}), {"abc": whole}
    )
    assert loop.graph == single.graph
    assert len(loop.factor_graph.factors) == 3
    assert_allclose(loop.marginals({"a": 1})["c"], single.marginals({"a": 1})["c"])


def test_refusals():
    with pytest.raises(ValueError, match="factors must be within a component"):
        ChainGraphModel(GRAPH, {**factors(), ("a", "b"): np.ones((2, 3))})
    with pytest.raises(ValueError, match="graph must be a ChainGraph"):
        ChainGraphModel([("a", "b")], {})
    with pytest.raises(ValueError, match="possible for all parents"):
        ChainGraphModel(GRAPH, {**factors(), ("a", "c"): [[0.0, 0.0], [0.5, 0.5]]})
    with pytest.raises(ValueError, match="states of 'a' must be given"):
        ChainGraphModel(ChainGraph(["a"]), {})
    with pytest.raises(ValueError, match="graph must be a FactorGraph"):
        FactorGraphModel([], {})
    with pytest.raises(ValueError, match="tables must be one per factor"):
        FactorGraphModel(FactorGraph(["a"], {"f": ["a"]}), {})
