import numpy as np
import pytest
from scipy.sparse import csr_array

from margin.ensemble import RandomForestRegressor
from margin.ensemble.forests._draws import Draws
from margin.ensemble.forests._growth import ForestPlan, forest_table, grow_forest, out_of_bag
from margin.search import ExactSettings, NumberTargets


def plan(binned, **rules):
    return ForestPlan(ExactSettings("squared", **rules), binned, 255, None, 0.0, 1, "Forest")


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3)).round(1)
    X[::11, 1] = np.nan
    return X, X[:, 0] + 0.1 * rng.normal(size=120)


def test_few_distinct_values_make_bins_exact(data):
    """With a bin for each value, splits between bins are all splits: the same parts."""
    X, y = data
    draws = Draws(120, 3, np.arange(4), 120)
    for rules in ({}, {"max_depth": 3}, {"max_leaf_nodes": 6}):
        rules["min_samples_leaf"] = 12  # smaller parts can be cut off by several columns alike
        a, b = (
            grow_forest(X, NumberTargets(y[None]), plan(binned, **rules), draws)
            for binned in (True, False)
        )
        np.testing.assert_array_equal(a.feature, b.feature)
        np.testing.assert_array_equal(a.n_rows, b.n_rows)
        np.testing.assert_array_equal(a.missing_left, b.missing_left)
        np.testing.assert_allclose(a.value, b.value)


def test_histograms_and_sorted_codes_agree():
    """Large nodes use histograms, small ones sort: held against exact growth on a larger table."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 40, size=(1500, 3)).astype(float)
    X[rng.random((1500, 3)) < 0.05] = np.nan
    y = np.nan_to_num(X[:, 0]) * 0.1 + rng.normal(size=1500)
    draws = Draws(1500, 3, np.arange(2), 1500)
    a, b = (
        grow_forest(X, NumberTargets(y[None]), plan(binned, max_depth=6), draws)
        for binned in (True, False)
    )
    np.testing.assert_array_equal(a.feature, b.feature)
    np.testing.assert_array_equal(a.n_rows, b.n_rows)
    np.testing.assert_allclose(a.value, b.value)


def test_sparse_tables(data):
    X, _ = data
    X = np.nan_to_num(X)
    dense, sparse = (forest_table(x, plan(True), None) for x in (X, csr_array(X)))
    np.testing.assert_array_equal(dense.columns, sparse.columns)


def test_out_of_bag_leaves_seen_rows_out(data):
    X, y = data
    draws = Draws(120, 3, np.arange(7), 120)
    forest = grow_forest(X, NumberTargets(y[None]), plan(True), draws)
    total, trees = out_of_bag(forest, draws, X, 1)
    for row in range(0, 120, 13):
        unseen = [t for t in range(7) if draws.counts(t)[row] == 0]
        assert trees[row] == len(unseen)
        values = sum(forest.predict(X[[row]], first=t, last=t + 1)[0, 0] for t in unseen)
        np.testing.assert_allclose(total[row, 0], values)


def test_report_has_the_impurity_left_in_the_leaves():
    X = np.arange(8.0)[:, None]
    y = np.array([0.0, 0, 0, 0, 1, 1, 1, 5])
    model = RandomForestRegressor(1, bootstrap=False, max_depth=1, growth="exact").fit(X, y)
    report = model.fit_report_
    assert report.solver == "1 trees with exact splits"
    split = min((y[:k].var() * k + y[k:].var() * (8 - k)) / 8 for k in range(1, 8))
    assert report.objective == pytest.approx(split)
