"""Beliefs about weights."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture.finite._variational_weights import WeightBelief

TOTAL = np.array([5.0, 2.0, 0.5])


@pytest.mark.parametrize("sticks", [False, True])
def test_expectations_against_draws(sticks):
    """inference.31."""
    belief = WeightBelief.posterior(TOTAL, 0.7, sticks=sticks)
    rng = np.random.default_rng(0)
    if sticks:
        v = rng.beta(belief.first, belief.second, size=(200_000, 3))
        left = np.cumprod(1 - v, axis=1)
        draws = v * np.column_stack([np.ones(len(v)), left[:, :-1]])
        assert_allclose(belief.second, [0.7 + 2.5, 0.7 + 0.5, 0.7])
    else:
        draws = rng.dirichlet(belief.first, size=200_000)
    mean = draws.mean(axis=0)
    assert_allclose(belief.mean, mean / mean.sum(), atol=3e-3)
    assert_allclose(belief.expected_log, np.log(np.maximum(draws, 1e-300)).mean(axis=0), rtol=0.05)


@pytest.mark.parametrize("sticks", [False, True])
def test_no_price_without_data(sticks):
    flat = WeightBelief.posterior(np.zeros(3), 0.7, sticks=sticks)
    assert_allclose(flat.price(0.7), 0, atol=1e-12)
    assert WeightBelief.posterior(TOTAL, 0.7, sticks=sticks).price(0.7) > 0
