from itertools import chain, combinations

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csgraph, csr_array

from margin.graphs import maximum_flow


def random_network(n, density, seed, whole=False):
    rng = np.random.default_rng(seed)
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b and rng.random() < density]
    sizes = rng.integers(0, 9, len(pairs)) if whole else rng.exponential(size=len(pairs))
    return {(0, n - 1): sizes.dtype.type(0), **dict(zip(pairs, sizes, strict=True))}


def cut_value(network, side):
    return sum(c for (a, b), c in network.items() if a in side and b not in side)


@pytest.mark.parametrize("seed", range(12))
def test_smallest_of_all_cuts(seed):
    """graphs.16"""
    n = 7
    network = random_network(n, 0.45, seed)
    inner = range(1, n - 1)
    sides = chain.from_iterable(combinations(inner, k) for k in range(n - 1))
    smallest = min(cut_value(network, {0, *side}) for side in sides)
    best = maximum_flow(network, 0, n - 1)
    assert best.value == pytest.approx(smallest, rel=1e-12, abs=1e-14)
    assert cut_value(network, set(best.source_side)) == pytest.approx(best.value)
    assert set(best.source_side) | set(best.sink_side) == {v for edge in network for v in edge}


@pytest.mark.parametrize("seed", range(6))
def test_the_flow_is_one(seed):
    """graphs.16: within the capacities, nothing lost on the way, and worth the cut."""
    network = random_network(15, 0.3, seed)
    best = maximum_flow(network, 0, 14)
    balance = np.zeros(15)
    for (a, b), sent in best.flow.items():
        assert -1e-12 <= sent <= network[a, b] + 1e-12
        balance[[a, b]] += [-sent, sent]
    np.testing.assert_allclose(balance[1:-1], 0.0, atol=1e-12)
    np.testing.assert_allclose([-balance[0], balance[-1]], best.value, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_against_scipy_and_networkx(seed):
    """graphs.16"""
    network = random_network(30, 0.2, seed, whole=True)
    C = np.zeros((30, 30), dtype=np.int32)
    for (a, b), size in network.items():
        C[a, b] = size
    assert (
        maximum_flow(network, 0, 29).value == csgraph.maximum_flow(csr_array(C), 0, 29).flow_value
    )
    real = random_network(30, 0.2, seed)
    graph = nx.DiGraph()
    for (a, b), size in real.items():
        graph.add_edge(a, b, capacity=size)
    assert maximum_flow(real, 0, 29).value == pytest.approx(nx.maximum_flow_value(graph, 0, 29))


def test_capacities_that_stop_the_ways_of_ford_and_fulkerson():
    """graphs.16: Zwick's network, on which badly chosen ways never end."""
    golden = (np.sqrt(5) - 1) / 2
    network = {("s", v): 100.0 for v in "abd"} | {(v, "t"): 100.0 for v in "acd"}
    network |= {("b", "a"): 1.0, ("b", "c"): 1.0, ("d", "c"): golden}
    assert maximum_flow(network, "s", "t").value == pytest.approx(201.0)


def test_limits_and_refusals():
    """graphs.16"""
    assert maximum_flow({("s", "a"): np.inf, ("a", "t"): 0.1}, "s", "t").value == 0.1
    apart = maximum_flow({("s", "a"): 1.0, ("b", "t"): 1.0}, "s", "t")
    assert (apart.value, apart.cut, apart.sink_side) == (0.0, (), ("b", "t"))
    for capacities, source, words in [
        ({("s", "t"): -1.0}, "s", r"capacity of \('s', 't'\) must be at least 0, got -1.0"),
        ({("s", "t"): np.nan}, "s", "must be at least 0, got nan"),
        ({("s", "t"): "x"}, "s", "must be a number, got 'x'"),
        ({("s", "t"): 1.0}, "q", "source must be a node of the network, got 'q'"),
        ({("s", "t"): 1.0}, "t", "source and sink must be different, got 't'"),
        ({("s", "t"): np.inf}, "s", "capacities must be finite somewhere on every way"),
        ([("s", "t")], "s", "capacities must be a mapping of edges to numbers, got list"),
    ]:
        with pytest.raises(ValueError, match=words):
            maximum_flow(capacities, source, "t")
