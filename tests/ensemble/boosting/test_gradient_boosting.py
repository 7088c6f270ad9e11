"""What classifier and regressor share."""

import pickle
from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csc_array, csr_array
from sklearn import ensemble
from sklearn.datasets import make_regression
from sklearn.linear_model import LinearRegression, LogisticRegression

from margin.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

MODELS = [GradientBoostingClassifier, GradientBoostingRegressor]
NAMESAKES = {
    GradientBoostingClassifier: ensemble.GradientBoostingClassifier,
    GradientBoostingRegressor: ensemble.GradientBoostingRegressor,
}
# What scikit-learn does by default.
THEIRS = {
    "criterion": "squared_error",
    "max_depth": 3,
    "max_leaf_nodes": None,
    "min_samples_leaf": 1,
    "n_estimators": 12,
}


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


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_leaf_nodes": 5, "max_depth": None},
        {"min_samples_split": 60},
        {"min_samples_split": 0.3, "min_samples_leaf": 0.05},
        {"min_weight_fraction_leaf": 0.2},
        {"min_impurity_decrease": 0.01},
        {"ccp_alpha": 0.01},
    ],
    ids=str,
)
def test_the_trees_of_scikit_learn(model, weighted, settings):
    """Few values per column: the same trees, and so the same answers and losses."""
    X, y = data()
    X = np.round(X, 1)
    if model is GradientBoostingRegressor:
        y = y + 0.3 * np.random.default_rng(1).standard_normal(len(y))
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float) if weighted else None
    ours = model(**{**THEIRS, **settings}).fit(X, y, sample_weight=weight)
    asked = {k: v for k, v in {**THEIRS, **settings}.items() if k != "criterion"}
    theirs = NAMESAKES[model](random_state=0, **asked).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.train_score_, theirs.train_score_, rtol=1e-5)
    answer = "predict" if model is GradientBoostingRegressor else "decision_function"
    np.testing.assert_allclose(getattr(ours, answer)(X), getattr(theirs, answer)(X), atol=2e-5)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-3)
    assert len(ours.estimators_) == len(theirs.estimators_)


@pytest.mark.parametrize("model", MODELS)
def test_parameters_of_scikit_learn_are_taken(model):
    X, y = data()
    theirs = NAMESAKES[model](n_estimators=3, random_state=0)
    ours = model(**theirs.get_params()).fit(X, y)
    assert ours.forest_.depths.max() == 3
    assert ours.score(X, y) > 0.5 * theirs.fit(X, y).score(X, y)
    with pytest.warns(FutureWarning, match="criterion"):
        model(criterion="friedman_mse").fit(X, y)
    with pytest.raises(ValueError, match="criterion must be 'newton' with monotonic_cst"):
        model(criterion="squared_error", monotonic_cst=[1, 0, 0, 0, 0]).fit(X, y)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("container", [csr_array, csc_array, coo_array])
def test_sparse_tables(model, container):
    X, y = data()
    X = np.where(np.abs(X) < 0.7, 0.0, X)
    weight = np.random.default_rng(0).uniform(0, 1, len(y))
    settings = {"n_estimators": 5, "subsample": 0.7, "random_state": 0, "n_iter_no_change": 3}
    dense = model(**settings).fit(X, y, sample_weight=weight)
    sparse = model(**settings).fit(container(X), y, sample_weight=weight)
    for table in (X, container(X)):
        np.testing.assert_array_equal(sparse.predict(table), dense.predict(X))
        np.testing.assert_array_equal(sparse.apply(table), dense.apply(X))
    np.testing.assert_array_equal(sparse.oob_scores_, dense.oob_scores_)


