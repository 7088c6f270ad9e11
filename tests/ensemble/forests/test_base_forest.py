import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from margin.ensemble import ExtraTreesRegressor, RandomForestClassifier
from margin.ensemble.forests._base_forest import settled


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
