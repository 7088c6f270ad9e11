"""Structural series: closed forms, limits, forecasts."""

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

from margin.distributions import Normal
from margin.sequence import StructuralTimeSeries

RNG = np.random.default_rng(0)
LEVEL = np.cumsum(RNG.normal(size=200)) + 2.0 * RNG.normal(size=200)


def test_local_level_finds_its_variances():
    """sequence.38: truth 1 and 4; steps have variance q + 2 r and lag-one covariance -r."""
    model = StructuralTimeSeries().fit([LEVEL])
    assert model.fit_report_.status.ok
    assert model.variances_["level"] == pytest.approx(1.0, abs=0.8)
    assert model.variances_["irregular"] == pytest.approx(4.0, abs=1.2)
    q, r = model.variances_["level"], model.variances_["irregular"]
    best = model.log_likelihood_
    for change in ({"level": 1.2 * q}, {"level": q / 1.2}, {"irregular": 1.1 * r}):
        other = StructuralTimeSeries().fit([LEVEL])
        other.variances_ = {**model.variances_, **change}
        assert other.log_prob([LEVEL])[0] < best
    assert model.score([LEVEL]) == pytest.approx(best / 200)


def test_diffuse_likelihood_written_out():
    """The joint law of the steps of y, which no longer know the level."""
    y = LEVEL[:8]
    model = StructuralTimeSeries().fit([LEVEL])
    q, r = model.variances_["level"], model.variances_["irregular"]
    D = np.diff(np.eye(8), axis=0)
    cov = q * np.eye(7) + r * D @ D.T
    steps = D @ y
    true = -0.5 * (steps @ np.linalg.solve(cov, steps) + np.linalg.slogdet(2 * np.pi * cov)[1])
    assert model.log_prob([y])[0] == pytest.approx(true - 0.5 * np.log(2 * np.pi), rel=1e-9)


def test_forecast_of_the_local_level():
    """Flat mean, and a variance that grows by that of the level a step."""
    model = StructuralTimeSeries().fit([LEVEL])
    ahead = model.forecast(5)
    assert isinstance(ahead, Normal)
    np.testing.assert_allclose(ahead.mean, ahead.mean[0])
    np.testing.assert_allclose(np.diff(ahead.var), model.variances_["level"], rtol=1e-8)
    low, high = ahead.interval(0.8)
    assert (high - low > 0).all()


def test_line_and_seasons_are_found():
    t = np.arange(48.0)
    season = np.tile([3.0, -1.0, -2.0, 0.0], 12)
    y = 2.0 + 0.5 * t + season + 0.01 * RNG.normal(size=48)
    y[[7, 20]] = np.nan
    model = StructuralTimeSeries(trend=True, seasonal=4).fit([y])
    ahead = model.forecast(8)
    future = np.arange(48, 56.0)
    np.testing.assert_allclose(
        ahead.mean, 2.0 + 0.5 * future + np.tile([3.0, -1.0, -2.0, 0.0], 2), atol=0.15
    )
    np.testing.assert_allclose(model.query(y, "seasonal").mean, season, atol=0.1)
    np.testing.assert_allclose(model.query(y, "trend").mean, 0.5, atol=0.1)
    np.testing.assert_allclose(model.query(y, "level").mean, 2 + 0.5 * t, atol=0.15)
    assert np.isfinite(model.query(y, "signal").mean).all()
    with pytest.raises(ValueError, match="component must be one of trend, seasonal, signal"):
        model.query(y, "weekday")


def test_regression_on_a_level_that_stays_is_least_squares():
    rng = np.random.default_rng(2)
    u = rng.normal(size=(60, 2))
    y = 1.0 + u @ [2.0, -3.0] + 0.3 * rng.normal(size=60)
    model = StructuralTimeSeries(level=False).fit([y], inputs=[u])
    Z = np.column_stack([np.ones(60), u])
    best = np.linalg.lstsq(Z, y)[0]
    np.testing.assert_allclose(model.last_mean_, best, atol=1e-6)
    rest = y - Z @ best
    assert model.variances_["irregular"] == pytest.approx(rest @ rest / 57, rel=1e-4)
    ahead = model.forecast(1, future_inputs=np.array([[1.0, 1.0]]))
    assert float(ahead.mean[0]) == pytest.approx(best.sum(), abs=1e-6)
    with pytest.raises(ValueError, match="inputs must be given, 2 numbers per row"):
        model.forecast(1)


def test_several_sequences_share_variances():
    parts = [LEVEL[:90], LEVEL[90:] + 50.0]
    model = StructuralTimeSeries().fit(parts)
    assert model.log_likelihood_ == pytest.approx(model.log_prob(parts).sum())
    assert cross_val_score(StructuralTimeSeries(tol=1e-3), parts, cv=2).shape == (2,)


def test_scales():
    for scale in (1e-8, 1e8):
        model = StructuralTimeSeries().fit([LEVEL * scale])
        same = StructuralTimeSeries().fit([LEVEL])
        ratio = model.variances_["level"] / same.variances_["level"]
        assert ratio == pytest.approx(scale**2, rel=1e-3)


@pytest.mark.parametrize(
    ("options", "X", "message"),
    [
        ({"seasonal": 1}, LEVEL, "seasonal must be None or an integer of at least 2, got 1"),
        ({"trend": 1}, LEVEL, "trend must be True or False"),
        ({}, np.array([1.0]), "X must be observed more often than there are 1 states"),
        ({}, np.full(9, np.nan), "X must be observed more often"),
        ({}, np.zeros((5, 2)), "X must be of 1 numbers per row, got 2"),
    ],
)
def test_refusals(options, X, message):
    with pytest.raises(ValueError, match=f"StructuralTimeSeries: {message}"):
        StructuralTimeSeries(**options).fit([X])


def test_constant_series():
    model = StructuralTimeSeries().fit([np.full(20, 3.0)])
    assert np.isfinite(model.log_likelihood_)
    np.testing.assert_allclose(model.forecast(2).mean, 3.0)