@pytest.mark.parametrize("model", MODELS)
def test_trees_as_estimators(model):
    X, y = data()
    fitted = model(n_estimators=4, max_depth=2, learning_rate=0.3, warm_start=True).fit(X, y)
    fitted.set_params(n_estimators=6, max_depth=3, learning_rate=0.2).fit(X, y)
    trees = fitted.estimators_
    assert trees.shape == (6, 1)
    assert [tree.max_depth for tree in trees[:, 0]] == [2, 2, 2, 2, 3, 3]
    answer = getattr(fitted, "decision_function", fitted.predict)(X)
    rates = [0.3] * 4 + [0.2] * 2
    total = sum(rate * tree.predict(X) for rate, tree in zip(rates, trees[:, 0], strict=True))
    np.testing.assert_allclose(fitted.baseline_[0] + total, answer)
    np.testing.assert_array_equal(
        fitted.apply(X).reshape(len(X), 6), np.column_stack([t.apply(X) for t in trees[:, 0]])
    )


@pytest.mark.parametrize("model", MODELS)
def test_rows_not_drawn(model):
    X, y = data()
    fitted = model(n_estimators=30, subsample=0.5, random_state=0).fit(X, y)
    assert fitted.oob_scores_[-1] == fitted.oob_score_ > fitted.train_score_[-1]
    np.testing.assert_allclose(np.diff(fitted.oob_scores_), -fitted.oob_improvement_[1:])
    twice = model(n_estimators=12, subsample=0.5, random_state=0, warm_start=True).fit(X, y)
    twice.set_params(n_estimators=30).fit(X, y)
    # Draws of a stage depend on its number alone.
    np.testing.assert_allclose(twice.oob_scores_, fitted.oob_scores_, rtol=1e-4)
    fitted.set_params(subsample=1.0).fit(X, y)
    assert not hasattr(fitted, "oob_score_")


@pytest.mark.parametrize("model", MODELS)
def test_a_monitor_sees_the_model_and_ends_the_fit(model):
    X, y = data()
    seen = []

    def monitor(i, fitted, variables):
        raw = getattr(fitted, "decision_function", fitted.predict)(X)
        np.testing.assert_allclose(raw, variables["raw_predictions"][:, 0])
        assert len(fitted.train_score_) == len(fitted.oob_improvement_) == i + 1
        assert variables["sample_mask"].sum() == 150
        seen.append(i)
        return i == 4

    fitted = model(n_estimators=50, subsample=0.5, random_state=0).fit(X, y, monitor=monitor)
    assert seen == [0, 1, 2, 3, 4]
    assert fitted.n_estimators_ == len(fitted.estimators_) == len(fitted.train_score_) == 5
    assert fitted.fit_report_.status.ok
    with pytest.raises(ValueError, match="monitor must be None or a function"):
        fitted.fit(X, y, monitor=3)


@pytest.mark.parametrize("model", MODELS)
def test_patience_is_enough_to_stop_early(model):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((300, 3)), rng.integers(0, 2, 300)
    assert model(n_estimators=200, n_iter_no_change=3, random_state=0).fit(X, y).n_iter_ < 200
    model_without = model(n_estimators=40, n_iter_no_change=3, early_stopping=False)
    assert model_without.fit(X, y).n_iter_ == 40


@pytest.mark.parametrize("model", MODELS)
def test_init_sees_no_row_that_is_set_aside(model):
    X, y = data()
    linear = LogisticRegression() if model is GradientBoostingClassifier else LinearRegression()
    seen = []

    class Recorder(type(linear)):
        def fit(self, X, y):
            seen.append(len(X))
            return super().fit(X, y)

    fitted = model(init=Recorder(), n_iter_no_change=2, validation_fraction=0.2).fit(X, y)
    assert seen == [240]
    assert isinstance(fitted.init_, Recorder)
    with pytest.raises(ValueError, match="Recorder does not support sample weights"):
        fitted.fit(X, y, sample_weight=np.ones(len(y)))
    assert model(init="zero").fit(X, y).init_ == "zero"
    with pytest.raises(ValueError, match="init must be None, 'zero' or an estimator"):
        model(init=LinearRegression).fit(X, y)


def test_init_by_default_answers_the_constant():
    X, y = data()
    shares = GradientBoostingClassifier(n_estimators=1).fit(X, y).init_.predict_proba(X[:1])
    np.testing.assert_allclose(shares[0, 1], y.mean())
    number = GradientBoostingRegressor(n_estimators=1).fit(X, y).init_.predict(X[:1])
    np.testing.assert_allclose(number, y.mean())


