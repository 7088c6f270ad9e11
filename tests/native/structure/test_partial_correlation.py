"""The compiled Gaussian skeleton against the same search, one test at a time."""

import numpy as np
import pytest
from scipy import stats

from margin.native.structure.partial_correlation import gaussian_skeleton
from margin.search import FisherZ, IndependenceTest, Moments, stable_skeleton


class Slow(IndependenceTest):
    """Hides the type of a test, so that the search takes its general path."""

    def __init__(self, test):
        self.test = test
        self.names = test.names

    def __call__(self, i, j, given=()):
        return self.test(i, j, given)


def chain_data(rng, n, p, density=0.4):
    weight = np.triu(rng.uniform(0.4, 1.0, (p, p)) * (rng.random((p, p)) < density), 1)
    X = np.zeros((n, p))
    for j in range(p):
        X[:, j] = X @ weight[:, j] + rng.standard_normal(n)
    return X


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("max_level", [0, 1, 5])
def test_parity(seed, max_level):
    rng = np.random.default_rng(seed)
    test = FisherZ(Moments.of("Test", chain_data(rng, 120, 8)))
    fast = stable_skeleton(test, 0.05, max_level=max_level)
    slow = stable_skeleton(Slow(test), 0.05, max_level=max_level)
    np.testing.assert_array_equal(fast.adjacency, slow.adjacency)
    assert fast.separators == slow.separators
    assert fast.n_tests == slow.n_tests
    np.testing.assert_allclose(fast.largest_p, slow.largest_p, atol=1e-12)


def test_threads_change_nothing():
    X = chain_data(np.random.default_rng(7), 300, 20, 0.2)
    one = stable_skeleton(FisherZ(Moments.of("Test", X)), 0.05, n_threads=1)
    two = stable_skeleton(FisherZ(Moments.of("Test", X)), 0.05, n_threads=2)
    assert one.separators == two.separators
    assert one.n_tests == two.n_tests


def test_copied_and_constant_columns():
    rng = np.random.default_rng(8)
    x = rng.standard_normal(50)
    X = np.column_stack([x, x, np.ones(50), x + rng.standard_normal(50)])
    found = stable_skeleton(FisherZ(Moments.of("Test", X)), 0.05)
    assert not found.adjacency[2].any()
    assert np.isfinite(found.largest_p).all()


def test_one_column_and_bad_shapes():
    empty = np.zeros((1, 1), dtype=np.uint8)
    adjacency, _, record = gaussian_skeleton(np.ones((1, 1)), 10.0, 1.0, 3, empty, empty, 1)
    assert adjacency.sum() == 0
    assert record["separators"] == record["p_values"] == {}
    with pytest.raises(ValueError, match="shape"):
        gaussian_skeleton(np.ones((2, 2)), 10.0, 1.0, 3, empty, empty, 1)


def test_cut_is_the_level():
    r = np.array([[1.0, 0.3], [0.3, 1.0]])
    full = 1 - np.eye(2, dtype=np.uint8)
    none = np.zeros((2, 2), dtype=np.uint8)
    z = np.sqrt(47) * np.arctanh(0.3)
    for cut, edges in [(z * 0.999, 2), (z * 1.001, 0)]:
        adjacency, largest, _ = gaussian_skeleton(r, 50.0, cut, 3, full, none, 1)
        assert adjacency.sum() == edges
        assert largest[0, 1] == pytest.approx(2 * stats.norm.sf(z), rel=1e-9)


@pytest.mark.parametrize("n", [60, 4])
def test_the_second_search_with_more_candidates_than_a_word_has_bits(n):
    rng = np.random.default_rng(n)
    p = 70
    test = FisherZ(Moments.of("Test", chain_data(rng, n, p, 0.1)))
    start, candidates = np.zeros((2, p, p), dtype=np.uint8)
    for i, j in rng.choice(p, (60, 2)):
        start[i, j] = start[j, i] = i != j
    candidates[:] = rng.random((p, p)) < 0.97
    np.fill_diagonal(candidates, 0)
    fast, slow = (
        stable_skeleton(t, 0.3, max_level=1, start=start, candidates=candidates)
        for t in (test, Slow(test))
    )
    np.testing.assert_array_equal(fast.adjacency, slow.adjacency)
    assert fast.separators == slow.separators
    assert (fast.n_tests, fast.n_skipped) == (slow.n_tests, slow.n_skipped)
    np.testing.assert_allclose(fast.largest_p, slow.largest_p, atol=1e-12)
    assert sum(fast.n_skipped) == (sum(fast.n_tests) - fast.n_tests[0] if n == 4 else 0)
