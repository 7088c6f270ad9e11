"""Classification trees (tree.01, tree.03, tree.04)."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris, make_classification
from sklearn.tree import DecisionTreeClassifier as TheirTree

from margin.tree import DecisionTreeClassifier

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize(
    ("criterion", "impurity"),
    [("gini", 0.5), ("misclassification", 0.5), ("entropy", 1.0), ("log_loss", 1.0)],
)
def test_impurity_of_two_equal_classes(criterion, impurity):
    """tree.01: (.5, .5) has Gini .5, misclassification .5, entropy one bit (ln 2 nats)."""
    model = DecisionTreeClassifier(criterion=criterion).fit([[0], [1]], [0, 1])
    assert model.tree_.impurity[0] == pytest.approx(impurity)
    np.testing.assert_array_equal(model.predict_proba([[0], [1]]), np.eye(2))


def test_early_stopping_fails_on_xor_pruning_does_not(rng):
    """tree.03: the first gain of XOR is nothing, so only growth to the end sees the pattern."""
    X, y = XOR.repeat(100, axis=0), np.array([0, 1, 1, 0]).repeat(100)
    X = X + 0.15 * rng.normal(size=X.shape)
    y[::20] = 1 - y[::20]
    early = DecisionTreeClassifier(min_impurity_decrease=0.02).fit(X, y)
    late = DecisionTreeClassifier(ccp_alpha="cv", random_state=0).fit(X, y)
    assert early.score(X, y) < 0.7
    assert late.score(X, y) > 0.93
    assert 4 <= late.get_n_leaves() <= 12
    whole = DecisionTreeClassifier().fit(X, y)
    assert whole.get_n_leaves() > late.get_n_leaves()


def test_stump_and_vertical_stump(rng):
    """tree.04: one question; of the vertical stump always about the same column."""
    X = rng.normal(size=(200, 2))
    y = (X[:, 1] + 0.3 * X[:, 0] > 0).astype(int)
    stump = DecisionTreeClassifier(max_depth=1).fit(X, y)
    vertical = DecisionTreeClassifier(max_depth=1, split_features=[0]).fit(X, y)
    assert stump.tree_.node_count == vertical.tree_.node_count == 3
    assert stump.tree_.feature[0] == 1
    assert vertical.tree_.feature[0] == 0
    assert stump.score(X, y) > vertical.score(X, y)


def test_predictions_do_not_depend_on_scales(rng):
    """tree.01: monotone changes of the columns change no prediction."""
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    model = DecisionTreeClassifier(max_depth=5).fit(X, y)
    changed = DecisionTreeClassifier(max_depth=5).fit(np.exp(X), y)
    np.testing.assert_array_equal(model.predict(X), changed.predict(np.exp(X)))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize(
    "rules",
    [
        {"max_depth": 3},
        {"min_samples_leaf": 20},
        {"max_leaf_nodes": 9},
        {"min_impurity_decrease": 0.01},
        {"min_weight_fraction_leaf": 0.1},
        {"ccp_alpha": 0.01},
    ],
)
def test_agreement_with_scikit_learn(criterion, rules):
    X, y = make_classification(400, 6, n_classes=3, n_informative=4, random_state=1)
    X = X.astype(np.float32)
    # Few leaves: deeper nodes have ties, which scikit-learn breaks at random.
    ours = DecisionTreeClassifier(criterion=criterion, **rules).fit(X, y)
    theirs = TheirTree(criterion=criterion, random_state=0, **rules).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))


def test_categories_without_one_hot(rng):
    X = rng.integers(0, 12, size=(400, 2)).astype(float)
    y = np.isin(X[:, 0], [1, 4, 5, 11]).astype(int)
    model = DecisionTreeClassifier(categorical_features=[0]).fit(X, y)
    assert model.get_n_leaves() == 2
    np.testing.assert_array_equal(
        np.sort(np.setdiff1d(np.arange(12), model.tree_.categories_left(0))), [1, 4, 5, 11]
    )
    assert model.predict([[99.0, 0.0]]).shape == (1,)
    # Any values will do, not only codes from zero.
    moved = DecisionTreeClassifier(categorical_features=[0]).fit(X - 1.5, y)
    np.testing.assert_array_equal(moved.predict(X - 1.5), model.predict(X))


def test_strings_and_several_outputs():
    X, y = load_iris(return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    Y = np.stack([names, np.where(y == 0, "x", "y")], axis=1)
    model = DecisionTreeClassifier(max_depth=3).fit(X, Y)
    assert model.predict(X).shape == (150, 2)
    assert (model.predict(X) == Y).mean() > 0.95
    shares = model.predict_proba(X)
    assert [s.shape for s in shares] == [(150, 3), (150, 2)]


def test_one_class_one_row_constant_columns():
    one = DecisionTreeClassifier().fit([[1.0], [2.0]], [3, 3])
    np.testing.assert_array_equal(one.predict([[5.0]]), [3])
    np.testing.assert_array_equal(one.predict_proba([[5.0]]), [[1.0]])
    row = DecisionTreeClassifier().fit([[1.0]], [3])
    assert row.get_depth() == 0
    flat = DecisionTreeClassifier().fit(np.ones((4, 2)), [0, 1, 0, 1])
    np.testing.assert_array_equal(flat.predict_proba([[1, 1]]), [[0.5, 0.5]])
    np.testing.assert_array_equal(flat.feature_importances_, [0, 0])


def test_bad_input():
    with pytest.raises(ValueError, match="infinity"):
        DecisionTreeClassifier().fit([[np.inf]], [0])
    with pytest.raises(ValueError, match="above 0 somewhere"):
        DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1], sample_weight=[0, 0])
    with pytest.raises(ValueError, match="DecisionTreeClassifier: ccp_alpha must be a number"):
        DecisionTreeClassifier(ccp_alpha=-1).fit([[1.0]], [0])
    with pytest.raises(ValueError, match="criterion must be one of 'gini'"):
        DecisionTreeClassifier(criterion="squared_error").fit([[1.0]], [0])


def test_missing_values_go_to_the_better_side(rng):
    X = rng.normal(size=(200, 1))
    y = (X[:, 0] > 0).astype(int)
    X[y == 1][::2] = np.nan
    X[np.flatnonzero(y)[::3]] = np.nan
    model = DecisionTreeClassifier(max_depth=1).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.predict([[np.nan]])[0] == 1
    sparse = DecisionTreeClassifier(max_depth=1).fit(csr_array(X), y)
    np.testing.assert_array_equal(sparse.predict(csr_array(X)), y)


def test_threads_and_seeds(rng):
    X = rng.normal(size=(500, 8))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    trees = [
        DecisionTreeClassifier(max_features=3, random_state=s, n_jobs=j).fit(X, y).tree_.forest
        for s, j in ((0, 1), (0, 2), (1, 1))
    ]
    np.testing.assert_array_equal(trees[0].threshold, trees[1].threshold)
    assert not np.array_equal(trees[0].feature, trees[2].feature)
