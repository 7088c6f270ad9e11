import numpy as np
import pytest

from margin.native.graphs.graph_search import exact_elimination, greedy_elimination, pack, unpack


def random_adjacency(n, density, seed):
    A = np.triu(np.random.default_rng(seed).random((n, n)) < density, 1)
    return A | A.T


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 200])
def test_packing_there_and_back(n):
    A = random_adjacency(n, 0.3, n)
    rows = pack(A)
    assert rows.shape == (n, max(1, -(-n // 64)))
    assert np.array_equal(unpack(rows, n), A)


@pytest.mark.parametrize("seed", range(5))
def test_cliques_are_what_elimination_leaves(seed):
    """Twin in NumPy: eliminate in the order returned."""
    n = 30
    A = random_adjacency(n, 0.15, seed)
    order, rows, maximal = greedy_elimination(pack(A), np.zeros(n), "min-fill")
    cliques = unpack(rows, n)
    left = A.copy()
    for node, clique in zip(order, cliques, strict=True):
        around = left[node].copy()
        assert np.array_equal(clique, around | (np.arange(n) == node))
        left[np.ix_(around, around)] = True
        np.fill_diagonal(left, False)
        left[node] = left[:, node] = False
    inside = cliques.astype(int) @ cliques.T.astype(int) == cliques.sum(1)
    for i in range(n):
        earlier = inside[:i, i].any()  # clique i lies within an earlier one
        assert maximal[i] == (not earlier)


def test_loops_are_ignored_and_seeds_repeat():
    A = random_adjacency(20, 0.3, 0)
    weight = np.zeros(20)
    plain = greedy_elimination(pack(A), weight, "min-degree")
    looped = greedy_elimination(pack(A | np.eye(20, dtype=bool)), weight, "min-degree")
    assert np.array_equal(plain[0], looped[0])
    one = greedy_elimination(pack(A), weight, "min-fill", 5)[0]
    assert np.array_equal(one, greedy_elimination(pack(A), weight, "min-fill", 5)[0])
    assert sorted(one.tolist()) == list(range(20))
    assert any(
        not np.array_equal(one, greedy_elimination(pack(A), weight, "min-fill", s)[0])
        for s in range(6, 12)
    )


def test_exact_order_is_a_permutation():
    for n in (0, 1, 2, 9):
        order = exact_elimination(pack(random_adjacency(n, 0.4, n)), np.zeros(n))
        assert sorted(order.tolist()) == list(range(n))


def test_bad_arrays_are_refused():
    rows = pack(random_adjacency(4, 0.5, 0))
    with pytest.raises(ValueError, match="arrays of different shape"):
        greedy_elimination(rows, np.zeros(3), "min-fill")
    out_of_range = rows | np.uint64(1 << 40)
    with pytest.raises(ValueError, match="neighbour out of range"):
        greedy_elimination(out_of_range, np.zeros(4), "min-fill")
    with pytest.raises(ValueError, match="more than 22 nodes"):
        exact_elimination(pack(np.zeros((23, 23), dtype=bool)), np.zeros(23))
    with pytest.raises(ValueError, match="not in tuple"):
        greedy_elimination(rows, np.zeros(4), "max-fill")
