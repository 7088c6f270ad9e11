"""The inverse-Wishart distribution."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import InverseGamma, InverseWishart, monte_carlo_kl

PSI = np.array([[2.0, 0.5], [0.5, 1.0]])


def test_against_scipy():
    ours, theirs = InverseWishart(7.5, PSI), stats.invwishart(7.5, PSI)
    x = ours.sample(5, 0)
    assert_allclose(ours.log_prob(x), [theirs.logpdf(w) for w in x])
    assert_allclose(ours.mean, theirs.mean())
    assert_allclose(ours.var, theirs.var())
    assert_allclose(ours.mode, theirs.mode())
    draws = ours.sample(20_000, 1)
    assert_allclose(draws.mean(axis=0), ours.mean, atol=0.03)
    # SciPy's entropy of this law is off by a constant: the mean of -log p decides.
    assert_allclose(ours.entropy, -ours.log_prob(draws).mean(), atol=0.05)


def test_one_row_is_an_inverse_gamma():
    """distributions.12."""
    line = InverseWishart(5.0, [[2.0]])
    assert_allclose(line.log_prob([[3.0]]), InverseGamma(2.5, 1.0).log_prob(3.0))
    assert_allclose(line.entropy, InverseGamma(2.5, 1.0).entropy)


def test_blocks_by_simulation():
    """A block has fewer degrees of freedom: its mean and variance are those of the draws."""
    big = InverseWishart(9.0, np.diag([1.0, 2.0, 3.0]) + 0.3)
    part = big.marginal([0, 2])
    assert part.df == 8.0
    draws = big.sample(20_000, 0)[:, [0, 2]][:, :, [0, 2]]
    assert_allclose(draws.mean(axis=0), part.mean, atol=0.02)
    assert_allclose(part.mean, big.mean[np.ix_([0, 2], [0, 2])])


def test_divergence_and_refusals():
    """distributions.21."""
    p, q = InverseWishart(7.0, PSI), InverseWishart(5.0, np.eye(2))
    estimate = monte_carlo_kl(p, q, 4000, 0)
    assert abs(p.kl(q) - estimate.value) < 4 * estimate.standard_error
    with pytest.raises(ValueError, match="InverseWishart: df must be above 3 for a mean"):
        _ = InverseWishart(2.5, PSI).mean
    assert p.log_prob(-np.eye(2)) == -np.inf
