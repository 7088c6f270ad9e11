from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from margin.search import Categories, information_matrix, maximum_spanning_tree, mutual_information


def test_information_of_pairs():
    X = np.random.default_rng(0).integers(0, 3, (80, 3))
    X[:, 2] = (X[:, 0] + X[:, 1]) % 3
    found = information_matrix(Categories.of("Test", X))
    for i, j in combinations(range(3), 2):
        assert found[i, j] == pytest.approx(mutual_info_score(X[:, i], X[:, j]), abs=1e-12)
    given = information_matrix(Categories.of("Test", X), given=2)
    share = [(X[:, 2] == s).mean() * mutual_info_score(*X[X[:, 2] == s, :2].T) for s in range(3)]
    assert given[0, 1] == pytest.approx(sum(share))
    assert given[0, 2] == 0


def test_independence_and_nothing():
    assert mutual_information(np.outer([1, 2], [3, 4.0])) == pytest.approx(0.0, abs=1e-15)
    assert mutual_information(np.zeros((2, 2))) == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_against_all_trees(seed):
    rng = np.random.default_rng(seed)
    W = rng.random((5, 5))
    W = W + W.T
    pairs = list(combinations(range(5), 2))

    def spans(edges):
        seen = {0}
        for _ in range(4):
            seen |= {b for a, b in edges if a in seen} | {a for a, b in edges if b in seen}
        return len(seen) == 5

    best = max(sum(W[e] for e in edges) for edges in combinations(pairs, 4) if spans(edges))
    for root in range(5):
        arcs = maximum_spanning_tree(W, root)
        assert sum(W[arc] for arc in arcs) == pytest.approx(best)
        assert {child for _, child in arcs} == set(range(5)) - {root}


def test_only_some_nodes():
    W = np.ones((4, 4))
    assert maximum_spanning_tree(W, 1, np.array([1, 3])) == [(1, 3)]
