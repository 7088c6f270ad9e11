"""Divergence and entropy of any distributions (distributions.20, distributions.21)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import (
    Gamma,
    Laplace,
    MixtureDistribution,
    Normal,
    kl_divergence,
    monte_carlo_entropy,
)


def test_worked_numbers():
    """distributions.21: 0.5 and 0.8068528, exactly; never negative."""
    exact = kl_divergence(Normal(1.0, 1.0), Normal(0.0, 1.0))
    assert_allclose([exact.value, exact.standard_error], [0.5, 0.0])
    wide = kl_divergence(Normal(0.0, 2.0), Normal(0.0, 1.0))
    assert_allclose(wide.value, 0.8068528, rtol=1e-6)


def test_other_pairs_by_simulation():
    """distributions.21: a Laplace from a normal, against quadrature."""
    p, q = Laplace(0.0, 1.0), Normal(0.5, 2.0)
    x = np.linspace(-60, 60, 400_001)
    wanted = np.trapezoid(np.exp(p.log_prob(x)) * (p.log_prob(x) - q.log_prob(x)), x)
    estimate = kl_divergence(p, q, n=50_000)
    assert abs(estimate.value - wanted) < 4 * estimate.standard_error
    assert kl_divergence(Normal(), Gamma(1.0), n=100).value == np.inf


def test_entropy_of_a_mixture():
    """distributions.20: components far apart add the entropy of the choice."""
    mix = MixtureDistribution([0.5, 0.5], Normal([-50.0, 50.0], 1.0))
    estimate = monte_carlo_entropy(mix, 50_000, 0)
    wanted = Normal().entropy + np.log(2.0)
    assert abs(estimate.value - wanted) < 4 * estimate.standard_error
    with pytest.raises(ValueError, match="n must be an integer of at least 2"):
        monte_carlo_entropy(mix, 1, 0)
