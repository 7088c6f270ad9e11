import numpy as np
import pytest

from margin.ensemble.boosting._leaf_steps import (
    in_directions,
    merged_values,
    newton_values,
    without_branches,
)
from margin.search import BinnedGrowth, Bins, GrowthRules


def grown(n=200, leaves=8):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 2))
    g = (-X[:, 0] + 0.3 * rng.standard_normal(n)).astype(np.float32)
    bins = Bins.of(X)
    growth = BinnedGrowth(bins, bins.encode(X), GrowthRules(max_leaf_nodes=leaves))
    growth.grow(g)
    return growth, X, g


def test_steps_of_leaves():
    g = np.array([1.0, -2.0, 4.0, 1.0], dtype=np.float32)
    h = np.array([1.0, 1.0, 2.0, 0.0], dtype=np.float32)
    rows, starts = np.array([2, 0, 1, 3], dtype=np.uint32), np.array([0, 2, 3, 4])
    np.testing.assert_allclose(newton_values(g, h, 0.0, rows, starts), [-5 / 3, 2.0, 0.0])
    np.testing.assert_allclose(newton_values(g, h, 1.0, rows, starts), [-5 / 4, 1.0, -1.0])


def test_no_price_no_branch_is_cut():
    growth, X, _ = grown()
    values = merged_values(growth, 0.0, None)
    forest = growth.forest()
    np.testing.assert_array_equal(values, forest.value[forest.is_leaf, 0])
    np.testing.assert_array_equal(without_branches(forest, 0.0).predict(X), forest.predict(X))


@pytest.mark.parametrize("by_rows", [False, True])
def test_branches_are_replaced_by_their_mean(by_rows):
    """The cheapest of all prunings at a price, by trying every one of them."""
    growth, X, g = grown(60, 5)
    price = 0.05

    def values(rows, starts):
        return newton_values(g, None, 0.0, rows, starts)

    growth.set_leaf_values(merged_values(growth, price, values if by_rows else None))
    small = without_branches(growth.forest(), price)
    answer = small.predict(X)[:, 0]
    assert 1 < small.n_leaves[0] < 5
    for value in np.unique(answer):
        assert value == pytest.approx(-g[answer == value].mean(), abs=1e-6)
    cost = np.sum((answer + g) ** 2) / 60 + price * small.n_leaves[0]
    for other in (0.0, 0.01, 0.02, 0.1, 0.5, 10.0):
        fresh, _, _ = grown(60, 5)
        fresh.set_leaf_values(merged_values(fresh, other, values))
        tree = without_branches(fresh.forest(), other)
        rest = np.sum((tree.predict(X)[:, 0] + g) ** 2) / 60 + price * tree.n_leaves[0]
        assert cost <= rest + 1e-9


@pytest.mark.parametrize("directions", [(1, 0), (-1, 0), (1, -1), (0, 0)])
def test_values_are_moved_no_further_than_needed(directions):
    growth, X, _ = grown(200, 12)
    tree = growth.last_tree()
    values = np.random.default_rng(1).standard_normal(growth.n_leaves)
    moved = in_directions(tree, directions, values)
    growth.set_leaf_values(moved)
    forest = growth.forest()
    for j, direction in enumerate(directions):
        for row in X[:20]:
            line = np.tile(row, (50, 1))
            line[:, j] = np.linspace(-3, 3, 50)
            if direction:
                assert (direction * np.diff(forest.predict(line)[:, 0]) >= 0).all()
    again = in_directions(growth.last_tree(), directions, moved)
    np.testing.assert_allclose(again, moved)
    if directions == (0, 0):
        np.testing.assert_array_equal(moved, values)
