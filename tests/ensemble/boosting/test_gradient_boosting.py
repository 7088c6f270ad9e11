"""What classifier and regressor share."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_regression

from margin.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

MODELS = [GradientBoostingClassifier, GradientBoostingRegressor]


def data():
    X, y = make_regression(300, 5, n_informative=2, random_state=0)
    return X, (y > 0).astype(int)


@pytest.mark.parametrize("model", MODELS)
def test_layouts_and_single_precision_change_nothing(model):
    X, y = data()
    X = X.astype(np.float32)
    expected = model(n_estimators=5).fit(X.astype(np.float64), y).predict(X)
    for layout in (X, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
        np.testing.assert_array_equal(model(n_estimators=5).fit(layout, y).predict(X), expected)


@pytest.mark.parametrize("model", MODELS)
def test_pickles(model):
    X, y = data()
    fitted = model(n_estimators=5).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(again.apply(X), fitted.apply(X))


@pytest.mark.parametrize("model", MODELS)
def test_no_split_no_importance(model):
    X, y = data()
    stump = model(n_estimators=2, min_samples_leaf=1000).fit(X, y)
    np.testing.assert_array_equal(stump.feature_importances_, 0.0)
    assert len(np.unique(stump.predict(X))) == 1


@pytest.mark.parametrize("model", MODELS)
def test_leaves_obey_the_rules(model):
    X, y = data()
    fitted = model(n_estimators=3, max_leaf_nodes=7, max_depth=3, min_samples_leaf=15).fit(X, y)
    forest = fitted.forest_
    assert forest.n_leaves.max() <= 7
    assert forest.depths.max() <= 3
    assert forest.n_rows[forest.is_leaf].min() >= 15


@pytest.mark.parametrize("model", MODELS)
def test_names_of_directions(model):
    X, y = data()
    frame = pd.DataFrame(X, columns=list("abcde"))
    fitted = model(n_estimators=5, monotonic_cst={"a": 1}).fit(frame, y)
    line = pd.DataFrame(np.zeros((30, 5)), columns=list("abcde"))
    line["a"] = np.linspace(-3, 3, 30)
    answer = getattr(fitted, "decision_function", fitted.predict)
    assert (np.diff(answer(line)) >= 0).all()
