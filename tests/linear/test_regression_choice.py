"""Which regression suits the problem (linear.02)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.ensemble import RandomForestRegressor

from margin.linear import (
    ConstrainedLeastSquares,
    LinearRegression,
    LocallyWeightedRegression,
    NonlinearLeastSquares,
    PoissonRegressor,
    RegressionChoice,
    RobustRegressor,
    TotalLeastSquares,
    choose_regression,
)


def sample(n=200, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, X @ np.linspace(-1, 2, p) + 1.0 + 0.3 * rng.normal(size=n)


def decay(X, theta):
    return theta[0] * np.exp(-theta[1] * X[:, 0])


@pytest.mark.parametrize(
    ("settings", "wanted", "word"),
    [
        ({}, LinearRegression, "equal Gaussian noise"),
        ({"noise": "gaussian"}, LinearRegression, "ordinary least squares"),
        ({"equal_noise": False}, LinearRegression, "weighted least squares"),
        ({"noisy_features": True}, TotalLeastSquares, "features are noisy"),
        ({"noise": "outliers"}, RobustRegressor, "robust"),
        ({"function": decay, "p0": [1, 1]}, NonlinearLeastSquares, "formula"),
        ({"linear": False}, LocallyWeightedRegression, "without a formula"),
        ({"linear": False, "noise": "outliers"}, LocallyWeightedRegression, "outliers"),
        ({"linear": False, "noise": "poisson"}, RandomForestRegressor, "forest"),
    ],
)
def test_every_branch_of_the_guide(settings, wanted, word):
    """linear.02: what is stated decides; the choice can be fitted and says why."""
    X, y = sample()
    y = np.abs(y) if settings.get("noise") == "poisson" else y
    choice = choose_regression(X, y, **settings)
    assert isinstance(choice, RegressionChoice)
    assert type(choice.estimator) is wanted
    assert word in choice.reason
    assert choice.needs_weights == (settings == {"equal_noise": False})
    weight = {"sample_weight": np.ones(200)} if choice.needs_weights else {}
    assert np.isfinite(choice.estimator.fit(X, y, **weight).predict(X)).all()


def test_counts_are_recognised():
    """linear.02: small whole numbers; large ones are as good as Gaussian, labels are no counts."""
    X, _ = sample()
    rng = np.random.default_rng(1)
    counts = rng.poisson(np.exp(0.5 + 0.3 * X[:, 0]))
    assert isinstance(choose_regression(X, counts).estimator, PoissonRegressor)
    assert isinstance(choose_regression(X, counts, noise="poisson").estimator, PoissonRegressor)
    for y in (counts - 5.0, counts + 0.5, (counts > 1).astype(float)):
        choice = choose_regression(X, y, noise="gaussian")
        assert isinstance(choice.estimator, LinearRegression)
        assert not isinstance(choose_regression(X, y).estimator, PoissonRegressor)
    many = rng.poisson(500 + 10 * X[:, 0])
    assert isinstance(choose_regression(X, many).estimator, LinearRegression)


def test_outliers_are_recognised_and_the_choice_withstands_them():
    """linear.02: and clean Gaussian noise raises no alarm."""
    for seed in range(10):
        X, y = sample(seed=seed)
        assert isinstance(choose_regression(X, y).estimator, LinearRegression)
        spoilt = y.copy()
        spoilt[:20] += 30.0
        choice = choose_regression(X, spoilt)
        assert isinstance(choice.estimator, RobustRegressor)
        assert choice.reason.startswith("20 of 200 rows")
        assert_allclose(choice.estimator.fit(X, spoilt).intercept_, 1.0, atol=0.15)
        assert isinstance(
            choose_regression(X, spoilt, noise="gaussian").estimator, LinearRegression
        )


def test_fewer_rows_than_unknowns():
    """linear.02: the minimum-norm solution."""
    X, y = sample(n=5, p=9)
    choice = choose_regression(X, y)
    assert isinstance(choice.estimator, ConstrainedLeastSquares)
    assert "5 rows cannot determine 9" in choice.reason
    assert_allclose(choice.estimator.fit(X, y).predict(X), y, rtol=1e-9)


def test_exact_data_have_no_outliers():
    X, _ = sample()
    exact = choose_regression(X, X @ [1.0, 2.0, 3.0])
    assert isinstance(exact.estimator, LinearRegression)
    assert isinstance(choose_regression(X, np.full(200, -2.5)).estimator, LinearRegression)


def test_bad_input_is_refused():
    X, y = sample()
    with pytest.raises(ValueError, match="choose_regression: noise must be one of"):
        choose_regression(X, y, noise="cauchy")
    with pytest.raises(ValueError, match="NaN"):
        choose_regression(X, np.where(y > 1, np.nan, y))
