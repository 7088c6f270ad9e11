"""Forecasts and draws against the joint law."""

import numpy as np
import pytest
from joint_gaussian import given, joint
from systems import random_system

from margin.inference.filters._forecast import forecast, forecast_paths, simulate
from margin.inference.filters._kalman import kalman_filter


def test_forecast_is_the_law_of_unobserved_rows():
    rng = np.random.default_rng(0)
    system = random_system(rng, 2, 2)
    Y = rng.normal(size=(4, 2))
    known = kalman_filter(system, Y)
    found = forecast(system, known.mean[-1], known.cov[-1], 3)
    mean, cov, _ = given(system, np.vstack([Y, np.full((3, 2), np.nan)]))
    np.testing.assert_allclose(found.state_mean.ravel(), mean[8:], atol=1e-9)
    last = cov[12:, 12:]
    np.testing.assert_allclose(found.cov[-1], system.C @ last @ system.C.T + system.R, atol=1e-9)
    with pytest.raises(ValueError, match="h must be an integer of at least 1"):
        forecast(system, known.mean[-1], known.cov[-1], 0)


def test_draws_have_the_moments_of_the_joint_law():
    rng = np.random.default_rng(1)
    system = random_system(rng, 1, 2)
    draws = np.array([simulate(system, 3, rng)[1].ravel() for _ in range(4000)])
    mean, cov = joint(system, 3)
    error = np.sqrt(np.diagonal(cov)[3:] / 4000)
    assert (np.abs(draws.mean(axis=0) - mean[3:]) < 5 * error).all()
    np.testing.assert_allclose(np.cov(draws.T), cov[3:, 3:], atol=0.12 * np.abs(cov).max())


def test_paths_of_one_system_are_its_forecast():
    rng = np.random.default_rng(2)
    system = random_system(rng, 2, 1)
    one = forecast(system, np.ones(2), np.eye(2), 4)
    A, b, Q = (np.tile(p, (3, 4, *[1] * p.ndim)) for p in (system.A, system.b, system.Q))
    means, covs = forecast_paths(A, b, Q, np.ones(2), np.eye(2))
    np.testing.assert_allclose(means[1], one.state_mean, atol=1e-12)
    np.testing.assert_allclose(covs[2], one.state_cov, atol=1e-12)
