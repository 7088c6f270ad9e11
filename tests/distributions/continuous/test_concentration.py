"""Concentrations of proportions by maximum likelihood."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.special import digamma

from margin.distributions.continuous._concentration import concentrations, inverse_digamma


def test_inverse_digamma():
    x = np.geomspace(1e-4, 1e6, 60)
    assert_allclose(inverse_digamma(digamma(x)), x, rtol=1e-9)


def test_roots_for_many_concentrations():
    """distributions.23: sparse, flat and sharp, all at once."""
    rng = np.random.default_rng(0)
    alpha = np.exp(rng.uniform(np.log(0.02), np.log(500.0), size=(200, 4)))
    means = digamma(alpha) - digamma(alpha.sum(axis=-1, keepdims=True))
    assert_allclose(concentrations(means), alpha, rtol=1e-6)
