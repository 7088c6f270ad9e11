from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score

from margin import losses
from margin.ensemble import GradientBoostingClassifier
from margin.losses import Loss


def table(n=1500, classes=2, seed=0):
    X, y = make_classification(
        n, 12, n_informative=6, n_classes=classes, flip_y=0.05, random_state=seed
    )
    half = n // 2
    return X[:half], y[:half], X[half:], y[half:]


@pytest.mark.parametrize("classes", [2, 4])
def test_learns_as_well_as_scikit_learn(classes):
    X, y, new_X, new_y = table(3000, classes)
    ours = GradientBoostingClassifier().fit(X, y).predict_proba(new_X)
    theirs = HistGradientBoostingClassifier(early_stopping=False).fit(X, y).predict_proba(new_X)
    assert log_loss(new_y, ours) < log_loss(new_y, theirs) + 0.02


def test_equals_scikit_learn_for_two_classes():
    X, y, _, _ = table(800)
    X = np.round(X, 1)
    settings = {"max_leaf_nodes": 6, "min_samples_leaf": 1, "l2_regularization": 1.0}
    theirs = HistGradientBoostingClassifier(max_iter=8, early_stopping=False, **settings)
    ours = GradientBoostingClassifier(n_estimators=8, **settings)
    np.testing.assert_allclose(
        ours.fit(X, y).predict_proba(X), theirs.fit(X, y).predict_proba(X), atol=1e-4
    )


@pytest.mark.parametrize("classes", [2, 3])
def test_scores_probabilities_and_stages_agree(classes):
    X, y, _, _ = table(600, classes)
    labels = np.array(["a", "b", "c"])[y]
    model = GradientBoostingClassifier(n_estimators=6).fit(X, labels)
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.predict(X), model.classes_[p.argmax(axis=1)])
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), p)
    assert model.decision_function(X).shape == ((300,) if classes == 2 else (300, 3))
    for name in ("predict", "predict_proba", "decision_function"):
        stages = list(getattr(model, f"staged_{name}")(X))
        assert len(stages) == 6
        np.testing.assert_array_equal(stages[-1], getattr(model, name)(X))
    scale = 2 if classes == 2 else 1  # the deviance of two classes, as in scikit-learn
    assert model.train_score_[-1] == pytest.approx(scale * log_loss(labels, p), rel=1e-6)
    assert (np.diff(model.train_score_) < 0).all()


def test_exponential_loss():
    X, y, new_X, new_y = table(2000)
    model = GradientBoostingClassifier(loss="exponential").fit(X, y)
    assert roc_auc_score(new_y, model.decision_function(new_X)) > 0.93
    # The best score is half the logarithm of the odds.
    np.testing.assert_allclose(
        model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-2 * model.decision_function(X)))
    )
    assert model.baseline_[0] == pytest.approx(0.5 * np.log(y.mean() / (1 - y.mean())), abs=1e-6)


def test_losses_of_the_margin():
    X, y, new_X, new_y = table(1500)
    for loss in (losses.SquaredHinge(), losses.Hinge(), losses.Logistic(), losses.Softmax()):
        model = GradientBoostingClassifier(loss=loss, n_estimators=40).fit(X, y)
        assert np.mean(model.predict(new_X) == new_y) > 0.85
        assert hasattr(model, "predict_proba") == (not type(loss).__name__.endswith("Hinge"))


@pytest.mark.parametrize("kind", ["category", "object", "numbers"])
def test_categories(kind):
    rng = np.random.default_rng(0)
    town = rng.integers(0, 30, 3000)
    rich = rng.permutation(30) < 15
    size = rng.standard_normal(3000)
    y = np.where(rich[town], size > -0.5, size > 0.5)
    if kind == "category":
        X = pd.DataFrame({"size": size, "town": pd.Categorical([f"t{t}" for t in town])})
        model = GradientBoostingClassifier(n_estimators=30)
        new = pd.DataFrame({"size": [0.0], "town": pd.Categorical(["unknown"])})
    elif kind == "object":
        X = np.column_stack([size.astype(object), np.array([f"t{t}" for t in town], dtype=object)])
        model = GradientBoostingClassifier(n_estimators=30, categorical_features=[1])
        new = np.array([[0.0, None]], dtype=object)
    else:
        X = np.column_stack([size, town])
        model = GradientBoostingClassifier(n_estimators=30, categorical_features=[False, True])
        new = np.array([[0.0, 77.0]])
    model.fit(X, y)
    assert model.score(X, y) > 0.98
    assert (model.forest_.categories >= 0).any()
    assert 0 < model.predict_proba(new)[0, 1] < 1


def test_names_of_categorical_columns():
    X = pd.DataFrame({"a": [1.0, 2.0] * 50, "b": ["x", "y"] * 50})
    y = [0, 1] * 50
    model = GradientBoostingClassifier(categorical_features=["b"]).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.feature_names_in_.tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="names of columns of X, got 'c'"):
        GradientBoostingClassifier(categorical_features=["c"]).fit(X, y)


