"""Ising and Potts models (graphical.14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import Ising, Potts
from margin.graphical.undirected._ising import grid_edges, is_grid
from margin.graphs import UndirectedGraph


@pytest.mark.parametrize(
    ("edges", "temperature", "partition"),
    [((2, 2), 1.0, 2.2204585919), ((2, 2), 2.0, 3.6606546766), ([("a", "b")], 1.0, 2.2706705665)],
)
def test_golden_partition_functions(edges, temperature, partition):
    """graphical.14"""
    model = Ising(edges, temperature=temperature)
    assert_allclose(np.exp(model.log_partition), partition, atol=5e-11)


def test_limits_of_temperature():
    """graphical.14: hot spins are independent, cold ones have two ground states."""
    hot, cold = Ising((3, 3), temperature=1e9), Ising((3, 3), temperature=0.05)
    assert_allclose(np.exp(hot.log_partition), 2.0**9, rtol=1e-6)
    assert_allclose(np.exp(cold.log_partition), 2.0, rtol=1e-12)
    pair = cold.query([(0, 0), (2, 2)]).values
    assert_allclose(pair, np.eye(2) / 2, atol=1e-12)


def test_field_and_coupling(oracle):
    model = Ising([("a", "b"), ("b", "c")], temperature=1.5, coupling=-0.7, field={"a": 0.3})
    exact = oracle.of_factors(model)
    assert_allclose(model.marginals()["c"], exact.posterior(["c"]), rtol=1e-12)
    weight = np.exp(0.7 * 4 / 3.0) * np.exp(0.7 * 4 / 3.0) * np.exp(0.3 / 1.5)
    assert_allclose(np.exp(model.log_potential({"a": 1, "b": -1, "c": 1})), weight)
    assert model.states["a"] == (-1, 1)


def test_potts_against_enumeration(oracle):
    rng = np.random.default_rng(0)
    unary = rng.normal(size=(2, 3, 3))
    model = Potts((2, 3), unary, coupling=0.8, labels="xyz")
    exact = oracle.of_factors(model)
    best = exact.rows[int(np.argmax(exact.p))]
    found = model.map_query()
    assert tuple(found[name] for name in exact.names) == best

    def energy(row):
        at = {name: "xyz".index(s) for name, s in zip(exact.names, row, strict=True)}
        cost = sum(unary[n][at[n]] for n in at)
        return cost + 0.8 * sum(at[a] != at[b] for a, b in grid_edges(2, 3))

    gaps = [-np.log(p) - energy(row) for p, row in zip(exact.p, exact.rows, strict=True)]
    assert_allclose(gaps, gaps[0], atol=1e-9)


def test_loopy_beliefs_are_exact_on_a_chain():
    unary = np.random.default_rng(1).normal(size=(1, 6, 4))
    model = Potts((1, 6), unary, coupling=1.2)
    exact = np.array(list(model.marginals().values()))
    assert_allclose(model.beliefs().marginals, exact, atol=1e-7)
    states = model.beliefs(maximise=True).states
    assert list(model.map_query().values()) == states.tolist()


def test_large_grid_is_denoised():
    rng = np.random.default_rng(0)
    truth = np.zeros((40, 40), dtype=int)
    truth[10:30, 10:30] = 1
    noisy = np.where(rng.random(truth.shape) < 0.2, 1 - truth, truth)
    unary = np.log(4.0) * (noisy[..., None] != np.arange(2))
    labels = Potts((40, 40), unary, coupling=1.0).beliefs().states.reshape(40, 40)
    assert np.mean(labels != truth) < 0.04 < np.mean(noisy != truth)


def test_graphs_and_refusals():
    graph = UndirectedGraph(["a", "b", "c"], [("a", "b")])
    assert Ising(graph).variables == ("a", "b", "c")
    assert is_grid((2, 3))
    assert not is_grid(("a", "b"))
    with pytest.raises(ValueError, match="Ising: temperature must be a number above 0, got 0"):
        Ising((2, 2), temperature=0)
    with pytest.raises(ValueError, match="field must be of the spins, got 'z'"):
        Ising([("a", "b")], field={"z": 1.0})
    with pytest.raises(ValueError, match="pairs of different nodes"):
        Ising([("a", "a")])
    with pytest.raises(ValueError, match="grid of at least one node"):
        Ising((0, 2))
    with pytest.raises(ValueError, match="Potts: unary must be energies of the labels of 4 nodes"):
        Potts((2, 2), np.zeros((3, 2)))
    with pytest.raises(ValueError, match="unary must be finite"):
        Potts((1, 1), [[[np.inf, 0.0]]])
    with pytest.raises(ValueError, match="labels must be 2 names"):
        Potts((1, 1), [[[0.0, 0.0]]], labels="xyz")
