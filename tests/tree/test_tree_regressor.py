"""Regression trees (tree.02)."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor as TheirTree

from margin.tree import DecisionTreeRegressor


@pytest.fixture
def data():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4)).astype(np.float32)
    return X, np.exp(X[:, 0]) + np.abs(X[:, 1]) + 0.1 * rng.random(300)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("rules", [{"max_depth": 4}, {"max_leaf_nodes": 10}, {"ccp_alpha": 0.01}])
def test_agreement_with_scikit_learn(criterion, rules, data):
    X, y = data
    ours = DecisionTreeRegressor(criterion=criterion, **rules).fit(X, y)
    theirs = TheirTree(criterion=criterion, random_state=0, **rules).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))


def test_whole_tree_interpolates(data):
    """tree.02: a leaf for every target."""
    X, y = data
    np.testing.assert_allclose(DecisionTreeRegressor().fit(X, y).predict(X), y)


def test_several_targets_and_weights(data):
    X, y = data
    Y = np.stack([y, -2 * y], axis=1)
    model = DecisionTreeRegressor(max_depth=3).fit(X, Y, sample_weight=np.arange(1, 301))
    theirs = TheirTree(max_depth=3, random_state=0).fit(X, Y, sample_weight=np.arange(1, 301))
    np.testing.assert_allclose(model.predict(X), theirs.predict(X))


def test_directions_hold_everywhere(data):
    X, y = data
    model = DecisionTreeRegressor(monotonic_cst=[1, 0, 0, -1]).fit(X, y)
    line = np.linspace(-3, 3, 50)
    for x in X[:20]:
        asked = np.tile(x, (50, 1))
        asked[:, 0] = line
        assert (np.diff(model.predict(asked)) >= 0).all()
    with pytest.raises(ValueError, match="multiple outputs"):
        model.fit(X, np.stack([y, y], axis=1))
    with pytest.raises(ValueError, match="0 for categorical columns"):
        DecisionTreeRegressor(monotonic_cst=[1], categorical_features=[0]).fit(
            [[0.0], [1.0]], [0, 1]
        )


def test_columns_that_may_not_meet(data):
    X, y = data
    model = DecisionTreeRegressor(interaction_cst=[{0}, {1}, {2, 3}]).fit(X, y)
    path = model.decision_path(X)
    for row in range(0, 300, 10):
        columns = {int(f) for f in model.tree_.feature[path[[row]].indices] if f >= 0}
        assert len(columns) == 1 or columns <= {2, 3}


def test_infinite_targets():
    with pytest.raises(ValueError, match="infinity"):
        DecisionTreeRegressor().fit([[1.0], [2.0]], [1.0, np.inf])