def test_printed_lines(capsys):
    X, y = data()
    GradientBoostingClassifier(n_estimators=30, verbose=1, subsample=0.5).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["Iter", "Train", "Loss", "OOB", "Improve", "Remaining", "Time"]
    assert [int(line.split()[0]) for line in lines[1:]] == [*range(1, 11), 20, 30]


def test_small_tables_are_split():
    X, y = [[-2, -1], [-1, -1], [-1, -2], [1, 1], [1, 2], [2, 1]], [0, 0, 0, 1, 1, 1]
    for model in MODELS:
        assert (model().fit(X, y).predict([[-1, -1], [2, 2]]).round() == [0, 1]).all()


def test_a_class_that_is_lost_by_the_division():
    X, y = np.ones((10, 1)), [0, 0] + [1] * 8
    model = GradientBoostingClassifier(n_iter_no_change=5, validation_fraction=0.8, random_state=0)
    with pytest.raises(ValueError, match="missing some classes"):
        model.fit(X, y)


def test_without_rows_aside_the_score_is_taken_on_those_learnt_from():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] > 0).astype(int)
    given = {"early_stopping": True, "validation_fraction": None, "n_iter_no_change": 3}
    asked = []

    def constant(model, rows, labels):
        asked.append(len(rows))
        return 0.5

    stopped = GradientBoostingClassifier(n_estimators=100, scoring=constant, **given).fit(X, y)
    assert stopped.n_iter_ < 10
    assert set(asked) == {200}
    assert not hasattr(stopped, "validation_score_")
    assert GradientBoostingClassifier(n_estimators=100, **given).fit(X, y).n_iter_ > stopped.n_iter_


def test_a_warm_start_goes_on_from_the_same_sums():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 4)), rng.normal(size=200)
    levels = [0.1, 0.5, 0.9]
    first = GradientBoostingRegressor(
        loss="quantile", quantile=levels, n_estimators=3, warm_start=True
    ).fit(X, y)
    changes = [
        ({"quantile": [0.5]}, "quantile must be what it was"),
        ({"loss": "huber"}, "loss must be what it was"),
        ({"max_bins": 20}, "max_bins must be what it was"),
        ({"init": "zero"}, "init must be what it was"),
    ]
    for change, message in changes:
        model = deepcopy(first).set_params(n_estimators=5, **change)
        with pytest.raises(ValueError, match=message):
            model.fit(X, y)
    with pytest.raises(ValueError, match="X must be of the 4 columns fitted"):
        deepcopy(first).set_params(n_estimators=5).fit(X[:, :3], y)
    more = deepcopy(first).set_params(n_estimators=5, learning_rate=0.5).fit(X, y)
    assert more.forest_.n_trees == 15


def test_a_warm_start_remembers_its_patience():
    """Stages one by one end where those of one fit do."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = X[:, 0] + rng.normal(size=300)
    settings = {"early_stopping": True, "n_iter_no_change": 4, "random_state": 0, "tol": 1e-3}
    whole = GradientBoostingRegressor(n_estimators=200, **settings).fit(X, y)
    assert whole.n_iter_ < 100
    steps = GradientBoostingRegressor(n_estimators=1, warm_start=True, **settings)
    for stages in range(1, whole.n_iter_ + 1):
        steps.set_params(n_estimators=stages).fit(X, y)
        assert steps.n_iter_ == stages
    np.testing.assert_allclose(steps.predict(X), whole.predict(X))
    np.testing.assert_allclose(steps._watched, whole._watched)
    steps.set_params(n_estimators=200).fit(X, y)
    assert steps.n_iter_ == whole.n_iter_  # what has stopped stays so


def test_what_cannot_be_set_aside():
    X = np.arange(60.0).reshape(-1, 1)
    stop = {"early_stopping": True}
    with pytest.raises(ValueError, match="validation_fraction must be None where there are not"):
        GradientBoostingClassifier(**stop).fit(X, np.arange(60) == 7)
    with pytest.raises(ValueError, match="validation_fraction must be None where there are not"):
        GradientBoostingRegressor(**stop).fit(X[:1], [1.0])
