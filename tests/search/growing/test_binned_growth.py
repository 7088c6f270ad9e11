"""Trees in values answer as trees in bins, whatever the columns hold."""

from itertools import pairwise

import numpy as np
import pytest

from margin.search import BinnedGrowth, Bins, GrowthRules


def mixed_table(rng, n):
    X = np.round(rng.standard_normal((n, 6)), 2)
    X[:, 1] = rng.integers(0, 4, n)
    X[:, 2] = rng.integers(0, 40, n)
    X[:, 3] = 7.0
    X[rng.random((n, 6)) < 0.1] = np.nan
    return X, np.array([False, True, True, False, False, False])


@pytest.mark.parametrize("seed", range(4))
def test_values_and_bins_agree(seed):
    rng = np.random.default_rng(seed)
    X, categorical = mixed_table(rng, 600)
    bins = Bins.of(X, categorical=categorical)
    table = bins.encode(X)
    growth = BinnedGrowth(bins, table, GrowthRules(max_leaf_nodes=25, min_samples_leaf=4))
    y = np.where(X[:, 1] == 2, 1.0, 0.0) + np.where(X[:, 2] > 20, 0.0, np.nan_to_num(X[:, 2]) % 3)
    total = np.zeros(600)
    for _ in range(5):
        growth.grow((total - y).astype(np.float32))
        growth.shrink_and_add(0.5, total)
    forest = growth.forest().check()
    assert forest.n_trees == growth.n_trees == 5
    assert (forest.categories >= 0).any()
    np.testing.assert_allclose(forest.predict(X).ravel(), total, atol=1e-12)
    assert np.mean((total - y) ** 2) < 0.2 * y.var()
    # Values that were not there: between, beyond, rare categories, none.
    new, _ = mixed_table(rng, 200)
    new[:50, 2] = [41.0, 1e6, -3.0, np.nan, 1e300] * 10
    by_codes = np.zeros(200)
    last = forest.select([4])
    growth.add_to_rows(bins.encode(new), np.arange(200, dtype=np.uint32), by_codes)
    np.testing.assert_allclose(last.predict(new).ravel(), by_codes, atol=1e-12)


def test_rare_categories_follow_missing_values():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.integers(0, 12, 5000), np.arange(100, 1100)]).astype(float)
    y = (X[:5000] % 2).tolist() + [1.0] * 1000
    X = X.reshape(-1, 1)
    bins = Bins.of(X, categorical=np.array([True]), max_bins=12)
    growth = BinnedGrowth(bins, bins.encode(X), GrowthRules(max_leaf_nodes=4))
    growth.grow(-np.array(y, dtype=np.float32))
    forest = growth.forest()
    expected = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    new = np.array([[0.0], [1.0], [500.0], [50.0], [10**7], [np.nan]])
    np.testing.assert_allclose(forest.predict(new).ravel(), expected, atol=1e-6)


def test_missing_values_seen_only_at_predict_go_with_the_majority():
    X = np.arange(10.0).reshape(-1, 1)
    y = np.array([0] * 7 + [1] * 3, dtype=np.float32)
    bins = Bins.of(X)
    growth = BinnedGrowth(bins, bins.encode(X), GrowthRules(max_leaf_nodes=2))
    growth.grow(-y)
    assert growth.forest().predict(np.array([[np.nan]]))[0, 0] == 0.0
    growth.grow(-y[::-1].copy())
    assert growth.forest().select([1]).predict(np.array([[np.nan]]))[0, 0] == 0.0


def test_missing_against_all_values():
    X = np.array([[0.0], [1.0], [2.0], [np.nan], [np.nan]])
    y = np.array([0, 0, 0, 5, 5], dtype=np.float32)
    bins = Bins.of(X)
    growth = BinnedGrowth(bins, bins.encode(X), GrowthRules(max_leaf_nodes=2))
    growth.grow(-y)
    forest = growth.forest().check()
    assert forest.threshold[0] == np.inf
    np.testing.assert_array_equal(forest.predict(X).ravel(), y)
    np.testing.assert_array_equal(forest.predict(np.array([[np.inf], [-np.inf]])).ravel(), [0, 0])


