"""Random forests for classes (tree.05, tree.06, tree.07, tree.09)."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import RandomForestClassifier as TheirForest

from margin.ensemble import RandomForestClassifier
from margin.tree import DecisionTreeClassifier


@pytest.fixture
def data():
    return make_classification(1200, 12, n_informative=6, flip_y=0.1, random_state=0)


def test_as_good_as_scikit_learn(data):
    X, y = data
    ours = RandomForestClassifier(60, random_state=0).fit(X[:800], y[:800])
    theirs = TheirForest(60, random_state=0).fit(X[:800], y[:800])
    assert ours.score(X[800:], y[800:]) > theirs.score(X[800:], y[800:]) - 0.03


def test_mean_over_trees(data):
    """tree.07: shares are means over the trees, not sums."""
    X, y = data
    model = RandomForestClassifier(7, random_state=0).fit(X, y)
    mean = np.mean([tree.predict_proba(X) for tree in model.estimators_], axis=0)
    np.testing.assert_allclose(model.predict_proba(X), mean)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_averaging_lowers_variance_as_the_formula_says():
    """tree.05: rho s^2 + (1 - rho) s^2 / B, with rho and s^2 measured on single trees."""
    rng = np.random.default_rng(0)
    asked = rng.random((30, 4))
    answers = []
    for seed in range(40):
        X = rng.random((150, 4))
        y = (X[:, 0] + 0.4 * rng.normal(size=150) > 0.5).astype(int)
        forest = RandomForestClassifier(10, random_state=seed, min_samples_leaf=3).fit(X, y)
        answers.append([tree.predict_proba(asked)[:, 1] for tree in forest.estimators_])
    answers = np.array(answers)  # data sets, trees, rows
    spread = answers.var(axis=0, ddof=1).mean()
    deviations = answers - answers.mean(axis=0)
    products = np.einsum("dar,dbr->ab", deviations, deviations) / (39 * 30)
    rho = products[~np.eye(10, dtype=bool)].mean() / spread
    measured = answers.mean(axis=1).var(axis=0, ddof=1).mean()
    assert 0 < rho < 1
    np.testing.assert_allclose(measured, rho * spread + (1 - rho) * spread / 10, rtol=0.02)
    assert measured < 0.6 * spread


def test_fewer_columns_per_split_lower_the_correlation(data):
    X, y = data

    def correlation(**rules):
        model = RandomForestClassifier(15, random_state=0, **rules).fit(X[:800], y[:800])
        shares = np.array([t.predict_proba(X[800:])[:, 1] for t in model.estimators_])
        return np.corrcoef(shares)[~np.eye(15, dtype=bool)].mean()

    assert correlation(max_features=2) < correlation(max_features=None)
    assert correlation(max_tree_features=3) < correlation(max_features=None)


def test_bagging_is_better_than_its_base(data):
    """tree.06: the mean of trees on bootstraps errs less than one tree."""
    X, y = data
    tree = DecisionTreeClassifier().fit(X[:800], y[:800])
    bagged = RandomForestClassifier(40, max_features=None, random_state=0).fit(X[:800], y[:800])
    assert bagged.score(X[800:], y[800:]) > tree.score(X[800:], y[800:])


def test_out_of_bag_estimates_the_error(data):
    X, y = data
    model = RandomForestClassifier(80, oob_score=True, random_state=0).fit(X[:800], y[:800])
    assert abs(model.oob_score_ - model.score(X[800:], y[800:])) < 0.05
    assert model.oob_decision_function_.shape == (800, 2)
    with pytest.warns(UserWarning, match="do not have OOB scores"):
        RandomForestClassifier(1, oob_score=True, random_state=0).fit(X, y)


def test_threads_and_warm_start(data):
    X, y = data
    one = RandomForestClassifier(12, random_state=3, n_jobs=1).fit(X, y)
    two = RandomForestClassifier(12, random_state=3, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.forest_.threshold, two.forest_.threshold)
    grown = RandomForestClassifier(5, random_state=3, warm_start=True).fit(X, y)
    grown.set_params(n_estimators=12).fit(X, y)
    np.testing.assert_array_equal(one.forest_.threshold, grown.forest_.threshold)
    with pytest.raises(ValueError, match="larger or equal to len"):
        grown.set_params(n_estimators=3).fit(X, y)


@pytest.mark.parametrize("growth", ["binned", "exact"])
def test_missing_values_sparse_rows_and_several_outputs(growth, data):
    X, y = data
    Z = X.copy()
    Z[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    model = RandomForestClassifier(20, growth=growth, random_state=0).fit(Z, y)
    assert model.score(Z, y) > 0.95
    S = csr_array(np.where(np.abs(X) > 1, X, 0))
    sparse = RandomForestClassifier(10, growth=growth, random_state=0).fit(S, y)
    dense = RandomForestClassifier(10, growth=growth, random_state=0).fit(S.toarray(), y)
    np.testing.assert_array_equal(sparse.predict_proba(S), dense.predict_proba(S.toarray()))
    Y = np.stack([y, 1 - y, np.where(X[:, 0] > 0, 2, 0)], axis=1)
    several = RandomForestClassifier(10, growth=growth, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match="OOB"):
        several.fit(X, Y)
    assert (several.predict(X) == Y).mean() > 0.95
    assert len(several.predict_proba(X)) == 3


def test_weights_of_classes():
    X, y = load_iris(return_X_y=True)
    for weight in ("balanced", "balanced_subsample", {0: 5, 1: 1, 2: 1}):
        model = RandomForestClassifier(10, class_weight=weight, random_state=0).fit(X, y)
        assert model.score(X, y) > 0.95
    with pytest.raises(ValueError, match="class_weight must be"):
        RandomForestClassifier(class_weight="some").fit(X, y)


def test_categories_are_grown_exactly():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 30, size=(300, 2)).astype(float)
    y = np.isin(X[:, 0], [3, 7, 8, 20]).astype(int)
    model = RandomForestClassifier(10, categorical_features=[0], random_state=0).fit(X, y)
    assert model.score(X, y) == 1.0
    with pytest.raises(ValueError, match="growth must be 'exact' with categorical"):
        RandomForestClassifier(growth="binned", categorical_features=[0]).fit(X, y)


def test_leaves_paths_and_proximity(data):
    X, y = data
    model = RandomForestClassifier(5, random_state=0).fit(X, y)
    path, starts = model.decision_path(X[:20])
    assert path.shape == (20, starts[-1])
    near = model.proximity(X[:20])
    np.testing.assert_array_equal(np.diag(near), 1.0)
    np.testing.assert_array_equal(near, near.T)
    assert len(model) == 5
    assert model[0].get_n_leaves() > 1


def test_bad_input(data):
    X, y = data
    with pytest.raises(ValueError, match="oob_score must be False without bootstrap"):
        RandomForestClassifier(bootstrap=False, oob_score=True).fit(X, y)
    with pytest.raises(ValueError, match="max_samples must be None without bootstrap"):
        RandomForestClassifier(bootstrap=False, max_samples=10).fit(X, y)
    with pytest.raises(ValueError, match="max_bins must be an integer from 2 to 255"):
        RandomForestClassifier(max_bins=256).fit(X, y)
    one = RandomForestClassifier(3).fit([[1.0]], [7])
    np.testing.assert_array_equal(one.predict([[0.0]]), [7])


def test_draws_of_rows_without_weight_alone():
    """Two rows, one of which counts: some bootstrap draws miss it."""
    model = RandomForestClassifier(20, random_state=0)
    model.fit([[0.0], [1.0]], [0, 1], sample_weight=[1.0, 0.0])
    np.testing.assert_array_equal(model.predict([[0.0], [1.0]]), [0, 0])
