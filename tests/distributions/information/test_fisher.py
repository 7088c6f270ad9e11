"""Fisher information and the Cramér–Rao bound (distributions.39)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import polygamma

from margin.distributions import (
    Bernoulli,
    Gamma,
    MultivariateNormal,
    Normal,
    Poisson,
    cramer_rao,
    fisher_information,
)
from margin.distributions.information._fisher import curvatures, scores


@pytest.mark.parametrize("form", ["score", "curvature"])
def test_closed_forms(form):
    """distributions.39: normal, Bernoulli, Poisson and gamma, by both forms."""
    normal = fisher_information(lambda t: Normal(t[0], t[1]), [1.0, 2.0], form=form)
    assert_allclose(normal, [[0.25, 0.0], [0.0, 0.5]], atol=1e-5)
    trial = fisher_information(lambda t: Bernoulli(t[0]), [0.3], form=form, support=[0.0, 1.0])
    assert_allclose(trial, [[1 / 0.21]], rtol=1e-5)
    counts = np.arange(60.0)
    rate = fisher_information(lambda t: Poisson(t[0]), [4.0], form=form, support=counts)
    assert_allclose(rate, [[0.25]], rtol=1e-5)
    gamma = fisher_information(lambda t: Gamma(t[0], t[1]), [3.0, 2.0], form=form)
    assert_allclose(gamma, [[polygamma(1, 3.0), -0.5], [-0.5, 0.75]], rtol=1e-4)


def test_vectors_by_simulation():
    """distributions.39: the information about a mean is the precision."""
    covariance = np.array([[2.0, 0.5], [0.5, 1.0]])
    found = fisher_information(lambda t: MultivariateNormal(t, covariance), [0.0, 1.0], n=20_000)
    assert_allclose(found, np.linalg.inv(covariance), atol=0.05)


def test_bounds():
    """distributions.39: 1/n for a normal mean, p(1-p)/n for a share."""
    one = fisher_information(lambda t: Normal(t[0], 1.0), [0.3])
    assert_allclose(cramer_rao(one, 20), [[1 / 20]], rtol=1e-6)
    share = fisher_information(lambda t: Bernoulli(t[0]), [0.3], support=[0.0, 1.0])
    assert_allclose(cramer_rao(share, 50), [[0.21 / 50]], rtol=1e-6)


def test_derivatives_against_the_formulas():
    x = np.array([0.5, 3.0])
    slopes = scores(lambda t: Normal(t[0], t[1]), [1.0, 2.0], x)
    z = (x - 1.0) / 2.0
    assert_allclose(slopes, np.column_stack([z / 2, (z**2 - 1) / 2]), atol=1e-9)
    bends = curvatures(lambda t: Normal(t[0], t[1]), [1.0, 2.0], x)
    assert_allclose(bends[:, 0, 0], -0.25, rtol=1e-6)
    assert_allclose(bends[:, 0, 1], -2 * z / 4, atol=1e-6)
    assert_allclose(bends[:, 1, 1], (1 - 3 * z**2) / 4, atol=1e-6)


def test_refusals():
    with pytest.raises(ValueError, match="form must be one of"):
        fisher_information(lambda t: Normal(t[0], 1.0), [0.0], form="hat")
    with pytest.raises(ValueError, match="n must be an integer of at least 1"):
        cramer_rao([[1.0]], 0)
