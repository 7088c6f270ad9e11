"""AdaBoost for classification (tree.12, tree.13, tree.16, tree.17, tree.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_gaussian_quantiles

from margin.ensemble import AdaBoostClassifier
from margin.linear import Perceptron
from margin.tree import DecisionTreeClassifier


@pytest.fixture
def rings():
    return make_gaussian_quantiles(n_samples=300, n_features=3, n_classes=3, random_state=0)


def test_votes_are_those_of_the_errors(rings):
    model = AdaBoostClassifier(n_estimators=20, random_state=0).fit(*rings)
    errors = model.estimator_errors_
    assert_allclose(model.estimator_weights_, np.log((1 - errors) / errors) + np.log(2))
    trace = model.fit_report_.trace
    assert_allclose(trace["error"][1:], errors)
    assert np.diff(trace["objective"]).max() <= 0
    assert (model.row_weights_ > 0).all()
    assert_allclose(model.row_weights_.sum(), 1.0)


def test_linear_learners_solve_what_a_line_cannot():
    """tree.13: boosted linear classifiers on two rings, where one of them is near guessing."""
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0, 2 * np.pi, 400), np.repeat([1.0, 3.0], 200)
    X = (radius + 0.1 * rng.normal(size=400))[:, None] * np.c_[np.cos(angle), np.sin(angle)]
    y = radius > 2
    alone = Perceptron(random_state=0).fit(X, y).score(X, y)
    model = AdaBoostClassifier(Perceptron(), n_estimators=300, random_state=0).fit(X, y)
    assert alone < 0.7
    assert model.score(X, y) > 0.95
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 0


@pytest.mark.parametrize("variant", ["discrete", "real", "codes"])
def test_variants_learn_three_classes(rings, variant):
    X, y = rings
    names = np.array(["inner", "middle", "outer"])[y]
    model = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), n_estimators=100, variant=variant, random_state=0
    ).fit(X[:200], names[:200])
    assert model.score(X[200:], names[200:]) > 0.6
    assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert_array_equal(model.predict(X), model.classes_[model.predict_proba(X).argmax(axis=1)])
    *_, last = model.staged_predict(X)
    assert_array_equal(last, model.predict(X))
    *_, score = model.staged_score(X, names)
    assert score == pytest.approx(model.score(X, names))
    *_, share = model.staged_predict_proba(X)
    assert_allclose(share, model.predict_proba(X))
    *_, value = model.staged_decision_function(X)
    assert_allclose(value, model.decision_function(X))


def test_codes_go_on_where_learners_for_all_classes_fail():
    """tree.16: stumps on twelve classes are better than 1/12 but far from 1/2."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(12), 20)
    X = rng.normal(size=(240, 2)) * 0.3 + 3 * np.c_[y % 4, y // 4]
    stump = DecisionTreeClassifier(max_depth=1)
    assert stump.fit(X, y).score(X, y) < 0.3
    model = AdaBoostClassifier(stump, n_estimators=300, variant="codes", random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95


def test_weights_expose_wrong_labels():
    """tree.17: rows with a label turned round come first."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(200, 2))
    y = X[:, 0] > 0
    wrong = np.argsort(-np.abs(X[:, 0]))[:6]
    y[wrong] = ~y[wrong]
    model = AdaBoostClassifier(n_estimators=10, random_state=0).fit(X, y)
    assert set(model.outlier_ranking()[:6]) == set(wrong)


def test_margins_grow_when_no_error_is_left():
    """tree.18: the smallest margins rise after the training error has reached zero."""
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, size=(150, 2))
    y = X[:, 0] + X[:, 1] > 0
    few = AdaBoostClassifier(n_estimators=60, random_state=0).fit(X, y)
    many = AdaBoostClassifier(n_estimators=600, random_state=0).fit(X, y)
    assert few.score(X, y) == many.score(X, y) == 1.0
    assert np.quantile(many.margins(X, y), 0.05) > np.quantile(few.margins(X, y), 0.05)
    margins = many.margins(X, y)
    assert (np.abs(margins) <= 1 + 1e-12).all()
    assert_allclose(margins, np.abs(many.decision_function(X)) / 2)


class Majority(ClassifierMixin, BaseEstimator):
    """Takes no weights: splits at the mean of the first column by majority."""

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.cut_ = X[:, 0].mean()
        sides = [codes[X[:, 0] <= self.cut_], codes[X[:, 0] > self.cut_]]
        self.answer_ = [np.bincount(s).argmax() if len(s) else 0 for s in sides]
        return self

    def predict(self, X):
        return self.classes_[np.take(self.answer_, (X[:, 0] > self.cut_).astype(int))]


def test_any_learner_will_do():
    """tree.12: one without sample_weight sees rows drawn by weight."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(100, 1))
    y = np.where(X[:, 0] > 0.8, 2, X[:, 0] > -0.5)
    model = AdaBoostClassifier(Majority(), n_estimators=40, random_state=0).fit(X, y)
    assert model.score(X, y) > Majority().fit(X, y).score(X, y)
    again = AdaBoostClassifier(Majority(), n_estimators=40, random_state=0).fit(X, y)
    assert_array_equal(model.decision_function(X), again.decision_function(X))


def test_sparse_rows_and_weights():
    X, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(0).integers(0, 3, size=150).astype(float)
    weight[:3] = 1.0
    dense = AdaBoostClassifier(n_estimators=5, random_state=0).fit(X, y, weight)
    sparse = AdaBoostClassifier(n_estimators=5, random_state=0).fit(csr_array(X), y, weight)
    assert_allclose(dense.decision_function(X), sparse.decision_function(csr_array(X)))
    rows = np.repeat(np.arange(150), weight.astype(int))
    repeated = AdaBoostClassifier(n_estimators=5, random_state=0).fit(X[rows], y[rows])
    assert_allclose(dense.estimator_errors_, repeated.estimator_errors_)


def test_one_class_is_certain():
    model = AdaBoostClassifier().fit([[0.0], [1.0]], ["a", "a"])
    assert_array_equal(model.predict([[5.0]]), ["a"])
    assert_allclose(model.predict_proba([[5.0]]), 1.0)


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"n_estimators": 0}, "n_estimators must be an integer of at least 1, got 0"),
        ({"learning_rate": 0.0}, "learning_rate must be a number above 0, got 0.0"),
        ({"variant": "fast"}, "variant must be one of 'discrete', 'real', 'codes', got 'fast'"),
        ({"estimator": "tree"}, "estimator must be an estimator or None, got 'tree'"),
        (
            {"estimator": Perceptron(), "variant": "real"},
            "estimator must be one with predict_proba for variant='real', got Perceptron()",
        ),
    ],
)
def test_refusals(parameters, text):
    with pytest.raises(ValueError, match="AdaBoostClassifier") as caught:
        AdaBoostClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])
    assert str(caught.value) == f"AdaBoostClassifier: {text}"


def test_unknown_labels_have_no_margin():
    model = AdaBoostClassifier(n_estimators=2).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="y must be among the classes of fit, got"):
        model.margins([[0.0]], [7])


def test_a_table_that_tells_nothing_is_answered_by_a_guess():
    model = AdaBoostClassifier().fit(np.zeros((6, 2)), [0, 1, 0, 1, 0, 1])
    assert len(model.estimators_) == 1
    assert_allclose(model.estimator_errors_, 0.5)
    assert model.score(np.zeros((6, 2)), [0, 1, 0, 1, 0, 1]) == 0.5
