"""The shape of a gamma distribution by Newton's steps."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.special import digamma

from margin.distributions.continuous._gamma_shape import gamma_shape


def test_root_over_many_orders_of_magnitude():
    alpha = np.array([1e-3, 0.05, 0.5, 3.0, 50.0, 1e4])
    assert_allclose(gamma_shape(np.log(alpha) - digamma(alpha)), alpha, rtol=1e-9)
