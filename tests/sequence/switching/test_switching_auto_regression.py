"""Switching autoregression: regimes, limits, forecasts."""

import pickle
from itertools import product

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.model_selection import cross_val_score

from margin.distributions import MixtureDistribution
from margin.sequence import AutoRegression, SwitchingAutoRegression


def series(T=600, seed=0):
    rng = np.random.default_rng(seed)
    v, s, regimes = np.zeros(T), 0, np.zeros(T, dtype=int)
    for t in range(1, T):
        s = s if rng.random() < 0.97 else 1 - s
        regimes[t] = s
        v[t] = (0.9 * v[t - 1] if s == 0 else 3.0 - 0.6 * v[t - 1]) + (0.5 + s) * rng.normal()
    return v, regimes


V, REGIMES = series()
MODEL = SwitchingAutoRegression(2, 1, random_state=0).fit([V])


def test_finds_the_regimes():
    """sequence.31: coefficients, variances and the path are recovered."""
    np.testing.assert_allclose(MODEL.coef_[:, 0], [0.9, -0.6], atol=0.1)
    np.testing.assert_allclose(np.sqrt(MODEL.noise_variance_), [0.5, 1.5], atol=0.2)
    assert np.mean(MODEL.predict([V])[0] == REGIMES[1:]) > 0.93
    assert MODEL.log_prob([V])[0] == pytest.approx(MODEL.log_likelihood_)
    assert MODEL.score([V]) == pytest.approx(MODEL.log_likelihood_ / 599)
    assert np.diff(-MODEL.fit_report_.trace["objective"]).min() > -1e-7


def test_likelihood_is_the_sum_over_all_paths():
    v = V[:7]
    total = 0.0
    for path in product(range(2), repeat=6):
        p = MODEL.start_[path[0]]
        for t, s in enumerate(path):
            mean = MODEL.intercept_[s] + MODEL.coef_[s, 0] * v[t]
            p *= norm(mean, np.sqrt(MODEL.noise_variance_[s])).pdf(v[t + 1])
            p *= MODEL.transition_[path[t - 1], s] if t else 1.0
        total += p
    assert MODEL.log_prob([v])[0] == pytest.approx(np.log(total), rel=1e-10)


def test_one_regime_is_an_autoregression():
    """sequence.31: S = 1 is AR by least squares."""
    one = SwitchingAutoRegression(1, 2, random_state=0).fit([V])
    plain = AutoRegression(2).fit([V])
    np.testing.assert_allclose(one.coef_[0], plain.coef_, atol=1e-8)
    np.testing.assert_allclose(one.forecast(4).mean, plain.forecast(4).mean, rtol=1e-6)
    np.testing.assert_allclose(one.forecast(4).var, plain.forecast(4).var, rtol=1e-6)


def test_forecast_is_the_mixture_over_paths():
    ahead = MODEL.forecast(2, V)
    assert isinstance(ahead, MixtureDistribution)
    now = MODEL.query(V, [len(V) - 1], kind="filtered")[0]
    first = now @ MODEL.transition_
    means = MODEL.intercept_ + MODEL.coef_[:, 0] * V[-1]
    assert float(ahead.mean[0]) == pytest.approx(first @ means)
    second = sum(
        first[i] * MODEL.transition_[i, j] * (MODEL.intercept_[j] + MODEL.coef_[j, 0] * means[i])
        for i in range(2) for j in range(2)
    )  # fmt: skip
    assert float(ahead.mean[1]) == pytest.approx(second)
    low, high = MODEL.forecast(30).interval(0.9)
    assert low.shape == (30,)
    assert (low < high).all()


def test_smoothed_and_filtered_agree_at_the_end():
    smooth = MODEL.predict_proba([V])[0]
    past = MODEL.predict_proba([V], kind="filtered")[0]
    np.testing.assert_allclose(smooth[-1], past[-1], atol=1e-10)
    np.testing.assert_allclose(smooth.sum(axis=1), 1.0)


def test_levels_only_with_unobserved_numbers():
    rng = np.random.default_rng(1)
    v = np.where(np.arange(300) // 60 % 2, 4.0, 0.0) + rng.normal(size=300)
    v[[5, 100, 101]] = np.nan
    model = SwitchingAutoRegression(2, 0, switching_variance=False, random_state=0).fit([v])
    np.testing.assert_allclose(np.sort(model.intercept_), [0.0, 4.0], atol=0.3)
    assert model.noise_variance_[0] == model.noise_variance_[1]


def test_sequences_are_samples_and_models_keep():
    parts = [V[:300], V[300:]]
    scores = cross_val_score(SwitchingAutoRegression(2, random_state=0, tol=1e-4), parts, cv=2)
    assert np.isfinite(scores).all()
    again = pickle.loads(pickle.dumps(MODEL))
    np.testing.assert_array_equal(again.log_prob(parts), MODEL.log_prob(parts))
    same = SwitchingAutoRegression(2, 1, random_state=0).fit([V])
    np.testing.assert_array_equal(same.coef_, MODEL.coef_)


@pytest.mark.parametrize(
    ("options", "X", "message"),
    [
        ({"n_regimes": 0}, V, "n_regimes must be an integer of at least 1, got 0"),
        ({"order": -1}, V, "order must be an integer of at least 0, got -1"),
        ({}, np.array([1.0, np.nan, 2.0]), "X must be observed everywhere, got 'NaN'"),
        ({}, V[:4], "X must be of at least 6 numbers after the first 1"),
    ],
)
def test_refusals(options, X, message):
    with pytest.raises(ValueError, match=f"SwitchingAutoRegression: {message}"):
        SwitchingAutoRegression(**options).fit([X])


def test_constant_series():
    model = SwitchingAutoRegression(2, 1, random_state=0).fit([np.full(40, 2.0)])
    np.testing.assert_allclose(model.forecast(2).mean, 2.0, atol=1e-3)
