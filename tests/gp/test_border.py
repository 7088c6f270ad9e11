"""Kernels of scikit-learn in our processes."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier as TheirClassifier
from sklearn.gaussian_process import GaussianProcessRegressor as TheirRegressor
from sklearn.gaussian_process import kernels as sk

from margin.gp import GaussianProcessClassifier, GaussianProcessRegressor, MultiOutputGP
from margin.gp._border import given_kernel
from margin.kernels import RBF

rng = np.random.default_rng(0)
X = np.sort(rng.uniform(0, 6, (25, 1)), axis=0)
y = np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=25)
NEW = np.linspace(-1, 7, 9)[:, None]

KERNELS = [
    sk.ConstantKernel(1.0) * sk.RBF(1.0) + sk.WhiteKernel(0.1),
    sk.RBF(1.0) * sk.ConstantKernel(2.0) + sk.WhiteKernel(0.1),
    sk.Matern(1.0, nu=2.5) + sk.WhiteKernel(0.1),
    sk.RationalQuadratic(1.0, 1.0, alpha_bounds="fixed") + sk.WhiteKernel(0.1),
    sk.ExpSineSquared(1.0, 3.0, periodicity_bounds=(2.0, 4.0)) + sk.WhiteKernel(0.1),
    sk.DotProduct(1.0) ** 2 + sk.WhiteKernel(0.5),
    sk.PairwiseKernel(1.0, metric="rbf") + sk.WhiteKernel(0.1),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_regression_is_that_of_scikit_learn(kernel):
    ours = GaussianProcessRegressor(kernel).fit(X, y)
    theirs = TheirRegressor(kernel).fit(X, y)
    assert type(ours.kernel_) is type(kernel)
    assert ours.log_marginal_likelihood_value_ >= theirs.log_marginal_likelihood_value_ - 1e-4
    theta = kernel.theta + 0.1
    value, slope = ours.log_marginal_likelihood(theta, eval_gradient=True)
    their_value, their_slope = theirs.log_marginal_likelihood(theta, eval_gradient=True)
    assert value == pytest.approx(their_value, rel=1e-8)
    np.testing.assert_allclose(slope, their_slope, rtol=1e-3, atol=1e-3)
    fixed = TheirRegressor(ours.kernel_, optimizer=None).fit(X, y)
    for mine, other in zip(
        ours.predict(NEW, return_std=True), fixed.predict(NEW, return_std=True), strict=True
    ):
        np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(ours.alpha_, fixed.alpha_, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(ours.L_, fixed.L_, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("kernel", [1.0 * sk.RBF(1.0), sk.Matern(nu=1.5)], ids=str)
def test_classification_is_that_of_scikit_learn(kernel):
    labels = y > 0
    ours = GaussianProcessClassifier(kernel).fit(X, labels)
    theirs = TheirClassifier(kernel).fit(X, labels)
    np.testing.assert_allclose(ours.kernel_.theta, theirs.kernel_.theta, atol=0.05)
    theta = kernel.theta + 0.1
    value, slope = ours.log_marginal_likelihood(theta, eval_gradient=True)
    their_value, their_slope = theirs.log_marginal_likelihood(theta, eval_gradient=True)
    assert value == pytest.approx(their_value, abs=1e-5)
    np.testing.assert_allclose(slope, their_slope, atol=1e-3)


def test_noise_and_fixed_hyper_parameters_are_kept():
    kernel = sk.RBF(1.0, "fixed") + sk.WhiteKernel(0.3)
    model = GaussianProcessRegressor(kernel).fit(X, y)
    assert model.kernel_.k1.length_scale == 1.0
    assert 1e-3 < model.kernel_.k2.noise_level < 0.3
    dist = model.predict_dist(NEW, latent=True)
    noisy = model.predict_dist(NEW)
    level = model.kernel_.k2.noise_level
    np.testing.assert_allclose(noisy.var - dist.var, level, rtol=1e-6)


@pytest.mark.parametrize("method", ["fitc", "variational", "state-space", "cg"])
def test_other_methods_take_their_kernels(method):
    kernel = sk.ConstantKernel(1.0) * sk.Matern(1.0, nu=1.5) + sk.WhiteKernel(0.1)
    model = GaussianProcessRegressor(kernel, method=method, random_state=0).fit(X, y)
    exact = GaussianProcessRegressor(kernel).fit(X, y)
    np.testing.assert_allclose(model.predict(X), exact.predict(X), atol=0.15)
    assert type(model.kernel_) is sk.Sum


def test_several_targets_together():
    model = MultiOutputGP(kernel=sk.RBF(1.0)).fit(X, np.column_stack([y, -y]))
    assert isinstance(model.kernel_, sk.RBF)
    assert model.predict(NEW).shape == (9, 2)


def test_a_search_of_the_user_sees_their_coordinates():
    seen = []

    def search(objective, start, bounds):
        seen.append((start, bounds))
        return start, objective(start, eval_gradient=False)

    kernel = sk.RationalQuadratic(2.0, 0.5, (0.1, 10.0), (0.2, 20.0))
    GaussianProcessRegressor(kernel, alpha=0.1, optimizer=search).fit(X, y)
    np.testing.assert_allclose(seen[0][0], kernel.theta)
    np.testing.assert_allclose(seen[0][1], kernel.bounds)


def test_a_hyper_parameter_at_its_bound_is_said():
    with pytest.warns(ConvergenceWarning, match="close to the specified upper bound 0.001"):
        GaussianProcessRegressor(sk.RBF(1.0, (1e-5, 1e-3))).fit(X, y)


def test_theta_may_be_left_behind():
    model = GaussianProcessRegressor(sk.RBF(1.0), alpha=0.1).fit(X, y)
    before = model.predict(NEW)
    model.log_marginal_likelihood([0.7], clone_kernel=False)
    np.testing.assert_allclose(model.kernel_.theta, [0.7])
    np.testing.assert_array_equal(model.predict(NEW), before)


def test_refusals():
    with pytest.raises(ValueError, match="kernel cannot be a CompoundKernel"):
        GaussianProcessClassifier(sk.CompoundKernel([sk.RBF()])).fit(X, y > 0)
    endless = sk.RBF(1.0, (1e-5, np.inf))
    with pytest.raises(ValueError, match="requires that all bounds are finite"):
        GaussianProcessRegressor(endless, n_restarts_optimizer=1).fit(X, y)


def test_ours_pass_unchanged():
    border = given_kernel("GP", RBF(2.0), X, learns=True)
    assert border.translation is None
    assert border.shown(border.kernel) == RBF(2.0)
    assert border.search(max) is max
