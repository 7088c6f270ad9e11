from itertools import combinations, permutations

import numpy as np
import pytest

from margin.graphs import match


def best_by_hand(C, threshold):
    """Largest number of allowed pairs, then the least cost."""
    n, m = C.shape
    best = (0, 0.0)
    for k in range(1, min(n, m) + 1):
        for rows in combinations(range(n), k):
            for columns in permutations(range(m), k):
                costs = [C[i, j] for i, j in zip(rows, columns, strict=True)]
                if all(c <= threshold and np.isfinite(c) for c in costs):
                    best = min(best, (-k, sum(costs)))
    return best


@pytest.mark.parametrize("threshold", [np.inf, 0.5, 0.2, -1.0])
@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 2)])
def test_hungarian_against_every_matching(threshold, shape):
    """graphs.17"""
    for seed in range(5):
        C = np.random.default_rng(seed).random(shape)
        C[0, 0] = np.inf
        rows, columns = match(C, threshold=threshold)
        assert len(set(rows.tolist())) == len(set(columns.tolist())) == len(rows)
        size, cost = best_by_hand(C, threshold)
        assert -len(rows) == size
        assert C[rows, columns].sum() == pytest.approx(cost)


@pytest.mark.parametrize("seed", range(5))
def test_greedy_takes_the_cheapest_pair_left(seed):
    """graphs.17: never better than Hungarian, and every step is the cheapest possible."""
    C = np.random.default_rng(seed).random((6, 7))
    rows, columns = match(C, method="greedy")
    assert C[rows, columns].sum() >= C[match(C)].sum() - 1e-12
    left = C.copy()
    for i, j in sorted(zip(rows, columns, strict=True), key=lambda pair: C[pair]):
        assert C[i, j] == left.min()
        left[i], left[:, j] = np.inf, np.inf


def test_threshold_and_ties():
    """graphs.17"""
    rows, columns = match([[0.0, 0.0], [0.0, 0.0]], method="greedy")
    assert (rows.tolist(), columns.tolist()) == ([0, 1], [0, 1])
    for method in ("hungarian", "greedy"):
        rows, columns = match([[0.3, 0.9]], threshold=0.1, method=method)
        assert rows.size == columns.size == 0
        assert match(np.empty((0, 3)), method=method)[0].size == 0


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="cost must be a matrix without NaN"):
        match([[np.nan]])
    with pytest.raises(ValueError, match="cost must be a matrix"):
        match([1.0])
    with pytest.raises(ValueError, match="method must be one of 'hungarian', 'greedy', got 'best'"):
        match([[1.0]], method="best")
