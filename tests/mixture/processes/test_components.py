"""Predictive densities of partitions."""

import numpy as np
from numpy.testing import assert_allclose

from margin.distributions import GammaPoisson, NormalMean
from margin.mixture.processes._bases import base_of
from margin.mixture.processes._components import components_of, log_density, sampled


def test_density_written_out():
    """Shares of the components, and of a new one, times their normal densities."""
    X, prior = np.array([[0.0], [1.0], [9.0]]), NormalMean(0.0, 3.0, 1.0)
    base = base_of("Test", prior, X)
    at = components_of(base, X, np.array([0, 0, 1]), 0.5)
    q = np.array([[0.5], [4.0]])
    parts = [
        (2 / 3.5, prior.posterior(X[:2, 0])),
        (1 / 3.5, prior.posterior(X[2:, 0])),
        (0.5 / 3.5, prior),
    ]
    truth = sum(w * np.exp(b.predictive().log_prob(q[:, 0])) for w, b in parts)
    assert_allclose(np.exp(log_density(base, (at,), q)), truth)
    assert_allclose(np.exp(log_density(base, (at, at), q)), truth)


def test_density_of_counts_sums_to_one_and_samples_follow_it():
    X = np.array([[0.0], [1.0], [7.0], [9.0]])
    base = base_of("Test", GammaPoisson(1.0, 0.5), X)
    draws = (
        components_of(base, X, np.array([0, 0, 1, 1]), 1.0),
        components_of(base, X, np.array([0, 0, 0, 0]), 1.0),
    )
    grid = np.arange(200.0)[:, None]
    law = np.exp(log_density(base, draws, grid))
    assert_allclose(law.sum(), 1.0, atol=1e-6)
    rows, labels = sampled(base, draws, X[:0], 20_000, np.random.default_rng(0))
    assert rows.shape == (20_000, 1)
    assert set(labels) == {-1, 0, 1}
    assert abs(rows.mean() - (law @ grid[:, 0])) < 0.15
