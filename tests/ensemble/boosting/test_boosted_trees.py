import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError

from margin.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from margin.losses import Exponential, SquaredHinge

X, y = make_classification(200, 6, n_informative=4, n_classes=3, random_state=0)


def test_a_tree_per_class_and_stage():
    model = GradientBoostingClassifier(n_estimators=4, learning_rate=0.5).fit(X, y)
    assert model.estimators_.shape == (4, model.n_trees_per_iteration_) == (4, 3)
    assert model.apply(X).shape == (200, 4, 3)
    assert len(model) == len(list(model)) == 4
    np.testing.assert_array_equal(model[2][1].predict(X), model.estimators_[2, 1].predict(X))
    raw = np.repeat(model.baseline_[None, :], len(X), axis=0)
    for stage, scores in zip(model.estimators_, model.staged_decision_function(X), strict=True):
        for k, tree in enumerate(stage):
            raw[:, k] += 0.5 * tree.predict(X)
        np.testing.assert_allclose(raw, scores)


def test_shapes_of_leaves_for_numbers():
    model = GradientBoostingRegressor(n_estimators=4).fit(X, y)
    assert model.apply(X).shape == (200, 4)
    levels = GradientBoostingRegressor(n_estimators=4, loss="quantile", quantile=[0.2, 0.8])
    assert levels.fit(X, y).apply(X).shape == (200, 4, 2)


@pytest.mark.parametrize("name", ["estimators_", "feature_importances_", "init_"])
def test_nothing_before_the_fit(name):
    with pytest.raises(NotFittedError):
        getattr(GradientBoostingClassifier(), name)


def test_sums_of_trees_say_what_the_model_says():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + 0.3 * rng.normal(size=200) > 0
    for loss in ("log_loss", "exponential", Exponential(0.5)):
        model = GradientBoostingClassifier(loss=loss, n_estimators=5).fit(X, y)
        trees = model.to_trees()
        assert trees.link == "logistic"
        np.testing.assert_allclose(trees.predict_proba(X), model.predict_proba(X))
    hinge = GradientBoostingClassifier(loss=SquaredHinge(), n_estimators=5).fit(X, y)
    assert hinge.to_trees().link == "identity"
    np.testing.assert_allclose(hinge.to_trees().predict(X), hinge.decision_function(X))
    on_top = GradientBoostingClassifier(init=DummyClassifier(), n_estimators=5).fit(X, y)
    with pytest.raises(ValueError, match="init must be None or 'zero' where the trees"):
        on_top.to_trees()
    zero = GradientBoostingClassifier(init="zero", n_estimators=5).fit(X, y)
    np.testing.assert_allclose(zero.to_trees().predict_proba(X), zero.predict_proba(X))