def test_a_forest_of_means():
    """Slopes -w (y - c) and curvatures w: means of leaves, gains in squared error."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((300, 4))
    y = X[:, 0] + 0.1 * rng.standard_normal(300)
    drawn = rng.poisson(1.0, 300).astype(float)
    rows = np.flatnonzero(drawn).astype(np.uint32)
    bins = Bins.of(X)
    growth = BinnedGrowth(bins, bins.encode(X), GrowthRules(split_features=2, min_samples_leaf=3))
    slope, curvature = -drawn * (y - y.mean()), drawn
    growth.grow(slope.astype(np.float32), curvature.astype(np.float32), rows=rows, weight=drawn)
    forest = growth.forest()
    leaf = forest.apply(X)[:, 0]
    means = forest.value[leaf, 0] + y.mean()
    for k in np.unique(leaf):
        own = leaf == k
        assert np.average(y[own], weights=drawn[own]) == pytest.approx(means[own][0], abs=1e-5)
    before = np.average((y - np.average(y, weights=drawn)) ** 2, weights=drawn) * drawn.sum()
    after = np.sum(drawn * (y - means) ** 2)
    assert forest.gain.sum() == pytest.approx(before - after, rel=1e-4)
    assert forest.cover[0] == drawn.sum()


def test_other_values_of_leaves():
    X = np.arange(4.0).reshape(-1, 1)
    bins = Bins.of(X)
    growth = BinnedGrowth(bins, bins.encode(X), GrowthRules(max_leaf_nodes=2))
    growth.grow(np.array([0, 0, -1, -1], dtype=np.float32))
    rows, starts = growth.leaf_rows()
    assert [rows[a:b].tolist() for a, b in pairwise(starts)] == [
        [0, 1],
        [2, 3],
    ]
    growth.set_leaf_values(np.array([5.0, 6.0]))
    np.testing.assert_array_equal(growth.forest().predict(X).ravel(), [5, 5, 6, 6])
    assert growth.n_leaves == 2


def test_the_last_tree_alone():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.standard_normal(200), rng.integers(0, 12, 200)])
    bins = Bins.of(X, categorical=np.array([False, True]))
    growth = BinnedGrowth(bins, bins.encode(X), GrowthRules(max_leaf_nodes=9))
    for output in range(3):
        growth.grow(rng.standard_normal(200).astype(np.float32), output=output)
        every = growth.forest(3)
        last, expected = growth.last_tree(), every.select([output])
        assert last.n_trees == 1
        np.testing.assert_array_equal(last.apply(X), expected.apply(X))
        np.testing.assert_array_equal(last.value, expected.value)


@pytest.mark.parametrize("seed", range(5))
def test_rows_are_counted_where_weights_differ(seed):
    """The best cut that leaves enough rows, however heavy a few of them are; by brute force."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 30, size=(200, 3)).astype(float)
    X[rng.random(200) < 0.2, 1] = np.nan
    weight = rng.choice([0.01, 1.0, 1e4], 200)
    g = (weight * rng.standard_normal(200)).astype(np.float32)
    least = 25
    bins = Bins.of(X)
    growth = BinnedGrowth(
        bins, bins.encode(X), GrowthRules(max_leaf_nodes=2, min_samples_leaf=least)
    )
    growth.grow(g, weight.astype(np.float32), weight=weight)
    tree = growth.forest()
    assert tree.n_rows[1:].min() >= least

    def gain(left):
        parts = (left, ~left)
        return sum(g[s].sum() ** 2 / weight[s].sum() for s in parts) - g.sum() ** 2 / weight.sum()

    best = 0.0
    for j in range(3):
        for cut in np.append(bins.cuts_of(j), np.inf):
            for missing in (False, True):
                left = (X[:, j] <= cut) | (missing & np.isnan(X[:, j]))
                if min(left.sum(), (~left).sum()) >= least:
                    best = max(best, gain(left))
    assert tree.gain[0] == pytest.approx(best, rel=1e-3)


def test_subtracted_counts_are_those_of_the_rows():
    """Every leaf of a deep tree on uneven weights has enough rows."""
    rng = np.random.default_rng(0)
    X, weight = rng.standard_normal((2000, 20)), rng.exponential(size=2000) ** 3
    g = (weight * rng.standard_normal(2000)).astype(np.float32)
    bins = Bins.of(X)
    trees = []
    for n_threads in (1, 2):
        growth = BinnedGrowth(bins, bins.encode(X), GrowthRules(min_samples_leaf=20), n_threads)
        growth.grow(g, weight.astype(np.float32), weight=weight)
        growth.grow(g, None)  # and back to histograms of slopes alone
        trees.append(growth.forest())
    tree = trees[0]
    first = tree.select([0])
    assert first.n_rows[first.is_leaf].min() >= 20
    assert first.n_rows[first.is_leaf].sum() == 2000
    assert first.n_leaves[0] > 40
    np.testing.assert_array_equal(tree.value, trees[1].value)


@pytest.mark.parametrize("uneven", [False, True])
def test_more_threads_than_columns_share_the_rows(uneven):
    """Parts of the rows have histograms of their own; their sums are those of all, to the bit."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((70_000, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    weight = rng.exponential(size=len(X)) if uneven else None
    each = np.ones(len(X)) if weight is None else weight
    g = (each * (rng.standard_normal(len(X)) + np.nan_to_num(X[:, 0] * X[:, 1]))).astype(np.float32)
    bins = Bins.of(X)
    table, rules = bins.encode(X), GrowthRules(max_leaf_nodes=40)
    forests, scores = [], []
    for n_threads in (1, 3, 8):
        growth = BinnedGrowth(bins, table, rules, n_threads)
        growth.grow(g, each.astype(np.float32), weight=weight)
        scores.append(np.zeros(len(X)))
        growth.shrink_and_add(0.5, scores[-1])
        forests.append(growth.forest())
    for forest, score in zip(forests[1:], scores[1:], strict=True):
        np.testing.assert_array_equal(forest.value, forests[0].value)
        np.testing.assert_array_equal(forest.threshold, forests[0].threshold)
        np.testing.assert_array_equal(score, scores[0])
    assert forests[0].n_rows[0] == len(X)
    leaves = forests[0].is_leaf
    assert forests[0].n_rows[leaves].sum() == len(X)


def test_values_of_leaves():
    X = np.arange(8.0).reshape(-1, 1)
    bins = Bins.of(X)
    growth = BinnedGrowth(bins, bins.encode(X), GrowthRules(max_leaf_nodes=3))
    growth.grow(-(np.arange(8) ** 2).astype(np.float32))
    rows, starts = growth.leaf_rows()
    means = [np.mean(rows[a:b].astype(float) ** 2) for a, b in pairwise(starts)]
    np.testing.assert_allclose(growth.leaf_values(), means)
    growth.set_leaf_values(np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(growth.leaf_values(), [1.0, 2.0, 3.0])
