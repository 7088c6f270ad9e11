"""Mixtures of regressions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture import MixtureOfRegressions


def lines(n=200, noise=0.2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    which = rng.random(n) < 0.4
    y = np.where(which, 1 + X @ [2.0, -1.0], -1 + X @ [-1.0, 1.0])
    return X, y + noise * rng.normal(size=n), which


def test_crossing_lines_are_told_apart():
    X, y, which = lines()
    model = MixtureOfRegressions(n_components=2, random_state=0, tol=1e-10).fit(X, y)
    order = np.argsort(model.intercepts_)
    assert_allclose(model.coefs_[order], [[-1, 1], [2, -1]], atol=0.1)
    assert_allclose(model.intercepts_[order], [-1, 1], atol=0.1)
    assert_allclose(np.sqrt(model.variances_), 0.2, atol=0.06)
    assert_allclose(model.weights_[order], [1 - which.mean(), which.mean()], atol=0.06)
    share = model.predict_component(X, y)[:, order]
    assert ((share[:, 1] > 0.5) == which).mean() > 0.95


def test_one_component_is_least_squares_and_the_bound_rises():
    X, y, _ = lines()
    one = MixtureOfRegressions(n_components=1, reg_var=1e-12).fit(X, y)
    Z = np.column_stack([np.ones(len(X)), X])
    expected = np.linalg.lstsq(Z, y, rcond=None)[0]
    assert_allclose(np.append(one.intercepts_, one.coefs_), expected)
    two = MixtureOfRegressions(n_components=2, random_state=0).fit(X, y)
    assert two.fit_report_.status.ok
    assert two.lower_bound_ > one.lower_bound_
    assert_allclose(two.log_likelihoods(X, y).mean(), two.lower_bound_, atol=1e-3)


def test_predictions_are_distributions():
    X, y, _ = lines()
    model = MixtureOfRegressions(n_components=2, random_state=0).fit(X, y)
    found = model.predict_dist(X)
    assert_allclose(model.predict(X), found.mean)
    low, high = found.interval(0.9)
    assert 0.85 < np.mean((low <= y) & (y <= high)) < 0.95
    assert_allclose(found.log_prob(y), model.log_likelihoods(X, y))


def test_weights_are_repetitions():
    X, y, _ = lines(60)
    times = np.random.default_rng(0).integers(0, 3, size=60)
    weighed = MixtureOfRegressions(n_components=1).fit(X, y, sample_weight=times)
    repeated = MixtureOfRegressions(n_components=1).fit(
        np.repeat(X, times, axis=0), np.repeat(y, times)
    )
    assert_allclose(weighed.coefs_, repeated.coefs_)
    assert_allclose(weighed.variances_, repeated.variances_)


def test_degenerate_tables():
    """Exact lines, columns that repeat, one row, constant targets: finite answers."""
    x = np.linspace(0, 1, 30)[:, None]
    for X, y in (
        (np.hstack([x, x]), 3 * x[:, 0]),
        (x, np.ones(30)),
        (x[:2], np.array([0.0, 1.0])),
    ):
        model = MixtureOfRegressions(n_components=2, random_state=0).fit(X, y)
        assert_allclose(model.predict(X), y, atol=1e-2)


def test_bad_settings_are_refused():
    X, y, _ = lines(10)
    with pytest.raises(ValueError, match="MixtureOfRegressions: reg_var must be a number above 0"):
        MixtureOfRegressions(n_components=2, reg_var=0.0).fit(X, y)
    with pytest.raises(ValueError, match="X must be at least 20 samples with weight"):
        MixtureOfRegressions(n_components=20).fit(X, y)
