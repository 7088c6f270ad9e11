"""Bagged trees handed on: the same answers, explained and written to files."""

import numpy as np
import pytest

from margin.ensemble import BaggingClassifier, BaggingRegressor, read_trees, write_trees
from margin.ensemble.bagging._member_trees import mean_of_trees
from margin.inspection import tree_shap
from margin.linear import Ridge
from margin.tree import DecisionTreeClassifier, DecisionTreeRegressor


def rows_and_targets():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 4))
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, np.nan_to_num(X[:, 0] + X[:, 1] * X[:, 2])


@pytest.mark.parametrize("settings", [{}, {"max_features": 0.5, "bootstrap_features": True}])
def test_bagged_trees_are_a_mean_of_trees(settings, tmp_path):
    """tree.06: also where members see some of the columns; contributions add up to the answers."""
    X, y = rows_and_targets()
    model = BaggingRegressor(DecisionTreeRegressor(max_depth=4), 6, **settings).fit(X, y)
    np.testing.assert_allclose(model.to_trees().predict(X), model.predict(X), rtol=1e-12)
    shown = tree_shap(model, X[:9])
    total = shown.values.sum(axis=1) + shown.base
    np.testing.assert_allclose(total[:, 0], model.predict(X[:9]), rtol=1e-9)
    write_trees(model, tmp_path / "trees.json")
    np.testing.assert_allclose(read_trees(tmp_path / "trees.json").predict(X), model.predict(X))


def test_shares_of_classes():
    X, y = rows_and_targets()
    labels = np.array(["a", "b", "c"])[np.digitize(y, [-0.5, 0.5])]
    model = BaggingClassifier(n_estimators=7, max_features=0.5).fit(X, labels)
    np.testing.assert_allclose(model.to_trees().raw(X), model.predict_proba(X), atol=1e-12)


def test_members_that_miss_a_class_have_no_share_of_it():
    X, y = rows_and_targets()
    codes = np.digitize(y, [-0.5, 0.5])
    few = DecisionTreeClassifier(max_depth=3).fit(X[codes != 1][:, [3, 0]], codes[codes != 1])
    every = DecisionTreeClassifier(max_depth=3).fit(X, codes)
    mean = mean_of_trees([few, every], [np.array([3, 0]), np.arange(4)], 4, (), 3)
    shares = np.zeros((len(X), 3))
    shares[:, [0, 2]] = few.predict_proba(X[:, [3, 0]])
    np.testing.assert_allclose(mean.raw(X), (shares + every.predict_proba(X)) / 2, atol=1e-12)


def test_other_members_have_no_trees():
    X, y = np.arange(12.0).reshape(6, 2), np.arange(6.0)
    model = BaggingRegressor(Ridge(), 2)
    assert not hasattr(model, "to_trees")
    with pytest.raises(ValueError, match="tree_shap: model must be a fitted model made of trees"):
        tree_shap(model.fit(X, y), X)
