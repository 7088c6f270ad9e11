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


def test_the_search_ends_with_its_tests():
    rng = np.random.default_rng(3)
    X = (rng.random((300, 1)) < 0.5) ^ (rng.random((300, 12)) < 0.02)
    test = GTest(Categories.of("Test", X.astype(int)))
    pairs, n_tests = max_min_parents_children(test, 0.01, max_tests=100)
    whole, more = max_min_parents_children(test, 0.01)
    assert n_tests == 100 < more
    assert (pairs >= whole).all()
    assert pairs.sum() > whole.sum()


def test_pairs_with_too_few_rows_are_tested_once():
    """Three rows say nothing about sixty columns, and there are a hundred million conditions."""
    X = np.random.default_rng(0).permuted(np.tile([[0], [1], [2]], 60), axis=0)
    test = GTest(Categories.of("Test", X), min_count=1.0)
    pairs, n_tests = max_min_parents_children(test, 0.05)
    assert n_tests == 60 * 59 // 2
    assert pairs.sum() == 60 * 59
