"""Inducing points: FITC and the variational bound against dense algebra."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.gp.regression._mean import fit_mean
from margin.gp.solvers import _inducing_rows
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.gp.solvers._sparse import Sparse
from margin.kernels import RBF, Constant, Linear, Matern, White

KERNELS = (
    2.0 * RBF((1.0, 0.7)) + White(0.1),
    (1.5 * Matern(0.8, nu=2.5) + Constant(0.3) * Linear() + White(0.2)).fix("k1.factor"),
)


def make(mean="zero", n=25, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] ** 2]) + 0.1 * rng.normal(size=(n, 2))
    return Observations(X, Y, rng.uniform(0.01, 0.1, size=n), fit_mean("GP", mean, X)[1])


def dense(kernel, Z, seen, fitc):
    """Covariance of the targets and the missing variance, by matrices of full size."""
    latent = kernel(Z, Z.copy())
    latent += _inducing_rows.NUGGET * np.mean(np.diagonal(latent)) * np.eye(len(Z))
    cross = kernel(seen.X, Z)
    Q = cross @ np.linalg.solve(latent, cross.T)
    own = np.diagonal(kernel(seen.X, seen.X.copy()))
    noise = seen.noise + kernel.diag(seen.X) - own
    gap = own - np.diagonal(Q)
    return Q + np.diag(noise + (gap if fitc else 0.0)), gap / noise


@pytest.mark.parametrize("fitc", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_objective_is_that_of_the_dense_formula(kernel, fitc):
    seen = make()
    Z = seen.X[:6] + 0.1
    cov, gap = dense(kernel, Z, seen, fitc)
    wanted = sum(multivariate_normal(cov=cov).logpdf(y) for y in seen.Y.T)
    wanted -= 0.0 if fitc else 0.5 * 2 * gap.sum()
    assert Sparse(Z, fitc).evaluate(kernel, seen).value == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("mean", ["zero", "linear"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_variational_bound_is_a_bound_and_rises_with_points(kernel, mean):
    seen = make(mean)
    exact = Exact().evaluate(kernel, seen).value
    values = [Sparse(seen.X[:m]).evaluate(kernel, seen).value for m in (2, 5, 10, 20, 25)]
    assert np.min(np.diff([*values, exact])) > -1e-6
    assert values[-1] == pytest.approx(exact, rel=1e-5)


@pytest.mark.parametrize("learn", [False, True])
@pytest.mark.parametrize("fitc", [False, True])
@pytest.mark.parametrize("mean", ["zero", "linear"])
def test_gradient(fitc, mean, learn, monkeypatch):
    monkeypatch.setattr(_inducing_rows, "_ROWS", 7)
    for kernel in KERNELS[: 1 if learn else 2]:
        seen = make(mean)
        solver = Sparse(seen.X[:5] + 0.05, fitc, learn, np.array([1.0, 2.0]))
        start = np.concatenate([kernel.theta, solver.extra()])
        p = len(kernel.theta)

        def value(t, solver=solver, kernel=kernel, seen=seen, p=p):
            return solver.with_extra(t[p:]).evaluate(kernel.with_theta(t[:p]), seen).value

        numeric = np.array(
            [(value(start + 1e-5 * e) - value(start - 1e-5 * e)) / 2e-5 for e in np.eye(len(start))]
        )
        found = solver.evaluate(kernel, seen).gradient
        np.testing.assert_allclose(found, numeric, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("fitc", [False, True])
def test_blocks_do_not_change_the_answer(fitc, monkeypatch):
    seen, kernel = make("constant"), KERNELS[0]
    solver = Sparse(seen.X[:6], fitc)
    whole = solver.evaluate(kernel, seen)
    monkeypatch.setattr(_inducing_rows, "_ROWS", 4)
    monkeypatch.setattr(_inducing_rows, "_CACHE", 0)
    pieces = solver.evaluate(kernel, seen)
    assert pieces.value == pytest.approx(whole.value, rel=1e-12)
    np.testing.assert_allclose(pieces.gradient, whole.gradient, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("fitc", [False, True])
@pytest.mark.parametrize("mean", ["zero", "linear"])
def test_posterior_with_all_points_is_exact(fitc, mean):
    seen, kernel = make(mean), KERNELS[0]
    new = np.random.default_rng(4).normal(size=(5, 2))
    H = fit_mean("GP", mean, seen.X)[0].rows(new)
    one = Exact().condition(kernel, seen)
    two = Sparse(seen.X.copy(), fitc).condition(kernel, seen)
    for a, b in zip(
        one.predict(kernel, new, H, kernel.diag(new)),
        two.predict(kernel, new, H, kernel.diag(new)),
        strict=True,
    ):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    prior = kernel(new)
    joint = two.covariance(kernel, new, H, prior)
    np.testing.assert_allclose(one.covariance(kernel, new, H, prior), joint, rtol=1e-5, atol=1e-6)
    for name in ("mean", "var"):
        wanted = getattr(one.leave_one_out(), name)
        np.testing.assert_allclose(getattr(two.leave_one_out(), name), wanted, rtol=1e-5, atol=1e-6)


def test_leave_one_out_of_fitc_is_that_of_its_covariance():
    seen, kernel = make(), KERNELS[0]
    Z = seen.X[:6]
    precision = np.linalg.inv(dense(kernel, Z, seen, True)[0])
    held = Sparse(Z, True).condition(kernel, seen).leave_one_out()
    np.testing.assert_allclose(held.var, 1 / np.diagonal(precision), rtol=1e-6)
    wanted = seen.Y - precision @ seen.Y / np.diagonal(precision)[:, None]
    np.testing.assert_allclose(held.mean, wanted, rtol=1e-6, atol=1e-8)
