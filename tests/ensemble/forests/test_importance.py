"""Importance out of the bag (tree.10, tree.11)."""

import numpy as np
import pytest

from margin.ensemble import ForestImportance, RandomForestClassifier, RandomForestRegressor
from margin.ensemble.forests._importance import gain_shares


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    X[:, 3] = rng.permutation(400)
    X[:, 2] = rng.integers(0, 2, 400)
    return X, (X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)


def test_noise_is_within_its_interval(data):
    X, y = data
    model = RandomForestClassifier(60, random_state=0).fit(X, y)
    importance = model.out_of_bag_importance(X, y, n_repeats=2)
    low, high = importance.interval.T
    assert (low[:2] > 0).all()
    assert importance.mean[0] > importance.mean[1] > importance.mean[2:].max()
    assert (low[2:] < 0.02).all()
    assert (high >= low).all()


def test_gini_importance_favours_many_values(data):
    """tree.10: a noise column of many values gets more than one of two values."""
    X, y = data
    shares = RandomForestClassifier(60, random_state=0).fit(X, y).feature_importances_
    assert shares.sum() == pytest.approx(1.0)
    assert shares[3] > 2 * shares[2]


def test_copies_share_their_importance(data):
    """tree.11: a correlated copy lowers what shuffling a column costs."""
    X, y = data
    alone = RandomForestClassifier(40, random_state=0).fit(X, y).out_of_bag_importance(X, y)
    Z = np.column_stack([X, X[:, 0]])
    copied = RandomForestClassifier(40, random_state=0).fit(Z, y).out_of_bag_importance(Z, y)
    assert copied.mean[0] < alone.mean[0]


def test_picture_and_refusals(data):
    plt = pytest.importorskip("matplotlib.pyplot")
    X, y = data
    axes = ForestImportance(np.array([[0.1, 0.2]]), 0.9, ("a", "b")).plot()
    assert [t.get_text() for t in axes.get_yticklabels()] == ["a", "b"]
    plt.close("all")
    model = RandomForestClassifier(3, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="rows of a fit with bootstrap"):
        model.out_of_bag_importance(X[:5], y[:5])


def test_shares_of_gains_are_means_over_trees():
    """tree.10: each tree counts the same, and one without a split does not count."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    forest = RandomForestRegressor(7, max_depth=2, random_state=0).fit(X, X[:, 1] + X[:, 2] ** 2)
    shares = [tree.feature_importances_ for tree in forest.estimators_]
    np.testing.assert_allclose(gain_shares(forest.forest_), np.mean(shares, axis=0), atol=1e-12)
    stumps = RandomForestRegressor(3, max_depth=2).fit(X, np.ones(80)).forest_
    assert gain_shares(stumps).tolist() == [0.0, 0.0, 0.0]
