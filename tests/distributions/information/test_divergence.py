import numpy as np
import pytest
from scipy.integrate import quad

from margin.distributions import MultivariateNormal, Normal, StudentT, monte_carlo_kl


def test_simulation_agrees_with_the_closed_forms():
    """distributions.21: within four standard errors, one dimension, arrays and vectors."""
    rng = np.random.default_rng(0)
    p, q = Normal([0.0, 1.0], [1.0, 2.0]), Normal([0.5, 0.0], [2.0, 1.5])
    found = monte_carlo_kl(p, q, 20_000, rng)
    assert np.all(np.abs(found.value - p.kl(q)) < 4 * found.standard_error)
    a = MultivariateNormal([0.0, 0.0], [[1.0, 0.5], [0.5, 1.0]])
    b = MultivariateNormal([0.3, 0.0], np.eye(2))
    found = monte_carlo_kl(a, b, 20_000, rng)
    assert abs(found.value - a.kl(b)) < 4 * found.standard_error


def test_families_without_a_closed_form():
    """distributions.21: normal to Student's t, against quadrature; both directions differ."""
    p, q = Normal(0.0, 1.0), StudentT(3.0)

    def integrand(x):
        return float(np.exp(p.log_prob(x)) * (p.log_prob(x) - q.log_prob(x)))

    exact = quad(integrand, -30, 30, points=[0])[0]
    found = monte_carlo_kl(p, q, 50_000, np.random.default_rng(1))
    assert abs(found.value - exact) < 4 * found.standard_error
    back = monte_carlo_kl(q, p, 50_000, np.random.default_rng(1))
    assert back.value > 3 * exact


def test_identical_distributions_are_exactly_zero_apart():
    found = monte_carlo_kl(Normal(), Normal(), 10, np.random.default_rng(0))
    assert (float(found.value), float(found.standard_error)) == (0.0, 0.0)


def test_draws_without_probability_make_it_infinite():
    far = monte_carlo_kl(Normal(0.0, 1e200), Normal(), 10, np.random.default_rng(0))
    assert far.value == np.inf


def test_too_few_draws_are_refused():
    with pytest.raises(
        ValueError, match="monte_carlo_kl: n must be an integer of at least 2, got 1"
    ):
        monte_carlo_kl(Normal(), Normal(), 1, np.random.default_rng(0))
