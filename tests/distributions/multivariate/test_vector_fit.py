"""Many normal vectors from statistics of responsibilities (distributions.24, distributions.37)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats as scipy_stats

from margin.core import FitError
from margin.distributions import (
    MultivariateNormal,
    NormalInverseGamma,
    NormalInverseWishart,
)
from margin.testing.contracts._statistics import assert_statistics_close


def data(n=300, d=3, k=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d) * 5
    return X, rng.dirichlet(np.ones(k), size=n)


def weighted_covariance(X, w):
    mean = w @ X / w.sum()
    return mean, (w[:, None] * (X - mean)).T @ (X - mean) / w.sum()


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_the_four_covariances(kind):
    """distributions.24: against loops over members and SciPy's density."""
    X, R = data()
    fit = MultivariateNormal.fit(
        MultivariateNormal.statistics(X, R, covariance_type=kind), covariance_type=kind
    )
    means, covariances = zip(*(weighted_covariance(X, w) for w in R.T), strict=True)
    if kind == "tied":
        covariances = [np.average(covariances, axis=0, weights=R.sum(axis=0))] * 4
    if kind == "diag":
        covariances = [np.diag(np.diag(c)) for c in covariances]
    if kind == "spherical":
        covariances = [np.eye(3) * np.trace(c) / 3 for c in covariances]
    wanted = [
        scipy_stats.multivariate_normal(m, c).logpdf(X)
        for m, c in zip(means, covariances, strict=True)
    ]
    assert_allclose(fit.log_prob_rows(X), np.transpose(wanted), rtol=1e-9)
    assert_allclose(fit.log_prob(X[:, None]), np.transpose(wanted), rtol=1e-9)
    for j in range(4):
        assert_allclose(np.broadcast_to(fit.covariance, (4, 3, 3))[j], covariances[j], rtol=1e-9)
        assert_allclose(fit[j].log_prob(X), wanted[j], rtol=1e-9)


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_blocks_of_rows_fit_as_all_rows_do(kind):
    """distributions.37: out of core equals in memory."""
    X, R = data()
    whole = MultivariateNormal.statistics(X, R, covariance_type=kind)
    parts = sum(
        MultivariateNormal.statistics(X[i : i + 37], R[i : i + 37], covariance_type=kind)
        for i in range(0, len(X), 37)
    )
    assert_statistics_close(parts, whole)


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_gaps_are_marginalised_for_every_member(kind):
    """NaN: the density of a row is that of its observed part, as SciPy has it."""
    X, R = data()
    fit = MultivariateNormal.fit(
        MultivariateNormal.statistics(X, R, covariance_type=kind), covariance_type=kind
    )
    rng = np.random.default_rng(1)
    holes = np.where(rng.random(X.shape) < 0.4, np.nan, X)
    table = fit.log_prob_rows(holes)
    covariances = np.broadcast_to(fit.covariance, (4, 3, 3))
    for i in range(40):
        seen = np.flatnonzero(~np.isnan(holes[i]))
        for j in range(4):
            if not len(seen):
                assert table[i, j] == 0.0
                continue
            part = covariances[j][np.ix_(seen, seen)]
            wanted = scipy_stats.multivariate_normal(fit.mean[j, seen], part).logpdf(X[i, seen])
            assert_allclose(table[i, j], wanted, rtol=1e-9)


def test_expected_statistics_of_members_are_those_of_each():
    X, R = data()
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.4, np.nan, X)
    for kind in ("full", "tied"):
        fit = MultivariateNormal.fit(MultivariateNormal.statistics(X, R), covariance_type=kind)
        stacked = fit.expected_statistics(holes, R)
        for j in range(4):
            assert_statistics_close(stacked[j], fit[j].expected_statistics(holes, R[:, j]))
    with pytest.raises(ValueError, match=r"weight must be of shape \(n, 4\)"):
        fit.expected_statistics(holes)


def test_most_probable_members():
    """distributions.26: the mode of the joint density of tied members, by small steps."""
    X, R = data(k=2)
    prior = NormalInverseWishart(np.zeros(3), 2.0, 3 * np.eye(3), 6.0)
    stats = MultivariateNormal.statistics(X, R)
    full = MultivariateNormal.fit(stats, prior)
    for j in range(2):
        alone = MultivariateNormal.fit(stats[j], prior)
        assert_allclose(full[j].mean, alone.mean)
        assert_allclose(full[j].covariance, alone.covariance)
    tied = MultivariateNormal.fit(stats, prior, covariance_type="tied")

    def objective(means, covariance):
        value = np.sum(R * MultivariateNormal(means, covariance).log_prob_rows(X))
        value += np.sum(MultivariateNormal(np.zeros(3), covariance / 2.0).log_prob(means))
        return value + scipy_stats.invwishart(6.0, 3 * np.eye(3)).logpdf(covariance)

    best = objective(tied.mean, tied.covariance)
    rng = np.random.default_rng(3)
    for _ in range(20):
        bump = rng.normal(size=(3, 3)) * 1e-3
        assert objective(tied.mean + rng.normal(size=(2, 3)) * 1e-3, tied.covariance) < best
        assert objective(tied.mean, tied.covariance + bump + bump.T) < best
    columns = NormalInverseGamma(np.zeros(3), 1.0, 2.0, 1.0)
    diag = MultivariateNormal.fit(stats, columns, covariance_type="diag")
    mean, variance = columns.posterior(
        MultivariateNormal.statistics(X, R, covariance_type="diag")
    ).mode
    assert_allclose(diag.mean, mean)
    assert_allclose(diag.var, variance)


def test_collapse_is_refused_and_a_ridge_mends_it():
    X = np.repeat([[1.0, 2.0]], 5, axis=0)
    for kind in ("full", "tied", "diag", "spherical"):
        with pytest.raises(FitError, match="MultivariateNormal: data must"):
            MultivariateNormal.fit(X, covariance_type=kind)
        mended = MultivariateNormal.fit(X, covariance_type=kind, ridge=0.5)
        assert_allclose(mended.covariance, 0.5 * np.eye(2))
    with pytest.raises(ValueError, match="observed for every member"):
        MultivariateNormal.fit(MultivariateNormal.statistics(X, np.eye(5)[:, :2] * 0.0))
    with pytest.raises(ValueError, match="covariance_type must be one of"):
        MultivariateNormal.fit(X, covariance_type="round")
    with pytest.raises(ValueError, match="ridge must be a number of at least 0"):
        MultivariateNormal.fit(X, ridge=-1.0)
