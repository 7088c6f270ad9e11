"""Gaussian processes against scikit-learn's, at the same kernels."""

import numpy as np
import pytest
from sklearn import gaussian_process as peer
from sklearn.gaussian_process import kernels as peer_kernels

from margin.gp import GaussianProcessClassifier, GaussianProcessRegressor
from margin.kernels import RBF, Constant, Matern, White

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
NEW = RNG.normal(size=(15, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=40)
LABELS = (Y > 0).astype(int)

PAIRS = [
    (
        1.7 * RBF((0.8, 1.5, 2.0)) + White(0.1),
        peer_kernels.ConstantKernel(1.7) * peer_kernels.RBF((0.8, 1.5, 2.0))
        + peer_kernels.WhiteKernel(0.1),
    ),
    (
        0.9 * Matern(1.3, nu=2.5) + Constant(0.4) + White(0.05),
        peer_kernels.ConstantKernel(0.9) * peer_kernels.Matern(1.3, nu=2.5)
        + peer_kernels.ConstantKernel(0.4)
        + peer_kernels.WhiteKernel(0.05),
    ),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
@pytest.mark.parametrize("normalize_y", [False, True])
@pytest.mark.parametrize("targets", [1, 2])
def test_regression_at_fixed_kernels(ours, theirs, normalize_y, targets):
    """gp.03: likelihood, gradient, mean, deviation and joint covariance."""
    y = Y if targets == 1 else np.column_stack([Y, X[:, 0]])
    alpha = RNG.uniform(0.01, 0.2, size=40)
    a = GaussianProcessRegressor(
        kernel=ours, alpha=alpha, normalize_y=normalize_y, optimizer=None
    ).fit(X, y)
    b = peer.GaussianProcessRegressor(
        theirs, alpha=alpha, normalize_y=normalize_y, optimizer=None
    ).fit(X, y)
    for theta in (ours.theta, ours.theta + 0.3):
        value, slope = a.log_marginal_likelihood(theta, eval_gradient=True)
        wanted, wanted_slope = b.log_marginal_likelihood(theta, eval_gradient=True)
        assert value == pytest.approx(wanted, rel=1e-8)
        np.testing.assert_allclose(slope, wanted_slope, rtol=1e-8, atol=1e-8)
    for options in ({"return_std": True}, {"return_cov": True}):
        for one, two in zip(a.predict(NEW, **options), b.predict(NEW, **options), strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-8, atol=1e-8)


def test_regression_finds_the_same_maximum():
    ours, theirs = PAIRS[0]
    a = GaussianProcessRegressor(kernel=ours).fit(X, Y)
    b = peer.GaussianProcessRegressor(theirs).fit(X, Y)
    assert a.log_marginal_likelihood_value_ >= b.log_marginal_likelihood_value_ - 1e-4


@pytest.mark.parametrize("pair", range(2))
def test_binary_classification_at_fixed_kernels(pair):
    """gp.12: Laplace's method with the logistic likelihood."""
    ours = (2.5 * RBF((0.8, 1.5, 2.0)), 2.0 * Matern(1.3, nu=1.5))[pair]
    theirs = peer_kernels.ConstantKernel((2.5, 2.0)[pair]) * (
        peer_kernels.RBF((0.8, 1.5, 2.0)) if pair == 0 else peer_kernels.Matern(1.3, nu=1.5)
    )
    a = GaussianProcessClassifier(kernel=ours, optimizer=None).fit(X, LABELS)
    b = peer.GaussianProcessClassifier(theirs, optimizer=None).fit(X, LABELS)
    value, slope = a.log_marginal_likelihood(ours.theta, eval_gradient=True)
    wanted, wanted_slope = b.log_marginal_likelihood(ours.theta, eval_gradient=True)
    assert value == pytest.approx(wanted, rel=1e-8)
    np.testing.assert_allclose(slope, wanted_slope, rtol=1e-6, atol=1e-8)
    # Theirs replaces the logistic by five error functions, good to three digits.
    np.testing.assert_allclose(a.predict_proba(NEW), b.predict_proba(NEW), atol=2e-3)


def test_one_vs_rest_at_fixed_kernels():
    y = np.digitize(Y, [-0.5, 0.5])
    a = GaussianProcessClassifier(
        kernel=2.5 * RBF(1.0), optimizer=None, multi_class="one_vs_rest"
    ).fit(X, y)
    kernel = peer_kernels.ConstantKernel(2.5) * peer_kernels.RBF(1.0)
    b = peer.GaussianProcessClassifier(kernel, optimizer=None).fit(X, y)
    np.testing.assert_allclose(a.predict_proba(NEW), b.predict_proba(NEW), atol=2e-3)
