"""Equivalences that tie the linear models to each other and to the engines."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import norm

from margin import losses, optim, penalties
from margin.linear import BayesianLinearRegression, LinearRegression, LogisticRegression, Ridge


def sample(n=50, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.5, 2, p) + 0.5
    y = X @ rng.normal(size=p) + 1.0 + rng.normal(size=n)
    return X, y, (y > y.mean() + rng.normal(size=n)).astype(int)


def test_gaussian_noise_maximum_likelihood_is_least_squares():
    """linear.03, losses.02: the likelihood maximised by a general optimiser."""
    X, y, _ = sample()

    def negative_log_likelihood(theta):
        return -norm.logpdf(y, X @ theta[:4] + theta[4], np.exp(theta[5])).sum()

    found = minimize(negative_log_likelihood, np.zeros(6), method="BFGS", options={"gtol": 1e-8})
    model = LinearRegression().fit(X, y)
    assert_allclose(found.x[:4], model.coef_, atol=1e-5)
    assert_allclose(found.x[4], model.intercept_, atol=1e-5)
    assert_allclose(np.exp(2 * found.x[5]), np.mean((y - model.predict(X)) ** 2), rtol=1e-4)


def test_bayesian_mean_is_ridge_is_the_map_estimate():
    """linear.13, linear.16, penalties.01: one number by three routes."""
    X, y, _ = sample()
    lam, s2 = 0.8, 1.7
    ridge = Ridge(alpha=lam).fit(X, y)
    bayes = BayesianLinearRegression(prior_precision=lam / s2, noise_variance=s2).fit(X, y)
    assert_allclose(bayes.coef_, ridge.coef_, rtol=1e-10)
    assert_allclose(bayes.predict(X), ridge.predict(X), rtol=1e-10)

    def negative_log_posterior(theta):
        likelihood = norm.logpdf(y, X @ theta[:4] + theta[4], np.sqrt(s2)).sum()
        return -likelihood - norm.logpdf(theta[:4], scale=np.sqrt(s2 / lam)).sum()

    mode = minimize(negative_log_posterior, np.zeros(5), method="BFGS", options={"gtol": 1e-9}).x
    assert_allclose(mode[:4], ridge.coef_, atol=1e-5)


@pytest.mark.parametrize("alpha", [0.1, 5.0])
@pytest.mark.parametrize("shape", [(50, 4), (8, 20)])
def test_ridge_by_svd_normal_equations_dual_form_and_iteration(shape, alpha):
    """linear.13: SVD = normal equations = dual form = any solver on the same objective."""
    X, y, _ = sample(*shape)
    C, t = X - X.mean(axis=0), y - y.mean()
    U, d, Vt = np.linalg.svd(C, full_matrices=False)
    routes = {
        "svd": Vt.T @ (d / (d**2 + alpha) * (U.T @ t)),
        "normal equations": np.linalg.solve(C.T @ C + alpha * np.eye(shape[1]), C.T @ t),
        "dual form": C.T @ np.linalg.solve(C @ C.T + alpha * np.eye(shape[0]), t),
    }
    problem = optim.LinearProblem(X, y, None, losses.Squared(), penalties.L2(alpha))
    for solver in (optim.Newton(1e-9), optim.NewtonCG(1e-9), optim.LBFGS(1e-8)):
        routes[type(solver).__name__] = optim.minimise(problem, solver).x[: shape[1]]
    ours = Ridge(alpha=alpha).fit(X, y).coef_
    for name, coef in routes.items():
        assert_allclose(coef, ours, atol=1e-7, err_msg=name)


def test_least_squares_by_gradient_descent():
    """linear.03, optim.01: descent on the squared loss ends at the normal equations."""
    X, y, _ = sample()
    problem = optim.LinearProblem(X, y, np.full(50, 1 / 50), losses.Squared(), penalties.Zero())
    found = optim.minimise(problem, optim.GradientDescent(tol=1e-8))
    model = LinearRegression().fit(X, y)
    assert found.status.ok
    assert_allclose(found.x, np.append(model.coef_, model.intercept_), atol=1e-7)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_logistic_solver_reaches_the_same_optimum(n_classes):
    """linear.32, linear.33, linear.35."""
    X, y, _ = sample(n=120)
    labels = np.digitize(y, np.quantile(y, [1 / 3, 2 / 3])) if n_classes == 3 else sample(120)[2]
    models = [
        LogisticRegression(solver=solver, tol=1e-7, max_iter=50_000).fit(X, labels)
        for solver in ("newton", "newton-cg", "lbfgs", "gradient-descent", "auto")
    ]
    for model in models[1:]:
        assert_allclose(model.coef_, models[0].coef_, atol=2e-5)
        assert_allclose(model.fit_report_.objective, models[0].fit_report_.objective, rtol=1e-11)


def test_newton_is_iteratively_reweighted_least_squares():
    """linear.33: each full Newton step is a weighted ridge on the working response."""
    X, _, y = sample(n=120)
    C = 2.0
    problem = optim.LinearProblem(
        X, y, None, losses.Logistic(), penalties.L2(1 / C), intercept=False
    )
    path = optim.minimise(problem, optim.Newton(tol=1e-8), trace=True).trace["x"]
    w = np.zeros(4)
    for step in range(len(path) - 1):
        p = expit(X @ w)
        bend = p * (1 - p)
        working = X @ w + (y - p) / bend
        w = Ridge(alpha=1 / C, fit_intercept=False).fit(X, working, sample_weight=bend).coef_
        assert_allclose(path[step + 1], w, rtol=1e-6, atol=1e-9)
    final = LogisticRegression(C=C, fit_intercept=False, tol=1e-10).fit(X, y)
    assert_allclose(final.coef_[0], w, atol=1e-7)


def test_logistic_form_with_the_weight_on_the_loss():
    """linear.32: argmin b^T b / 2 + (lambda / N) sum log(1 + exp(-y x b)) is C = lambda / N."""
    X, _, y = sample(n=120)
    sign, lam = 2 * y - 1, 60.0

    def objective(b):
        margin = sign * (X @ b)
        value = 0.5 * b @ b + lam / 120 * np.logaddexp(0, -margin).sum()
        return value, b - lam / 120 * X.T @ (sign * expit(-margin))

    found = minimize(objective, np.zeros(4), jac=True, method="BFGS", options={"gtol": 1e-10})
    model = LogisticRegression(C=lam / 120, fit_intercept=False, tol=1e-11).fit(X, y)
    assert_allclose(model.coef_[0], found.x, atol=1e-6)
    assert_allclose(model.fit_report_.objective * 120, found.fun / (lam / 120), rtol=1e-8)


def test_flat_prior_is_maximum_likelihood():
    """linear.16: as the prior precision vanishes the posterior mean is least squares."""
    X, y, _ = sample()
    flat = BayesianLinearRegression(prior_precision=1e-12, noise_variance=1.0).fit(X, y)
    plain = LinearRegression().fit(X, y)
    assert_allclose(flat.coef_, plain.coef_, rtol=1e-8)
    C = X - X.mean(axis=0)
    assert_allclose(flat.covariance_, np.linalg.inv(C.T @ C), rtol=1e-6)
