"""Noisy-or."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, NoisyOr


def test_table_by_the_formula():
    strengths, leak = np.array([0.9, 0.3, 0.0, 1.0]), 0.1
    table = NoisyOr(strengths, leak).table("t", 2, [2] * 4)
    for u in product(range(2), repeat=4):
        absent = (1 - leak) * np.prod([1 - p for p, x in zip(strengths, u, strict=True) if x])
        assert_allclose(table[u], [absent, 1 - absent], rtol=1e-14)


def test_gates_multiply_to_the_table():
    cpd = NoisyOr([0.2, 0.5, 0.7], leak=0.05)
    first, *rest = cpd.gates()
    chain = first
    for gate in rest:
        chain = np.einsum("...b,bpa->...pa", chain, gate)
    assert_allclose(chain, cpd.table("t", 2, [2] * 3), rtol=1e-14)
    assert_allclose(NoisyOr([], leak=0.2).gates()[0], [0.8, 0.2])


def many_causes(n, cpd):
    causes = [f"c{i}" for i in range(n)]
    cpds = {c: [0.9 - 0.01 * i, 0.1 + 0.01 * i] for i, c in enumerate(causes)}
    return BayesianNetwork.from_edges([(c, "effect") for c in causes], {**cpds, "effect": cpd})


def test_chain_of_gates_gives_the_answers_of_the_table():
    cpd = NoisyOr(np.linspace(0.1, 0.9, 8), leak=0.02)
    gates = many_causes(8, cpd)
    table = many_causes(8, cpd.table("t", 2, [2] * 8))
    evidence = {"effect": 1, "c0": 1}
    assert len(gates._engine().tree(["effect"]).cardinalities) > 9
    for name, values in table.marginals(evidence).items():
        assert_allclose(gates.marginals(evidence)[name], values, rtol=1e-12)
    assert gates.map_query(None, evidence) == table.map_query(None, evidence)
    joint = gates.query(["c1", "c2"], evidence).values
    assert_allclose(joint, table.query(["c1", "c2"], evidence).values, rtol=1e-12)


def test_forty_causes_are_answered_without_a_table():
    network = many_causes(40, NoisyOr(np.full(40, 0.5)))
    prior = np.array([0.1 + 0.01 * i for i in range(40)])
    assert_allclose(network.marginals()["effect"][0], np.prod(1 - 0.5 * prior), rtol=1e-12)
    assert network.n_parameters == 40 + 41


def test_refusals():
    with pytest.raises(ValueError, match="strengths must be between 0 and 1"):
        NoisyOr([1.5])
    with pytest.raises(ValueError, match="leak must be between 0 and 1, got -1"):
        NoisyOr([0.5], leak=-1)
    with pytest.raises(ValueError, match="must have 2 parents, got 1"):
        NoisyOr([0.5, 0.5]).table("t", 2, [2])
    with pytest.raises(ValueError, match="must have two states each"):
        NoisyOr([0.5]).table("t", 2, [3])
