"""The Dirichlet-multinomial distribution."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import BetaBinomial, DirichletMultinomial


def test_against_scipy():
    alpha = np.array([0.5, 2.0, 3.0])
    ours, theirs = DirichletMultinomial(5, alpha), stats.dirichlet_multinomial(alpha, 5)
    x = np.array([[5, 0, 0], [1, 2, 2], [0, 3, 2]])
    assert_allclose(ours.log_prob(x), theirs.logpmf(x))
    assert_allclose(ours.mean, theirs.mean())
    assert_allclose(ours.var, theirs.var())
    draws = ours.sample(40_000, 0)
    assert_allclose(draws.mean(axis=0), ours.mean, rtol=0.05)
    assert_allclose(draws.var(axis=0), ours.var, rtol=0.05)


def test_gaps_become_one_state():
    ours = DirichletMultinomial(5, [0.5, 2.0, 3.0])
    pair = BetaBinomial(5, 0.5, 5.0)
    assert_allclose(ours.log_prob([2, np.nan, np.nan]), pair.log_prob(2))
    assert_allclose(ours.log_prob([np.nan] * 3), 0.0, atol=1e-12)
    assert ours.log_prob([1, 1, 1]) == -np.inf
    with pytest.raises(ValueError, match="DirichletMultinomial: n must be a count"):
        DirichletMultinomial(-1, [1.0])
