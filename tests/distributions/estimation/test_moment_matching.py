"""Moment matching (distributions.29)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import (
    Bernoulli,
    Beta,
    Exponential,
    Gamma,
    InverseGamma,
    Laplace,
    NegativeBinomial,
    Normal,
    Poisson,
    StudentT,
    Uniform,
    fit_moments,
    match_moments,
)

BOTH = [
    (Normal, -1.0, 4.0),
    (Laplace, -1.0, 4.0),
    (Uniform, -1.0, 4.0),
    (Gamma, 2.0, 0.5),
    (InverseGamma, 2.0, 0.5),
    (Beta, 0.3, 0.05),
    (NegativeBinomial, 2.0, 5.0),
]


@pytest.mark.parametrize(("family", "mean", "var"), BOTH)
def test_mean_and_variance_are_matched(family, mean, var):
    """distributions.29: also in arrays."""
    one = match_moments(family, mean, var)
    assert_allclose([one.mean, one.var], [mean, var])
    assert match_moments(family, [mean, mean], var * np.ones(2)).shape == (2,)


def test_by_the_mean_alone_and_from_data():
    """distributions.29."""
    for family in (Exponential, Poisson, Bernoulli):
        assert_allclose(match_moments(family, 0.7).mean, 0.7)
    x = np.random.default_rng(0).gamma(3.0, 2.0, size=500)
    fit = fit_moments(Gamma, x)
    assert_allclose([fit.mean, fit.var], [x.mean(), x.var()])
    assert_allclose(fit.concentration, Gamma.fit(x).concentration, rtol=0.2)
    assert_allclose(fit_moments(Normal, x).std, Normal.fit(x).std)


def test_refusals():
    with pytest.raises(ValueError, match="moments of Beta must be var below mean"):
        match_moments(Beta, 0.5, 0.3)
    with pytest.raises(ValueError, match="moments of NegativeBinomial must be var above the mean"):
        match_moments(NegativeBinomial, 2.0, 1.0)
    with pytest.raises(ValueError, match="match_moments: family must be one of"):
        match_moments(StudentT, 0.0, 1.0)
