import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError

from margin.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from margin.ensemble.forests._base_forest import settled


def test_before_the_fit():
    model = RandomForestClassifier()
    for ask in (model.predict, model.apply, model.decision_path, model.proximity):
        with pytest.raises(NotFittedError):
            ask([[1.0]])
    for name in ("estimators_", "feature_importances_", "estimators_samples_"):
        with pytest.raises(NotFittedError):
            getattr(model, name)


def test_means_out_of_the_bag():
    means = settled(np.array([[4.0], [0.0]]), np.array([2, 0]))
    np.testing.assert_array_equal(means, [[2.0], [0.0]])


@pytest.mark.parametrize(
    ("name", "value"),
    [("n_estimators", 0), ("max_samples", 0.0), ("max_tree_features", 5), ("growth", "fast")],
)
def test_refusals(name, value):
    with pytest.raises(ValueError, match=rf"RandomForestClassifier: {name} must be"):
        RandomForestClassifier(**{name: value}).fit([[0.0], [1.0]], [0, 1])


def test_importance_of_constant_targets_is_zero():
    model = ExtraTreesRegressor(3).fit([[0.0], [1.0]], [2.0, 2.0])
    np.testing.assert_array_equal(model.feature_importances_, [0.0])


@pytest.mark.parametrize(
    "forest",
    [
        RandomForestClassifier(4, max_features=0.5, random_state=0),
        RandomForestRegressor(4, max_features=0.5, random_state=0),
        ExtraTreesClassifier(4, max_features=0.5, bootstrap=True, random_state=0),
        ExtraTreesRegressor(4, max_features=0.5, random_state=0),
    ],
    ids=lambda forest: type(forest).__name__,
)
def test_a_tree_of_a_forest_can_be_grown_again(forest):
    X, y = make_classification(200, 6, random_state=0)
    forest.fit(X, y)
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        again = clone(tree).fit(X[rows], y[rows])
        np.testing.assert_allclose(again.tree_.value, tree.tree_.value)
    assert forest.estimator_.splitter == forest.estimators_[0].splitter
    assert not hasattr(clone(forest), "estimator_")
