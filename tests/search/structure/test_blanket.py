import numpy as np
import pytest

from margin.graphs import DAG
from margin.search import Categories, GTest, Knowledge, Oracle, max_min_parents_children


@pytest.mark.parametrize("seed", range(6))
def test_an_oracle_keeps_every_edge(seed):
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((7, 7)) < 0.3, 1).astype(int)
    found, n_tests = max_min_parents_children(Oracle(DAG.from_adjacency(A)), 0.5, max_level=5)
    assert (found >= (A | A.T)).all()
    # The symmetric parents and children are the skeleton on almost every graph.
    assert (found != (A | A.T)).sum() <= 2
    assert n_tests > 0


def test_a_chain_in_data():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 1000)
    y = x ^ (rng.random(1000) < 0.1)
    z = y ^ (rng.random(1000) < 0.1)
    noise = rng.integers(0, 2, 1000)
    data = Categories.of("Test", np.column_stack([x, y, z, noise]))
    found, _ = max_min_parents_children(GTest(data), 0.01)
    np.testing.assert_array_equal(np.argwhere(np.triu(found)), [[0, 1], [1, 2]])
    known = Knowledge.of("Test", range(4), required=[(0, 3)], forbidden=[(0, 1), (1, 0)])
    found, _ = max_min_parents_children(GTest(data), 0.01, knowledge=known)
    assert found[0, 3]
    assert not found[0, 1]
