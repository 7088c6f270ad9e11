"""Markov networks (graphical.11, graphical.12, graphical.16)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import JointTable, MarkovNetwork, PairwiseMRF
from margin.graphical.undirected._markov_network import spread
from margin.graphs import moral_graph


def test_gibbs_form():
    """graphical.11: E = -(1 / beta) sum ln phi."""
    energies = {("a", "b"): [[0.0, 1.0], [2.0, -0.5]], ("b",): [0.3, 0.0]}
    model = MarkovNetwork.from_energies(energies, beta=2.0)
    total = energies[("a", "b")][1][0] + 0.3
    assert_allclose(model.energy({"a": 1, "b": 0}, beta=2.0), total)
    weights = np.exp(-2.0 * (np.array(energies[("a", "b")]) + np.array([0.3, 0.0])))
    assert_allclose(np.exp(model.log_partition), weights.sum())


@pytest.mark.parametrize("seed", range(4))
def test_moralisation_keeps_the_distribution(make_network, seed):
    """graphical.16: potentials multiplied into the cliques of the moral graph, Z = 1."""
    network = make_network(np.random.default_rng(seed))
    moral = MarkovNetwork.from_bayesian_network(network)
    assert_allclose(moral.log_partition, 0, atol=1e-12)
    assert set(map(frozenset, moral.graph.edges)) <= set(
        map(frozenset, moral_graph(network.graph).edges)
    )
    frame = network.sample(20, random_state=0)
    assert_allclose(moral.log_prob(frame), network.log_prob(frame), rtol=1e-10)


def test_pairwise_conditionals(oracle):
    """graphical.12"""
    rng = np.random.default_rng(0)
    square = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    field = PairwiseMRF({e: rng.random((2, 2)) + 0.1 for e in square}, {"a": [1.0, 2.0]})
    exact = oracle.of_factors(field)
    rest = {"b": 0, "c": 1, "d": 1}
    assert_allclose(field.conditional("a", rest), exact.posterior(["a"], rest))
    table = JointTable.of(field)
    assert table.independent("a", "c", ["b", "d"])
    assert not table.independent("a", "c")
    with pytest.raises(ValueError, match="edges must be keyed by pairs"):
        PairwiseMRF({("a", "b", "c"): np.ones((2, 2, 2))})


def test_number_of_configurations():
    """graphical.11: K^M states of M variables."""
    model = MarkovNetwork({(f"v{i}",): np.ones(3) for i in range(5)})
    assert_allclose(np.exp(model.log_partition), 3**5)


def test_axes_are_spread():
    table = np.arange(6.0).reshape(2, 3)
    wide = spread(table, ["b", "a"], ["a", "c", "b"])
    assert_allclose(wide[:, 0, :], table.T)
