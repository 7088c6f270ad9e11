"""graphical.33, graphical.34 and graphical.35: skeletons."""

import numpy as np
import pytest

from margin.graphs import DAG
from margin.search import (
    Categories,
    ChiSquaredTest,
    FisherZ,
    GTest,
    IndependenceTest,
    Knowledge,
    Moments,
    Oracle,
    exhaustive_skeleton,
    sequential_skeleton,
    stable_skeleton,
)

SEARCHES = [stable_skeleton, sequential_skeleton, exhaustive_skeleton]


class Slow(IndependenceTest):
    """Hides the type of a test, so that the search takes its general path."""

    def __init__(self, test):
        self.test = test
        self.names = test.names

    def __call__(self, i, j, given=()):
        return self.test(i, j, given)


def random_dag(rng, p, density):
    A = np.triu(rng.random((p, p)) < density, 1)
    order = rng.permutation(p)
    return DAG.from_adjacency(A[np.ix_(order, order)].astype(int))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("seed", range(5))
def test_an_oracle_gives_the_true_skeleton(search, seed):
    """graphical.33, graphical.34, graphical.35."""
    dag = random_dag(np.random.default_rng(seed), 7, 0.35)
    A = dag.adjacency()
    found = search(Oracle(dag), 0.5)
    np.testing.assert_array_equal(found.adjacency, A | A.T)
    for (i, j), given in found.separators.items():
        assert Oracle(dag)(i, j, given).p_value == 1.0


def test_fewer_tests_than_inductive_causation():
    """graphical.34: the calls are counted."""
    dag = random_dag(np.random.default_rng(9), 9, 0.25)
    few, many = (sum(s(Oracle(dag), 0.5).n_tests) for s in (stable_skeleton, exhaustive_skeleton))
    assert few < many / 3


def sample(rng, n=250, p=6, unknown=0.0):
    X = rng.integers(0, 3, (n, p)).astype(float)
    for j in range(1, p):
        source = X[:, rng.integers(0, j)]
        X[:, j] = np.where(rng.random(n) < 0.5, source, X[:, j])
    X[rng.random(X.shape) < unknown] = np.nan
    return X


@pytest.mark.parametrize("make", [GTest, ChiSquaredTest])
@pytest.mark.parametrize("aggregate", ["sum", "max", "bonferroni"])
@pytest.mark.parametrize("unknown", [0.0, 0.1])
def test_compiled_search_against_the_general_one(make, aggregate, unknown):
    data = Categories.of("Test", sample(np.random.default_rng(1), unknown=unknown))
    test = make(data, aggregate=aggregate, min_count=1.0)
    fast = stable_skeleton(test, 0.05, max_level=3)
    slow = stable_skeleton(Slow(test), 0.05, max_level=3)
    assert fast.separators == slow.separators
    assert fast.n_tests == slow.n_tests
    assert fast.n_skipped == slow.n_skipped
    np.testing.assert_allclose(fast.largest_p, slow.largest_p, rtol=1e-9, atol=1e-300)


def test_stable_search_does_not_depend_on_the_order_of_columns():
    """graphical.35; the search as first published does."""
    X = sample(np.random.default_rng(0), n=120, p=9)
    stable, changing = set(), set()
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(9)
        back = np.argsort(order)
        test = GTest(Categories.of("Test", X[:, order]))
        for search, seen in ((stable_skeleton, stable), (sequential_skeleton, changing)):
            seen.add(search(test, 0.2).adjacency[np.ix_(back, back)].tobytes())
    assert len(stable) == 1
    assert len(changing) > 1


def test_removals_come_surest_first():
    """graphical.35: confidence in a removal falls with the p-value."""
    found = stable_skeleton(GTest(Categories.of("Test", sample(np.random.default_rng(4)))), 0.05)
    p_values = [found.p_values[pair] for pair in found.removals()]
    assert p_values == sorted(p_values, reverse=True)
    assert min(p_values) > 0.05


def test_knowledge_keeps_and_bars_edges():
    X = np.random.default_rng(5).integers(0, 2, (100, 4))
    known = Knowledge.of("Test", range(4), required=[(0, 1)], forbidden=[(2, 3), (3, 2)])
    X[:, 3] = X[:, 2]
    for test in (GTest(Categories.of("Test", X)), Slow(GTest(Categories.of("Test", X)))):
        found = stable_skeleton(test, 0.01, knowledge=known)
        assert found.adjacency[0, 1]
        assert not found.adjacency[2, 3]


def test_threads_change_nothing():
    test = GTest(Categories.of("Test", sample(np.random.default_rng(6), p=9)))
    one, two = (stable_skeleton(test, 0.05, n_threads=n) for n in (1, 2))
    assert one.separators == two.separators


def dependent_rows(p=12, n=400):
    """Columns that all hang together: few tests separate any."""
    rng = np.random.default_rng(3)
    return (rng.random((n, 1)) < 0.5) ^ (rng.random((n, p)) < 0.02)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("hidden", [False, True])
def test_a_search_ends_with_its_tests(search, hidden):
    data = Categories.of("Test", dependent_rows().astype(int))
    test = Slow(GTest(data)) if hidden else GTest(data)
    short, whole = (search(test, 0.01, max_level=2, max_tests=m) for m in (200, 10**6))
    assert short.cut
    assert sum(short.n_tests) <= 200 < sum(whole.n_tests)
    assert (short.adjacency >= whole.adjacency).all()
    assert short.adjacency.sum() > whole.adjacency.sum()
    first = search(test, 0.01, max_level=0, max_tests=200)
    assert (first.cut, first.n_tests) == (False, (66,))


def test_where_the_tests_end_does_not_depend_on_threads():
    data = Categories.of("Test", dependent_rows().astype(int))
    numbers = np.random.default_rng(0).normal(size=(60, 9))
    numbers[:, 1:] += 3 * numbers[:, :1]
    for test in (GTest(data), FisherZ(Moments.of("Test", numbers))):
        one, three = (stable_skeleton(test, 0.01, max_tests=300, n_threads=n) for n in (1, 3))
        assert one.cut
        assert one.n_tests == three.n_tests
        np.testing.assert_array_equal(one.adjacency, three.adjacency)
        np.testing.assert_array_equal(one.largest_p, three.largest_p)


def test_too_few_rows_for_any_test_are_seen_without_counting():
    """Twenty columns of thirty states: tables of millions of cells for ninety rows."""
    X = np.random.default_rng(0).integers(0, 30, (90, 20))
    found = stable_skeleton(GTest(Categories.of("Test", X), min_count=1.0), 0.05, max_level=2)
    assert found.n_tests == found.n_skipped == (190, 190 * 18, 190 * 153)
    assert found.adjacency.sum() == 20 * 19
