"""Quality of estimators by simulation (distributions.38)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Bernoulli, Normal, estimator_quality


def test_bias_of_the_variance():
    """distributions.38, distributions.17: -1/n with divisor n, none with n - 1."""
    law = Normal(0.0, 1.0)
    biased = estimator_quality(np.var, law, 1.0, sizes=[5, 20, 80], repeats=4000)
    assert np.all(np.abs(biased.bias + 1 / biased.n) < 4 * biased.bias_error)
    assert not biased.is_unbiased
    assert biased.is_consistent
    fair = estimator_quality(lambda x: x.var(ddof=1), law, 1.0, sizes=[5, 20, 80])
    assert fair.is_unbiased


def test_efficiency():
    """distributions.38, distributions.39: the mean attains the bound, the median 2/pi of it."""
    law = Normal(0.0, 1.0)
    mean = estimator_quality(np.mean, law, 0.0, sizes=[101], repeats=4000, information=1.0)
    median = estimator_quality(np.median, law, 0.0, sizes=[101], repeats=4000, information=1.0)
    assert_allclose(mean.efficiency, 1.0, atol=0.1)
    assert_allclose(median.efficiency, 2 / np.pi, atol=0.08)
    share = estimator_quality(
        np.mean, Bernoulli(0.3), 0.3, sizes=[50], repeats=4000, information=1 / 0.21
    )
    assert_allclose(share.efficiency, 1.0, atol=0.1)


def test_an_estimator_that_never_learns():
    """distributions.38: the first observation is unbiased and not consistent."""
    first = estimator_quality(lambda x: x[0], Normal(2.0, 1.0), 2.0)
    assert first.is_unbiased
    assert not first.is_consistent
    with pytest.raises(ValueError, match="repeats and sizes must be at least 2 and 1"):
        estimator_quality(np.mean, Normal(), 0.0, repeats=1)
