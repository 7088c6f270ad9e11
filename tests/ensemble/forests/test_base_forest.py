import signal
import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError

from margin.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from margin.ensemble.forests._base_forest import settled
from margin.tree import DecisionTreeClassifier, DecisionTreeRegressor


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


@pytest.mark.parametrize("cls", [RandomForestRegressor, ExtraTreesRegressor])
def test_ctrl_c_keeps_the_old_forest(cls):
    """A real signal in the middle of trees that would grow for minutes."""
    rng = np.random.default_rng(0)
    X, y = rng.random((20_000, 8)), rng.random(20_000)
    model = cls(2, random_state=0).fit(X[:50], y[:50])
    forest, answers = model.forest_, model.predict(X[:9])
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            model.set_params(n_estimators=20_000).fit(X, y)
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert model.forest_ is forest
    np.testing.assert_array_equal(model.predict(X[:9]), answers)


@pytest.mark.parametrize(
    "model",
    [
        RandomForestRegressor(3),
        ExtraTreesRegressor(3),
        RandomForestClassifier(3),
        DecisionTreeRegressor(),
        DecisionTreeClassifier(),
        GradientBoostingRegressor(n_estimators=3),
        GradientBoostingClassifier(n_estimators=3),
    ],
)
def test_directions_and_sets_mean_the_same_everywhere(model):
    """By name or number; categories have no direction."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=120), "b": rng.integers(0, 4, 120), "c": 1.0})
    frame["c"] = rng.normal(size=120)
    y = (frame["a"] + frame["b"] > 1).astype(int)

    def fitted(**change):
        return clone(model).set_params(random_state=0, **change).fit(frame, y)

    named = fitted(monotonic_cst={"a": 1}, interaction_cst=[{"a", "c"}])
    numbered = fitted(monotonic_cst=[1, 0, 0], interaction_cst=[{0, 2}])
    np.testing.assert_array_equal(named.predict(frame), numbered.predict(frame))
    with pytest.raises(ValueError, match="monotonic_cst must be 0 for categorical columns"):
        fitted(monotonic_cst={"b": 1}, categorical_features=["b"])
    with pytest.raises(ValueError, match="monotonic_cst must be a mapping of names"):
        fitted(monotonic_cst={"z": 1})
    with pytest.raises(ValueError, match="interaction_cst must be sets of names"):
        fitted(interaction_cst=[{"z"}])


def test_a_warm_start_keeps_columns_and_answers():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    model = RandomForestClassifier(2, warm_start=True).fit(X, y).set_params(n_estimators=4)
    with pytest.raises(ValueError, match="y must be of the classes fitted"):
        model.fit(X, np.where(y, "a", "b"))
    with pytest.raises(ValueError, match="X must be of the 4 columns fitted"):
        model.fit(X[:, :2], y)
    assert model.fit(X, y).forest_.n_trees == 4
    numbers = RandomForestRegressor(2, warm_start=True).fit(X, y).set_params(n_estimators=4)
    with pytest.raises(ValueError, match="y must be of the 1 outputs fitted"):
        numbers.fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="y must be the 60 targets of the fit, got 10"):
        numbers.fit(X, y).out_of_bag_importance(X, y[:10])
