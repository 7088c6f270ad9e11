"""The random-walk kernel of graphs."""

import networkx as nx
import numpy as np
import pytest
from graph_draws import draw_graphs
from numpy.testing import assert_allclose

from margin.kernels import RandomWalk, VertexHistogram, normalise
from margin.kernels.graphs import _random_walk
from margin.testing import KernelContract


class TestRandomWalk(KernelContract):
    def make(self):
        return [RandomWalk(0.01), RandomWalk(0.3, 4), normalise(RandomWalk(0.02))]

    def draw(self, rng, n):
        return draw_graphs(rng, n)


@pytest.mark.parametrize("directed", [False, True])
def test_by_the_product_graph(directed):
    """kernels.30: pairs of equal steps."""
    X = draw_graphs(np.random.default_rng(0), 6, directed)
    K = RandomWalk(0.03)(X)
    for i, g in enumerate(X):
        for j, h in enumerate(X):
            label, other = g.nodes(data="label"), h.nodes(data="label")
            same = np.array([label[u] == other[v] for u in g for v in h], dtype=float)
            W = np.kron(nx.to_numpy_array(g), nx.to_numpy_array(h)) * np.outer(same, same)
            x = np.linalg.solve(np.eye(len(W)) - 0.03 * W, same)
            assert_allclose(K[i, j], same @ x, rtol=1e-12)


def test_limits():
    X = draw_graphs(np.random.default_rng(1), 6)
    assert_allclose(RandomWalk(1e-13)(X), VertexHistogram()(X), rtol=1e-10)
    assert_allclose(RandomWalk(0.01, 60)(X), RandomWalk(0.01)(X), rtol=1e-12)


def test_a_series_that_diverges_is_refused():
    with pytest.raises(ValueError, match=r"RandomWalk: decay must be below 0\.25, one over the"):
        RandomWalk(0.25)([nx.cycle_graph(5)])
    assert np.isfinite(RandomWalk(0.2)([nx.cycle_graph(5)])).all()
    assert np.isfinite(RandomWalk(0.25, 10)([nx.cycle_graph(5)])).all()
    assert_allclose(RandomWalk(5.0)([nx.DiGraph([(0, 1)])]), [[4.0 + 5.0]])


def test_the_radius_of_large_graphs_is_bounded_from_above(monkeypatch):
    star = nx.star_graph(24)  # spectral radius sqrt(24), largest degree 24
    true = float(np.sqrt(24))
    matrix = nx.to_scipy_sparse_array(star, dtype=float)
    assert _random_walk._radius(matrix) == pytest.approx(true)
    monkeypatch.setattr(_random_walk, "DENSE_NODES", 0)
    assert true <= _random_walk._radius(matrix) < 1.1 * true


def test_graphs_without_nodes_and_edges():
    K = RandomWalk(0.1)([nx.Graph(), nx.empty_graph(2)])
    assert_allclose(K, [[0.0, 0.0], [0.0, 4.0]])


@pytest.mark.parametrize("n_steps", [0, 1.5, True])
def test_steps_must_count(n_steps):
    with pytest.raises(ValueError, match="RandomWalk: n_steps must be an integer of at least 1"):
        RandomWalk(0.1, n_steps)
