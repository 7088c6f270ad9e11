import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from margin.tree import DecisionTreeClassifier, DecisionTreeRegressor
from margin.tree._base_tree import tree_seed


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    return X, X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=150)


def test_before_the_fit():
    model = DecisionTreeRegressor()
    for ask in (model.get_depth, model.get_n_leaves):
        with pytest.raises(NotFittedError):
            ask()
    for ask in (model.predict, model.apply, model.decision_path):
        with pytest.raises(NotFittedError):
            ask([[1.0]])
    with pytest.raises(NotFittedError):
        _ = model.feature_importances_


def test_paths_end_in_leaves(data):
    X, y = data
    model = DecisionTreeRegressor(max_depth=4).fit(X, y)
    path, leaves = model.decision_path(X), model.apply(X)
    assert path.shape == (150, model.tree_.node_count)
    dense = path.toarray()
    assert (dense[np.arange(150), leaves] == 1).all()
    np.testing.assert_array_equal(dense.sum(axis=1), model.tree_.forest.node_depths[leaves] + 1)


def test_pruning_path_and_choice(data):
    X, y = data
    path = DecisionTreeRegressor().cost_complexity_pruning_path(X, y)
    sizes = [
        DecisionTreeRegressor(ccp_alpha=a).fit(X, y).get_n_leaves() for a in path.ccp_alphas[::20]
    ]
    assert (np.diff(sizes) < 0).all()
    chosen = DecisionTreeRegressor(ccp_alpha="cv", cv=3).fit(X, y)
    assert (
        chosen.pruning_choice_.losses.min()
        == chosen.pruning_choice_.losses[chosen.pruning_choice_.strengths == chosen.ccp_alpha_][0]
    )


def test_checks_can_be_left_out(data):
    X, y = data
    model = DecisionTreeRegressor(max_depth=3).fit(X, y)
    np.testing.assert_array_equal(model.predict(X, check_input=False), model.predict(X))
    with pytest.raises(ValueError, match="X has 2 features, but DecisionTreeRegressor"):
        model.predict(X[:, :2], check_input=False)


def test_pickles_and_clones(data):
    X, y = data
    model = DecisionTreeRegressor(max_depth=3).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert not hasattr(clone(model), "tree_")


def test_a_failed_fit_leaves_the_old_tree(data):
    X, y = data
    model = DecisionTreeClassifier(max_depth=3).fit(X, y > 0)
    before = model.predict(X)
    with pytest.raises(ValueError, match="inconsistent"):
        model.fit(X, y[:3] > 0)
    np.testing.assert_array_equal(model.predict(X), before)


def test_a_whole_number_is_the_seed_itself():
    assert tree_seed(5) == 5
    assert tree_seed(np.int64(2**62)) == 2**62
    assert tree_seed(np.random.default_rng(0)) == tree_seed(np.random.default_rng(0))
    assert tree_seed(None) != tree_seed(None)
    with pytest.raises(ValueError, match="expected non-negative"):
        tree_seed(-1)


def test_pruning_by_folds_ignores_rows_without_weight():
    """tree.03: rows of weight zero are as good as absent, in the folds too."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = (X[:, 0] > 0) + 0.7 * rng.normal(size=120)
    weight = np.ones(120)
    weight[:70] = 0.0
    weighed = DecisionTreeRegressor(ccp_alpha="cv").fit(X, y, weight)
    absent = DecisionTreeRegressor(ccp_alpha="cv").fit(X[70:], y[70:])
    assert weighed.ccp_alpha_ == pytest.approx(absent.ccp_alpha_)
    given = [(np.arange(70), np.arange(70, 120)), (np.arange(60, 100), np.arange(100, 120))]
    model = DecisionTreeRegressor(ccp_alpha="cv", cv=given).fit(X, y, weight)
    assert model.pruning_choice_.losses.shape[0] == len(model.pruning_choice_.strengths)
    with pytest.raises(ValueError, match="cv must be folds with rows of positive weight"):
        DecisionTreeRegressor(ccp_alpha="cv", cv=given[:1]).fit(X, y, weight)
