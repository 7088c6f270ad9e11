"""The Wishart distribution."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Gamma, Wishart, monte_carlo_kl

V = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 0.7]])


def test_against_scipy():
    ours, theirs = Wishart(5.5, V), stats.wishart(5.5, V)
    x = ours.sample(5, 0)
    assert_allclose(ours.log_prob(x), [theirs.logpdf(w) for w in x])
    assert_allclose(ours.mean, theirs.mean())
    assert_allclose(ours.var, theirs.var())
    assert_allclose(ours.mode, theirs.mode())
    assert_allclose(ours.entropy, theirs.entropy())


def test_draws_and_expected_log_det():
    ours = Wishart(5.5, V)
    draws = ours.sample(20_000, 1)
    assert_allclose(draws.mean(axis=0), ours.mean, atol=0.15)
    assert_allclose(draws.var(axis=0), ours.var, rtol=0.1, atol=0.2)
    assert_allclose(np.linalg.slogdet(draws)[1].mean(), ours.expected_log_det, atol=0.03)


def test_one_row_is_a_gamma():
    line = Wishart(5.0, [[2.0]])
    assert_allclose(line.log_prob([[3.0]]), Gamma(2.5, 0.25).log_prob(3.0))
    assert_allclose(line.kl(Wishart(3.0, [[1.0]])), Gamma(2.5, 0.25).kl(Gamma(1.5, 0.5)))
    assert_allclose(line.entropy, Gamma(2.5, 0.25).entropy)


def test_divergence_by_simulation():
    """distributions.21."""
    p, q = Wishart(6.0, V), Wishart(8.0, np.eye(3))
    estimate = monte_carlo_kl(p, q, 4000, 0)
    assert abs(p.kl(q) - estimate.value) < 4 * estimate.standard_error
    assert_allclose(p.kl(p), 0.0, atol=1e-12)


def test_blocks_and_refusals():
    part = Wishart(5.5, V).marginal([2, 0])
    assert_allclose(part.scale, V[np.ix_([2, 0], [2, 0])])
    assert Wishart(5.5, V).log_prob(-np.eye(3)) == -np.inf
    with pytest.raises(ValueError, match="Wishart: df must be a number above 2"):
        Wishart(2.0, V)
    with pytest.raises(ValueError, match="Wishart: df must be at least 4 for a mode"):
        _ = Wishart(2.5, V).mode
