"""Predictions that are distributions are proper ones."""

from typing import Any

import numpy as np

from margin.testing._samples import fitted, sample_for


def check_predict_dist(name: str, estimator: Any) -> None:
    """Mean, variance, quantiles, densities and samples of ``predict_dist`` belong together."""
    X, y, _ = sample_for(estimator)
    model = fitted(estimator, X, y)
    forecast = model.predict_dist(X)
    mean, var = np.asarray(forecast.mean), np.asarray(forecast.var)
    assert mean.shape == var.shape == (len(X),), f"{name}: one mean and variance per row"
    np.testing.assert_allclose(mean, model.predict(X), rtol=1e-6, err_msg=f"{name}: mean")
    assert (var > 0).all(), f"{name}: variances must be above 0"
    spread = np.sqrt(var)
    for share in (0.05, 0.5, 0.9):
        # The first value that reaches the share; just below it the share is not reached.
        value = forecast.quantile(share)
        assert (forecast.cdf(value) >= share * (1 - 1e-6)).all(), f"{name}: quantiles are too low"
        below = forecast.cdf(value - 1e-6 * spread)
        assert (below <= share * (1 + 1e-6)).all(), f"{name}: quantiles are too high"
    low, high = forecast.quantile(0.05), forecast.quantile(0.95)
    inside = np.mean((y >= low) & (y <= high))
    assert inside > 0.6, f"{name}: 90 % intervals hold {inside:.0%} of the training targets"
    draws = forecast.sample(4000, np.random.default_rng(0))
    assert draws.shape == (4000, len(X)), f"{name}: samples have shape {draws.shape}"
    assert (np.abs(draws.mean(axis=0) - mean) < 6 * spread / np.sqrt(4000)).all(), f"{name}"
    np.testing.assert_allclose(draws.var(axis=0), var, rtol=0.2)
