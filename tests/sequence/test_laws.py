"""Moments as distributions."""

import numpy as np

from margin.distributions import MultivariateNormal, Normal
from margin.sequence._laws import normal_law


def test_numbers_and_vectors():
    one = normal_law(np.zeros((3, 1)), np.full((3, 1, 1), 4.0))
    assert isinstance(one, Normal)
    np.testing.assert_allclose(one.std, 2.0)
    cov = np.array([[[2.0, 1.0], [1.0, 3.0]]])
    two = normal_law(np.zeros((1, 2)), cov)
    assert isinstance(two, MultivariateNormal)
    np.testing.assert_allclose(two.var, [[2.0, 3.0]])


def test_certainty_keeps_a_density():
    law = normal_law(np.zeros((1, 2)), np.array([[[1.0, 1.0], [1.0, 1.0]]]))
    assert np.isfinite(law.log_prob([[0.0, 0.0]])).all()
