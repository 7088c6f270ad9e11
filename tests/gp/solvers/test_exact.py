"""The exact solver against dense brute force (gp.02, gp.03, gp.05)."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.gp.regression._mean import fit_mean
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.kernels import RBF, Constant, Linear, Matern, White

KERNELS = (
    2.0 * RBF((1.0, 0.7)) + White(0.1),
    (1.5 * Matern(0.8, nu=2.5) + Constant(0.3) * Linear() + White(0.2)).fix("k1.factor"),
)


def make(mean="zero", n=14, k=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] ** 2])[:, :k] + 0.1 * rng.normal(size=(n, k))
    _, H, _ = fit_mean("GP", mean, X)
    return Observations(X, Y, rng.uniform(0.01, 0.1, size=n), H)


@pytest.mark.parametrize("kernel", KERNELS)
def test_marginal_likelihood_is_the_normal_density(kernel):
    seen = make()
    cov = kernel(seen.X) + np.diag(seen.noise)
    wanted = sum(multivariate_normal(cov=cov).logpdf(y) for y in seen.Y.T)
    assert Exact().evaluate(kernel, seen).value == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_unknown_coefficients_leave_the_density_of_contrasts(kernel):
    seen = make("linear")
    rank = seen.H.shape[1]
    filler = np.random.default_rng(5).normal(size=(seen.n, seen.n - rank))
    contrasts = np.linalg.qr(np.column_stack([seen.H, filler]))[0][:, rank:]
    cov = contrasts.T @ (kernel(seen.X) + np.diag(seen.noise)) @ contrasts
    wanted = sum(multivariate_normal(cov=cov).logpdf(contrasts.T @ y) for y in seen.Y.T)
    assert Exact().evaluate(kernel, seen).value == pytest.approx(wanted, rel=1e-11)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("mean", ["zero", "linear"])
def test_gradient(kernel, mean):
    seen = make(mean)

    def value(theta):
        return Exact().evaluate(kernel.with_theta(theta), seen).value

    numeric = np.array(
        [
            (value(kernel.theta + 1e-5 * e) - value(kernel.theta - 1e-5 * e)) / 2e-5
            for e in np.eye(len(kernel.theta))
        ]
    )
    found = Exact().evaluate(kernel, seen).gradient
    np.testing.assert_allclose(found, numeric, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("mean", ["zero", "linear"])
def test_posterior_is_the_conditional_of_the_joint(mean):
    """gp.05: dense Cholesky. Unknown coefficients are the limit of a wide normal prior."""
    seen, kernel = make(mean, k=1), KERNELS[0]
    new = np.random.default_rng(8).normal(size=(5, 2))
    mean_function, _, _ = fit_mean("GP", mean, seen.X)
    H = mean_function.rows(new)
    wide = 1e7
    K = kernel(seen.X) + np.diag(seen.noise) + wide * seen.H @ seen.H.T
    cross = kernel(new, seen.X) + wide * H @ seen.H.T
    prior = kernel(new) + wide * H @ H.T
    posterior = Exact().condition(kernel, seen)
    mu, var = posterior.predict(kernel, new, H, kernel.diag(new))
    cov = posterior.covariance(kernel, new, H, kernel(new))
    tol = 1e-10 if mean == "zero" else 1e-4
    np.testing.assert_allclose(mu, cross @ np.linalg.solve(K, seen.Y), rtol=tol, atol=tol)
    wanted = prior - cross @ np.linalg.solve(K, cross.T)
    np.testing.assert_allclose(cov, wanted, rtol=tol, atol=tol)
    np.testing.assert_allclose(np.diagonal(cov), var, rtol=1e-9)


@pytest.mark.parametrize("mean", ["zero", "constant", "linear"])
def test_leave_one_out_is_what_refits_give(mean):
    seen, kernel = make(mean), KERNELS[0]
    held = Exact().condition(kernel, seen).leave_one_out()
    for i in (0, 5, 13):
        rest = np.arange(seen.n) != i
        mean_function, H, _ = fit_mean("GP", mean, seen.X[rest])
        part = Observations(seen.X[rest], seen.Y[rest], seen.noise[rest], H)
        row = seen.X[[i]]
        mu, var = (
            Exact()
            .condition(kernel, part)
            .predict(kernel, row, mean_function.rows(row), kernel.diag(row))
        )
        np.testing.assert_allclose(held.mean[i], mu[0], rtol=1e-9)
        np.testing.assert_allclose(held.var[i], var[0] + seen.noise[i], rtol=1e-9)


def test_it_learns_nothing_besides_the_kernel():
    assert Exact().extra().size == 0
    assert Exact().with_extra(np.empty(0)) == Exact()
