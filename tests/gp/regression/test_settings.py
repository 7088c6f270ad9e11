"""Settings of a regression."""

from margin.gp import GaussianProcessRegressor
from margin.gp._border import Border
from margin.gp.learning._settings import LearningSettings
from margin.gp.regression._settings import METHODS, RegressionSettings


def test_the_estimator_states_them():
    model = GaussianProcessRegressor(method="cg", n_inducing=7, tol=1e-3, n_restarts_optimizer=2)
    assert model._settings(Border(None)) == RegressionSettings(
        "cg",
        7,
        False,
        LearningSettings("GaussianProcessRegressor", restarts=2, tol=1e-3),
    )
    assert model._settings(Border(None)).owner == "GaussianProcessRegressor"


def test_every_method_is_documented():
    for method in METHODS:
        assert f'"{method}"' in GaussianProcessRegressor.__doc__
