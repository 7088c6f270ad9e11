"""Coefficients that wander."""

import numpy as np
import pytest

from margin.sequence import AutoRegression, TimeVaryingAutoRegression


def series(T=400):
    rng = np.random.default_rng(0)
    v = np.zeros(T)
    for t in range(1, T):
        v[t] = np.cos(np.pi * t / T) * 0.9 * v[t - 1] + rng.normal()
    return v


V = series()


@pytest.mark.parametrize("intercept", [True, False])
def test_without_drift_it_is_least_squares(intercept):
    """sequence.30: in the limit of no drift the last state is the static solution."""
    model = TimeVaryingAutoRegression(2, drift=0.0, fit_intercept=intercept).fit([V])
    plain = AutoRegression(2, fit_intercept=intercept).fit([V])
    law = model.query(V, [0, 200, 399])
    np.testing.assert_allclose(law.mean[:, :2], np.tile(plain.coef_, (3, 1)), atol=1e-6)
    count = len(V) - 2
    free = 2 + intercept
    want = plain.noise_variance_ * count / (count - free)
    assert model.noise_variance_ == pytest.approx(want, rel=1e-4)


def test_follows_a_slow_change():
    """sequence.30: the smoothed coefficient tracks the truth."""
    model = TimeVaryingAutoRegression(1, fit_intercept=False).fit([V])
    truth = 0.9 * np.cos(np.pi * np.arange(400) / 400)
    assert np.abs(model.query(V).mean[:, 0] - truth)[20:-20].mean() < 0.15
    assert model.drift_variance_ > 0
    assert (
        model.log_likelihood_
        > TimeVaryingAutoRegression(1, drift=0.0, fit_intercept=False).fit([V]).log_likelihood_
    )


def test_forecast():
    model = TimeVaryingAutoRegression(1, fit_intercept=False, random_state=0).fit([V])
    ahead = model.forecast(3)
    a = model.query(V, [399]).mean[0, 0]
    assert float(ahead.mean[0]) == pytest.approx(a * V[-1], abs=0.3)
    low, high = ahead.interval(0.9)
    assert (low < high).all()


def test_unobserved_numbers_and_several_sequences():
    v = V.copy()
    v[50] = np.nan
    model = TimeVaryingAutoRegression(1).fit([v, V[:100]])
    assert model.log_prob([v, V[:100]]).sum() == pytest.approx(model.log_likelihood_)
    assert np.isfinite(model.score([v]))
    with pytest.raises(ValueError, match="X must be known in its last 1 numbers"):
        model.forecast(1, np.array([1.0, 2.0, np.nan]))


def test_refusals():
    with pytest.raises(ValueError, match="drift must be a number of at least 0"):
        TimeVaryingAutoRegression(drift=-1.0).fit([V])
    with pytest.raises(ValueError, match="X must be of at least 3 numbers with known"):
        TimeVaryingAutoRegression(1).fit([V[:3]])
