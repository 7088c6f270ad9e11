"""Targets on another scale."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from margin.evaluation import ScaledTarget
from margin.linear import Ridge

RNG = np.random.default_rng(0)


def test_without_a_scale_it_is_the_model_itself():
    X, y = RNG.normal(size=(50, 2)), RNG.normal(size=50)
    model = ScaledTarget(LinearRegression()).fit(X, y)
    np.testing.assert_allclose(model.predict(X), LinearRegression().fit(X, y).predict(X))
    assert (model.n_features_in_, model.fit_report_) == (2, None)


def test_means_of_a_lognormal_law_are_found():
    X = RNG.normal(size=(20000, 1))
    y = np.exp(6 + X[:, 0] + 0.8 * RNG.normal(size=20000))
    mean = ScaledTarget(LinearRegression(), scale="log").fit(X, y)
    median = ScaledTarget(LinearRegression(), scale="log", mean=False).fit(X, y)
    assert mean.smear_ == pytest.approx(np.exp(0.32), rel=0.05)
    assert median.smear_ == 1.0
    assert np.all(mean.predict(X) > median.predict(X))


def test_negative_targets_have_a_logarithm_too():
    X = RNG.normal(size=(60, 1))
    model = ScaledTarget(LinearRegression(), scale="log").fit(X, X[:, 0] - 3)
    assert np.isfinite(model.predict(X)).all()


def test_bounds_hold_and_nothing_overflows():
    X = np.linspace(0, 10, 40)[:, None]
    model = ScaledTarget(LinearRegression(), scale="log", lower=0.0, upper=5.0)
    guess = model.fit(X, np.minimum(X[:, 0], 5.0)).predict(np.array([[-1e6], [3.0], [1e9]]))
    assert guess.min() >= 0.0
    assert guess.max() <= 5.0


def test_distributions_only_where_the_scale_is_plain():
    assert hasattr(ScaledTarget(Ridge()), "predict_dist")
    assert not hasattr(ScaledTarget(Ridge(), scale="log"), "predict_dist")
    assert not hasattr(ScaledTarget(Ridge(), upper=1.0), "predict_dist")
    X = RNG.normal(size=(30, 2))
    plain = ScaledTarget(Ridge()).fit(X, X[:, 0])
    assert plain.predict_dist(X).mean.shape == (30,)
    assert plain.fit_report_ is not None


def test_the_seed_reaches_the_model_inside():
    model = ScaledTarget(DecisionTreeRegressor(), random_state=3).fit(np.eye(5), np.arange(5.0))
    assert model.estimator_.random_state == 3


def test_other_scales_are_refused():
    with pytest.raises(ValueError, match="scale must be 'none' or 'log', got 'root'"):
        ScaledTarget(LinearRegression(), scale="root").fit(np.eye(3), np.ones(3))
