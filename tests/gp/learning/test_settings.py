"""Settings of the search for hyper-parameters."""

import pytest

from margin.gp import GaussianProcessClassifier, GaussianProcessRegressor, MultiOutputGP
from margin.gp.learning._settings import LearningSettings


def test_who_searches():
    assert LearningSettings("GP").by_gradient
    assert not LearningSettings("GP", None).by_gradient
    assert not LearningSettings("GP", lambda f, x, bounds: (x, f(x))).by_gradient


@pytest.mark.parametrize(("name", "value"), [("optimizer", "adam"), ("restarts", -1)])
def test_bad_settings_are_refused_in_the_name_of_the_estimator(name, value):
    with pytest.raises(ValueError, match=r"^GP: .* must be"):
        LearningSettings("GP", **{name: value})


@pytest.mark.parametrize(
    "model", [GaussianProcessRegressor, GaussianProcessClassifier, MultiOutputGP]
)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("optimizer", "adam"),
        ("n_restarts_optimizer", -1),
        ("n_restarts_optimizer", True),
        ("tol", 0.0),
        ("max_iter", 0),
    ],
)
def test_bad_parameters(model, name, value):
    with pytest.raises(ValueError, match=f"{model.__name__}: {name} must be"):
        model(**{name: value}).fit([[0.0], [1.0]], [0, 1])
