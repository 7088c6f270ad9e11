"""Special functions (distributions.13)."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.integrate import quad

from margin.distributions import log_bessel_k, log_beta, log_gamma, log_multivariate_beta


def test_against_their_integrals():
    """distributions.13: gamma, beta and Bessel K as integrals."""
    for x in (0.7, 3.0, 6.5):
        integral = quad(lambda t, x=x: t ** (x - 1) * np.exp(-t), 0, np.inf)[0]
        assert_allclose(np.exp(log_gamma(x)), integral, rtol=1e-7)
    area = quad(lambda t: t * (1 - t) ** 2, 0, 1)[0]
    assert_allclose(np.exp(log_beta(2.0, 3.0)), area)
    assert_allclose(area, 1 / 12)
    for order, x in ((0.5, 1.0), (1.5, 0.3), (2.2, 4.0)):
        integral = quad(lambda t, v=order, x=x: np.exp(-x * np.cosh(t)) * np.cosh(v * t), 0, 20)[0]
        assert_allclose(np.exp(log_bessel_k(order, x)), integral, rtol=1e-7)


def test_multivariate_beta():
    """distributions.13, distributions.11: 1/B = 120 and 212520; two arguments are the beta."""
    constants = np.exp(-log_multivariate_beta([[2.0, 2.0, 2.0], [20.0, 2.0, 2.0]]))
    assert_allclose(constants, [120.0, 212520.0])
    assert_allclose(log_multivariate_beta([2.0, 3.0]), log_beta(2.0, 3.0))
    assert np.isfinite(log_bessel_k(0.5, 1e6))
