"""Gaussian classes from rows with holes."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

from margin.core import Status
from margin.linear._class_statistics import ClassScatter
from margin.linear.discriminant._gaussian_classes import class_scatter


def holed(n=60, p=3, share=0.25, seed=0):
    rng = np.random.default_rng(seed)
    code = np.arange(n) % 2
    mix = np.array([[1.0, 0.6, 0.0], [0.0, 0.8, 0.3], [0.0, 0.0, 0.9]])[:p, :p]
    X = rng.normal(size=(n, p)) @ mix + np.outer(code, np.arange(p) + 0.5)
    return np.where(rng.random(X.shape) < share, np.nan, X), code


def scatter(X, code, weight=None, *, pooled, floor=1e-12):
    return class_scatter(X, code, 2, weight, pooled=pooled, floor=floor, n_threads=1)


def log_likelihood(X, code, weight, means, covariances):
    """Row by row, the observed part under its own class."""
    total = 0.0
    for x, k, w in zip(X, code, weight, strict=True):
        o = ~np.isnan(x)
        if o.any():
            normal = multivariate_normal(means[k][o], covariances[k][np.ix_(o, o)])
            total += w * normal.logpdf(x[o])
    return total


@pytest.mark.parametrize("pooled", [True, False])
def test_complete_rows_need_no_search(pooled):
    X, code = holed(share=0.0)
    stats, solution = scatter(X, code, pooled=pooled)
    assert solution is None
    wanted = ClassScatter.of(X, code, 2, pooled=pooled)
    np.testing.assert_array_equal(stats.scatter, wanted.scatter)


@pytest.mark.parametrize("pooled", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_maximises_the_likelihood_of_what_was_observed(pooled, weighted):
    """linear.36, linear.37: against a general optimiser on means and Cholesky factors."""
    X, code = holed(p=2)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(X)) if weighted else np.ones(len(X))
    stats, solution = scatter(X, code, weight if weighted else None, pooled=pooled)
    totals = [stats.total.sum()] * 2 if pooled else stats.total
    covariances = [stats.scatter[0 if pooled else k] / totals[k] for k in range(2)]
    value = log_likelihood(X, code, weight, stats.mean, covariances)
    assert -solution.objective * weight.sum() == pytest.approx(value, rel=1e-6)

    def loss(theta):
        means, factors = theta[:4].reshape(2, 2), theta[4:].reshape(-1, 3)
        roots = [np.array([[np.exp(a), 0.0], [b, np.exp(c)]]) for a, b, c in factors]
        spread = [root @ root.T for root in roots] * (2 if pooled else 1)
        return -log_likelihood(X, code, weight, means, spread)

    best = minimize(loss, np.zeros(7 if pooled else 10), method="BFGS")
    assert value == pytest.approx(-best.fun, rel=1e-6)
    np.testing.assert_allclose(stats.mean.ravel(), best.x[:4], atol=2e-4)


@pytest.mark.parametrize("pooled", [True, False])
def test_the_likelihood_never_falls(pooled):
    X, code = holed(share=0.4, seed=3)
    _, solution = scatter(X, code, pooled=pooled)
    assert solution.status is Status.CONVERGED
    assert solution.extras["smallest_step"] > -1e-12
    assert np.diff(solution.trace["objective"]).max() <= 1e-12


@pytest.mark.parametrize("pooled", [True, False])
def test_weights_are_repetitions(pooled):
    X, code = holed(n=40, share=0.3)
    weight = np.arange(40) % 3 + 1.0
    weighted, _ = scatter(X, code, weight, pooled=pooled)
    repeated, _ = scatter(
        np.repeat(X, weight.astype(int), axis=0), np.repeat(code, weight.astype(int)), pooled=pooled
    )
    np.testing.assert_allclose(weighted.mean, repeated.mean, atol=1e-6)
    np.testing.assert_allclose(weighted.scatter, repeated.scatter, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("pooled", [True, False])
def test_columns_that_say_nothing_do_no_harm(pooled):
    """A constant column, one never observed, one never observed in a class, an empty row."""
    X, code = holed(share=0.2)
    odd = np.column_stack([X, np.full(60, 3.0), np.full(60, np.nan), X[:, 0] ** 2])
    odd[code == 1, -1] = np.nan
    odd[5] = np.nan
    stats, solution = scatter(odd, code, pooled=pooled, floor=1e-8)
    assert np.isfinite(stats.scatter).all()
    assert np.isfinite(stats.mean).all()
    assert solution.status is Status.CONVERGED
    np.testing.assert_allclose(stats.mean[:, 3], 3.0, atol=1e-6)
