"""Normal vectors of independent coordinates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import MultivariateNormal
from margin.testing import DistributionContract


class TestContract(DistributionContract):
    """distributions.07: diagonal covariances, single and in arrays."""

    def make(self):
        return [
            MultivariateNormal([0.0, 1.0], variance=[2.0, 0.5]),
            MultivariateNormal([[0.0, 1.0], [3.0, 4.0]], variance=[[2.0, 0.5], [0.1, 1.0]]),
        ]


def test_equals_the_dense_covariance():
    mean, variance = np.array([[0.0, 1.0, 2.0], [5.0, 4.0, 3.0]]), np.array([2.0, 0.5, 9.0])
    flat = MultivariateNormal(mean, variance=variance)
    full = MultivariateNormal(mean, np.diag(variance))
    x = full.sample(6, 0)
    x[0, :, 1] = np.nan
    assert_allclose(flat.log_prob(x), full.log_prob(x))
    assert_allclose(flat.log_prob_rows(x[:, 0]), full.log_prob_rows(x[:, 0]))
    assert_allclose(flat.entropy, full.entropy)
    assert_allclose(flat.precision, full.precision)
    target = MultivariateNormal([1.0, 1.0, 1.0], np.eye(3) + 0.3)
    assert_allclose(flat.kl(target), full.kl(target))
    assert_allclose(target.kl(flat), target.kl(full))
    assert_allclose(flat.kl(flat[1]), full.kl(full[1]), atol=1e-12)
    assert_allclose(flat.condition([0], [1.0]).covariance, full.condition([0], [1.0]).covariance)


def test_refusals():
    with pytest.raises(ValueError, match="variance must be of shape"):
        MultivariateNormal([0.0, 1.0], variance=[1.0])
    with pytest.raises(ValueError, match="variance must be above 0"):
        MultivariateNormal([0.0], variance=[0.0])
    with pytest.raises(ValueError, match="exactly one of covariance"):
        MultivariateNormal([0.0], [[1.0]], variance=[1.0])
