import numpy as np

from margin.causal import FCI, RFCI


def test_the_same_graph_as_fci_where_neighbours_separate():
    rng = np.random.default_rng(0)
    for _ in range(5):
        weight = np.triu(rng.random((8, 8)) < 0.2, 1)
        X = np.zeros((800, 8))
        for j in range(8):
            X[:, j] = X @ weight[:, j] + rng.standard_normal(800)
        full, quick = FCI(alpha=0.001).fit(X[:, 1:]), RFCI(alpha=0.001).fit(X[:, 1:])
        assert quick.graph_ == full.graph_
        assert quick.skeleton_ == full.skeleton_
