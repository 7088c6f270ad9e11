"""Mixtures of normal distributions, row by row."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import MixtureDistribution, Normal
from margin.mixture import PredictedMixture

WEIGHTS = np.array([[0.3, 0.7], [1.0, 0.0]])
ROWS = PredictedMixture(WEIGHTS, Normal([[0.0, 4.0], [1.0, 9.0]], [[1.0, 2.0], [0.5, 1.0]]))


def test_every_row_is_a_mixture_distribution():
    for i in range(2):
        one = MixtureDistribution(WEIGHTS[i], ROWS.components[i])
        assert_allclose(ROWS.mean[i], one.mean)
        assert_allclose(ROWS.var[i], one.var)
        at = np.array([[-1.0], [2.5]])
        assert_allclose(ROWS.log_prob(at)[:, i], one.log_prob(at[:, 0]))
        assert_allclose(ROWS.cdf(at)[:, i], one.cdf(at[:, 0]))
        assert_allclose(ROWS.quantile([0.1, 0.5])[:, i], one.quantile([0.1, 0.5]), atol=1e-9)


def test_draws_and_members():
    draws = ROWS.sample(20_000, 0)
    assert draws.shape == (20_000, 2)
    assert_allclose(draws.mean(axis=0), ROWS.mean, atol=0.06)
    assert_allclose(draws.var(axis=0), ROWS.var, rtol=0.05)
    assert_allclose(ROWS[1:].mean, ROWS.mean[1:])
    assert len(ROWS) == 2


def test_shapes_must_agree():
    with pytest.raises(ValueError, match="PredictedMixture: weights must be of shape"):
        PredictedMixture(np.ones((1, 3)), Normal([[0.0, 1.0]], 1.0))
