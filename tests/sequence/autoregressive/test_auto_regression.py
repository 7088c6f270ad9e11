"""The estimator: methods, laws, forecasts, refusals."""

import numpy as np
import pytest
from scipy.integrate import trapezoid
from sklearn.model_selection import GridSearchCV, cross_val_score

from margin.distributions import MixtureDistribution, Normal
from margin.sequence import AutoRegression


def series(T, seed=0, coef=(0.6, -0.3), level=1.0):
    rng = np.random.default_rng(seed)
    v = np.zeros(T + 50)
    for t in range(2, len(v)):
        v[t] = level + coef[0] * v[t - 1] + coef[1] * v[t - 2] + rng.normal()
    return v[50:]


PARTS = [series(80), series(60, 1), series(70, 2)]
METHODS = ["least_squares", "yule_walker", "burg", "bayesian"]


@pytest.mark.parametrize("method", METHODS)
def test_methods(method):
    """sequence.28: every method finds the series, predicts and scores."""
    model = AutoRegression(2, method=method).fit(PARTS)
    np.testing.assert_allclose(model.coef_, [0.6, -0.3], atol=0.15)
    assert model.log_prob(PARTS).sum() == pytest.approx(model.log_likelihood_)
    assert model.score(PARTS) == pytest.approx(model.log_likelihood_ / 210)
    told = model.predict(PARTS)
    by_hand = model.intercept_ + model.coef_ @ PARTS[0][[4, 3]]
    assert told[0][5] == pytest.approx(by_hand, rel=1e-9)
    assert model.spectral_radius_ < 1


def test_forecast_by_hand():
    model = AutoRegression(2).fit(PARTS)
    ahead = model.forecast(2, PARTS[0])
    assert isinstance(ahead, Normal)
    a, v = model.coef_, PARTS[0]
    one = model.intercept_ + a @ v[-1:-3:-1]
    two = model.intercept_ + a @ [one, v[-1]]
    np.testing.assert_allclose(ahead.mean, [one, two])
    np.testing.assert_allclose(ahead.var, model.noise_variance_ * np.array([1.0, 1 + a[0] ** 2]))
    np.testing.assert_allclose(model.forecast(3).mean, model.forecast(3, PARTS[-1]).mean)


def test_bayesian_forecasts_are_wider():
    short = [series(12)]
    plain = AutoRegression(2).fit(short).forecast(3)
    model = AutoRegression(2, method="bayesian", random_state=0).fit(short)
    wide = model.forecast(3)
    assert isinstance(wide, MixtureDistribution)
    assert (wide.var > plain.var).all()
    low, high = wide.interval(0.9)
    assert low.shape == (3,)
    assert (low < high).all()


def test_spectrum_integrates_to_the_variance():
    """sequence.28: the integral over all frequencies is the stationary variance."""
    model = AutoRegression(1, fit_intercept=False).fit([series(500, coef=(0.9, 0.0), level=0.0)])
    f = np.linspace(-0.5, 0.5, 20001)
    true = model.noise_variance_ / (1 - model.coef_[0] ** 2)
    assert trapezoid(model.spectrum(f), f) == pytest.approx(true, rel=1e-6)


def test_unobserved_numbers():
    v = PARTS[0].copy()
    v[[3, 4, 30]] = np.nan
    model = AutoRegression(2).fit([v, PARTS[1]])
    np.testing.assert_allclose(model.coef_, [0.6, -0.3], atol=0.2)
    law = model.query(v, [2, 3, 4])
    assert law.std[0] < 1e-6 < law.std[1]
    assert np.isfinite(model.forecast(2, np.array([1.0, np.nan])).mean).all()
    with pytest.raises(ValueError, match="observed everywhere, or method='least_squares'"):
        AutoRegression(2, method="burg").fit([v])
    assert AutoRegression(4, criterion="bic").fit([v, *PARTS[1:]]).order_ == 2
    with pytest.raises(ValueError, match="observed everywhere for criterion='evidence'"):
        AutoRegression(2, criterion="evidence").fit([v])


def test_order_is_chosen():
    model = AutoRegression(6, criterion="bic").fit(PARTS)
    assert model.order_ == 2
    assert model.coef_.shape == (2,)
    assert set(model.criteria_) == set(range(1, 7))


def test_explosive_series():
    v = 1.2 ** np.arange(30.0) + 0.1 * np.random.default_rng(0).normal(size=30)
    model = AutoRegression(1).fit([v])
    assert model.spectral_radius_ > 1
    assert np.isfinite(model.log_likelihood_)
    assert (np.diff(model.forecast(4).std) > 0).all()
    with pytest.raises(ValueError, match="X must be such that the series is stationary"):
        AutoRegression(1, require_stationary=True).fit([v])
    with pytest.raises(ValueError, match="of a stationary model"):
        model.spectrum([0.1])


def test_sequences_are_samples():
    assert cross_val_score(AutoRegression(2), PARTS, cv=3).shape == (3,)
    search = GridSearchCV(AutoRegression(), {"order": [1, 2]}, cv=3).fit(PARTS)
    assert search.best_params_ == {"order": 2}


def test_constant_and_sampled():
    model = AutoRegression(1).fit([np.full(10, 4.0)])
    np.testing.assert_allclose(model.forecast(2).mean, 4.0)
    drawn = AutoRegression(2).fit(PARTS).sample(5, random_state=0)
    assert drawn.shape == (5,)


@pytest.mark.parametrize(
    ("options", "X", "message"),
    [
        ({"order": 0}, PARTS, "order must be an integer of at least 1, got 0"),
        ({"method": "mle"}, PARTS, "method must be one of"),
        ({"order": 5}, [np.arange(4.0)], "X must be of at least 11 numbers for order 5"),
        ({}, [np.array([1.0])], "X must be of at least 3 numbers for order 1"),
        ({}, [np.full(8, np.nan)], "X must be of at least 3 numbers"),
        ({}, [np.zeros((4, 2))], "X must be of 1 numbers per row, got 2"),
    ],
)
def test_refusals(options, X, message):
    with pytest.raises(ValueError, match=f"AutoRegression: {message}"):
        AutoRegression(**options).fit(X)


@pytest.mark.parametrize("method", METHODS)
def test_a_series_that_never_changes_goes_on(method):
    model = AutoRegression(2, method=method).fit([np.full(12, 3.0), np.full(7, 3.0)])
    law = model.forecast(3)
    np.testing.assert_allclose(law.mean, 3.0, atol=1e-3)
    assert np.isfinite(model.log_prob([np.full(4, 3.0)])).all()
    assert model.spectral_radius_ <= 1.0 + 1e-9
