"""Most probable against most likely (distributions.26, distributions.28)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import (
    Bernoulli,
    BetaBernoulli,
    DeltaPosterior,
    Normal,
    NormalInverseGamma,
    map_ml_gap,
)


def test_gap_falls_like_one_over_n():
    """distributions.26: n times the gap tends to a constant; a flat prior has none."""
    tosses = np.tile([1.0, 0.0, 1.0, 1.0], 256)
    report = map_ml_gap(Bernoulli, BetaBernoulli(3.0, 3.0), tosses)
    assert_allclose((report.n * report.gap)[-2:], [1.0, 1.0], rtol=0.02)
    flat = map_ml_gap(Bernoulli, BetaBernoulli(1.0, 1.0), tosses)
    assert_allclose(flat.gap, 0.0, atol=1e-15)
    assert_allclose(report.likely_mean[0], 0.75)


def test_delta_posterior_is_too_sure():
    """distributions.28: its prediction is the most probable member, narrower than the full one."""
    x = np.array([1.0, 2.0, 4.0])
    prior = NormalInverseGamma(0.0, 1.0, 2.0, 1.0)
    crude = DeltaPosterior.of(Normal, prior, x)
    full = prior.posterior(x).predictive()
    assert_allclose(crude.predictive().mean, Normal.fit(x, prior).mean)
    assert crude.predictive().var < full.var
    assert_allclose(crude.log_prob_rows(x), Normal.fit(x, prior).log_prob(x))
    many = Normal(1.0, 2.0).sample(5000, 0)
    crude, full = DeltaPosterior.of(Normal, prior, many), prior.posterior(many).predictive()
    assert_allclose(crude.predictive().var, full.var, rtol=1e-2)


def test_refusals():
    with pytest.raises(ValueError, match="map_ml_gap: sizes must be from 1 to 3"):
        map_ml_gap(Bernoulli, BetaBernoulli(1.0, 1.0), [1, 0, 1], [5])