def test_hundred_thousand_categories():
    rng = np.random.default_rng(0)
    n = 150_000
    X = np.column_stack([rng.integers(0, 100_000, n), rng.standard_normal(n)]).astype(float)
    y = X[:, 1] > 0
    model = GradientBoostingClassifier(categorical_features=[0], n_estimators=3).fit(X, y)
    assert model.score(X, y) > 0.99


def test_class_weight_and_sample_weight():
    X, y, _, _ = table(800)
    rare = (y == 1) & (np.arange(len(y)) % 5 > 0)
    X, y = X[~rare], y[~rare]
    settings = {"n_estimators": 10, "min_samples_leaf": 5}
    balanced = GradientBoostingClassifier(class_weight="balanced", **settings).fit(X, y)
    plain = GradientBoostingClassifier(**settings).fit(X, y)
    assert balanced.predict(X).mean() > plain.predict(X).mean()
    by_class = GradientBoostingClassifier(class_weight={0: 1.0, 1: 3.0}, **settings).fit(X, y)
    by_row = GradientBoostingClassifier(**settings).fit(X, y, sample_weight=1.0 + 2.0 * y)
    np.testing.assert_array_equal(by_class.predict_proba(X), by_row.predict_proba(X))


def test_early_stopping_by_a_scorer():
    X, y, _, _ = table(1200)
    for scoring in ("roc_auc", "accuracy", "neg_log_loss", None):
        model = GradientBoostingClassifier(
            n_estimators=300, early_stopping=True, scoring=scoring, random_state=0
        ).fit(X, y)
        assert model.n_iter_ < 300
        assert len(model.validation_score_) == model.n_iter_
    auto = GradientBoostingClassifier(n_estimators=3, early_stopping="auto").fit(X, y)
    assert auto.n_iter_ == 3


def test_init_and_warm_start():
    X, y, _, _ = table(600, 3)
    linear = LogisticRegression(max_iter=1000)
    model = GradientBoostingClassifier(init=linear, n_estimators=1, learning_rate=1e-9).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), linear.fit(X, y).predict_proba(X), atol=1e-6)
    warm = GradientBoostingClassifier(n_estimators=2, warm_start=True).fit(X, y)
    warm.set_params(n_estimators=4).fit(X, y)
    whole = GradientBoostingClassifier(n_estimators=4).fit(X, y)
    np.testing.assert_allclose(warm.predict_proba(X), whole.predict_proba(X), atol=1e-6)
    with pytest.raises(ValueError, match="of the classes fitted"):
        warm.fit(X, y + 1)


def test_bad_classes():
    X, y, _, _ = table(100)
    with pytest.raises(ValueError, match="at least 2 classes"):
        GradientBoostingClassifier().fit(X, np.ones(len(X)))
    three = np.arange(len(X)) % 3
    with pytest.raises(ValueError, match="loss must be 'log_loss' for more than 2"):
        GradientBoostingClassifier(loss="exponential").fit(X, three)
    with pytest.raises(ValueError, match="monotonic_cst must be None for more than 2"):
        GradientBoostingClassifier(monotonic_cst=[1] * 12).fit(X, three)
    with pytest.raises(ValueError, match="loss must be a loss of the margin"):
        GradientBoostingClassifier(loss=losses.Squared()).fit(X, y)


def test_threads_change_nothing():
    X, y, _, _ = table(4000, 3)
    one, two = (
        GradientBoostingClassifier(n_estimators=5, n_jobs=n).fit(X, y).predict_proba(X)
        for n in (1, 2)
    )
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("classes", [2, 3])
def test_weights_are_repetitions(classes):
    X, y, _, _ = table(60, classes)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    settings = {"min_samples_leaf": 1, "n_estimators": 20}
    weighed = GradientBoostingClassifier(**settings).fit(X, y, sample_weight=weight)
    repeated = GradientBoostingClassifier(**settings)
    repeated.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighed.predict_proba(X), repeated.predict_proba(X), atol=1e-5)


@dataclass(frozen=True)
class Quadratic(Loss):
    """A user's loss of the margin that codes no labels itself."""

    form = "margin"

    def value(self, z, y):
        return 0.5 * (1.0 - y * z) ** 2

    def slope(self, z, y):
        return -y * (1.0 - y * z)

    def curvature(self, z, y):
        return np.ones_like(z)


def test_labels_of_a_loss_of_the_margin_are_signs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.where(X[:, 0] > 0.3, "yes", "no")
    model = GradientBoostingClassifier(loss=Quadratic()).fit(X, y)
    assert model.baseline_[0] == pytest.approx((y == "yes").mean() - (y == "no").mean())
    assert model.score(X, y) > 0.97
