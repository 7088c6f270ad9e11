"""The E step of Gaussian mixtures."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Moments
from margin.inference import Drawn, Hard, Soft, Tempered, Truncated
from margin.mixture.finite._gaussian_expectation import (
    completed_columns,
    diagonal,
    expected_statistics,
    log_densities,
    observed_columns,
)
from margin.mixture.finite._gaussians import Gaussians
from margin.mixture.finite._row_groups import row_groups

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
GAPS = np.where(RNG.random(X.shape) < 0.3, np.nan, X)
GAPS[0] = np.nan
ROOT = np.tril(RNG.normal(size=(2, 3, 3))) + 2 * np.eye(3)
AT = Gaussians.of(
    np.array([0.3, 0.7]), RNG.normal(size=(2, 3)), ROOT @ np.swapaxes(ROOT, 1, 2), "full"
)[0]
DIAG = Gaussians.of(AT.weights, AT.means, RNG.random((2, 3)) + 0.5, "diag")[0]


def brute(at, rows, rule, damping=0.0):
    """Row by row: conditional means and covariances of the gaps, in plain NumPy."""
    joint = log_densities(at, rows) + np.log(at.weights) - 0.5 * damping * at.traces
    share, bounds = rule(joint)
    k, d = at.means.shape
    first, second = np.zeros((k, d)), np.zeros((k, d, d))
    for i, row in enumerate(rows):
        o, m = np.flatnonzero(~np.isnan(row)), np.flatnonzero(np.isnan(row))
        for j in range(k):
            S, mean = at.matrices[j], at.means[j]
            filled, spread = row.copy(), np.zeros((d, d))
            gain = S[np.ix_(m, o)] @ np.linalg.inv(S[np.ix_(o, o)])
            filled[m] = mean[m] + gain @ (row[o] - mean[o])
            spread[np.ix_(m, m)] = S[np.ix_(m, m)] - gain @ S[np.ix_(o, m)]
            first[j] += share[i, j] * filled
            second[j] += share[i, j] * (np.outer(filled, filled) + spread)
    total = share.sum(axis=0)
    mean = first / total[:, None]
    scatter = second - total[:, None, None] * mean[:, :, None] * mean[:, None, :]
    return bounds.sum(), total, mean, scatter


@pytest.mark.parametrize("rule", [Soft(), Hard(), Tempered(0.5), Truncated(1)])
@pytest.mark.parametrize("rows", [X, GAPS])
def test_completed_moments_against_brute_force(rule, rows):
    """mixture.02: gaps of every pattern, for every rule of assignment."""
    found = expected_statistics(
        AT, row_groups(rows, None, split=True), assignment=rule, damping=0.1
    )
    bound, total, mean, scatter = brute(AT, rows, rule, 0.1)
    assert_allclose(found.bound, bound)
    assert_allclose(found.total, total)
    assert_allclose(found.moments.mean, mean)
    assert_allclose(found.moments.scatter, scatter, atol=1e-9)
    assert found.weight == 40


def test_many_columns_take_another_way():
    """Products of matrices in the place of the compiled pass: the same sums."""
    rng = np.random.default_rng(3)
    rows, means = rng.normal(size=(50, 100)), rng.normal(size=(2, 100)) * 0.1
    weight = rng.integers(0, 3, size=50).astype(float)
    at = Gaussians.of(AT.weights, means, np.stack([np.eye(100), 2 * np.eye(100)]), "full")[0]
    share = at.distribution().responsibilities(rows) * weight[:, None]
    found = expected_statistics(at, row_groups(rows, weight, split=True))
    expected = Moments.of(rows, share)
    assert_allclose(found.bound, weight @ at.distribution().log_prob(rows))
    assert_allclose(found.moments.mean, expected.mean, atol=1e-9)
    assert_allclose(found.moments.scatter, expected.scatter, atol=1e-9)


def test_draws_give_whole_rows():
    found = expected_statistics(
        AT, row_groups(X, None, split=True), assignment=Drawn(np.random.default_rng(0))
    )
    assert_allclose(found.total, np.round(found.total))


def test_independent_columns_are_completed_on_request():
    """As a full covariance without correlations would complete them."""
    found = expected_statistics(DIAG, row_groups(GAPS, None, split=False))
    twin = Gaussians.of(DIAG.weights, DIAG.means, np.array(DIAG.matrices), "full")[0]
    full = expected_statistics(twin, row_groups(GAPS, None, split=True))
    assert_allclose(found.bound, full.bound)
    assert_allclose(found.total, full.total)
    filled = completed_columns(found, DIAG)
    assert_allclose(filled.moments.mean, full.moments.mean)
    assert_allclose(filled.moments.scatter, np.diagonal(full.moments.scatter, axis1=1, axis2=2))


def test_weights_and_what_variational_inference_adds():
    weight = RNG.integers(0, 3, size=40).astype(float)
    groups = row_groups(GAPS, weight, split=True)
    again = row_groups(np.repeat(GAPS, weight.astype(int), axis=0), None, split=True)
    extra = np.array([0.5, -0.2])
    one = expected_statistics(AT, groups, extra=extra)
    two = expected_statistics(AT, again, extra=extra)
    assert_allclose(one.bound, two.bound)
    assert_allclose(one.moments.scatter, two.moments.scatter, atol=1e-9)


def test_columns_of_moments_and_columns_never_seen():
    moments = Moments.of(X, np.ones((40, 1)))
    assert_allclose(diagonal(moments).scatter[0], np.diagonal(moments.scatter[0]))
    with pytest.raises(ValueError, match="observed somewhere in every column"):
        observed_columns("GaussianMixture", np.array([[1.0, np.nan]]))
