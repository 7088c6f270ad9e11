"""Non-linear least squares (linear.10)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import optimize
from sklearn.exceptions import ConvergenceWarning

from margin.core import FitError, Status
from margin.linear import LinearRegression, NonlinearLeastSquares


def growth(X, theta):
    return theta[0] / (1 + np.exp(-theta[1] * (X[:, 0] - theta[2])))


def growth_slopes(X, theta):
    z = np.exp(-theta[1] * (X[:, 0] - theta[2]))
    share = 1 / (1 + z)
    bend = theta[0] * share**2 * z
    return np.column_stack([share, bend * (X[:, 0] - theta[2]), -bend * theta[1]])


TRUE = np.array([10.0, 1.5, 2.0])


def sample(n=80, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 6, size=(n, 1))
    return X, growth(X, TRUE) + noise * rng.normal(size=n), rng.random(n) + 0.2


@pytest.mark.parametrize("jacobian", [None, growth_slopes])
def test_agrees_with_scipy(jacobian):
    """linear.10: parameters and covariance of curve_fit, with weights as inverse variances."""
    X, y, s = sample()
    model = NonlinearLeastSquares(function=growth, p0=[5, 1, 1], jacobian=jacobian)
    model.fit(X, y)
    wanted, covariance = optimize.curve_fit(
        lambda X, *t: growth(X, t), X, y, [5, 1, 1], ftol=1e-14, xtol=1e-14, gtol=1e-14
    )
    assert_allclose(model.params_, wanted, rtol=1e-6)
    assert_allclose(model.covariance_, covariance, rtol=1e-4)
    model.fit(X, y, sample_weight=s)
    peer = optimize.least_squares(
        lambda t: np.sqrt(s) * (growth(X, t) - y), [5, 1, 1], xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    assert_allclose(model.params_, peer.x, rtol=1e-6)
    assert_allclose(model.fit_report_.objective, peer.cost, rtol=1e-10)
    assert_allclose(model.predict(X), growth(X, peer.x), rtol=1e-6)


def test_gradient_vanishes_and_trace_never_rises():
    """linear.10: the certificate recomputed."""
    X, y, s = sample()
    model = NonlinearLeastSquares(function=growth, p0=[5, 1, 1], tol=1e-10)
    model.fit(X, y, sample_weight=s)
    J, r = growth_slopes(X, model.params_), model.predict(X) - y
    assert np.abs(J.T @ (s * r)).max() < 1e-7
    assert model.fit_report_.certificate.holds
    assert model.fit_report_.status is Status.CONVERGED
    trace = model.fit_report_.trace["objective"]
    assert np.diff(trace).max() <= 1e-13 * trace[-1]


def test_default_is_linear_regression():
    """linear.10: with the covariance and noise variance of the textbook."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 3)) * [1.0, 100.0, 0.01] + 5.0
    y = X @ [1.0, 0.02, -30.0] + 4.0 + rng.normal(size=50)
    model = NonlinearLeastSquares(tol=1e-10).fit(X, y)
    plain = LinearRegression().fit(X, y)
    assert_allclose(model.params_, np.append(plain.coef_, plain.intercept_), rtol=1e-6)
    A = np.column_stack([X, np.ones(50)])
    variance = np.sum((y - plain.predict(X)) ** 2) / 46
    assert_allclose(model.noise_variance_, variance, rtol=1e-8)
    assert_allclose(model.covariance_, variance * np.linalg.inv(A.T @ A), rtol=1e-6)


def test_covariance_is_the_spread_of_repeated_fits():
    """linear.10: by simulation."""
    X, _, _ = sample(n=200)
    rng = np.random.default_rng(2)
    fits = [
        NonlinearLeastSquares(function=growth, p0=TRUE, jacobian=growth_slopes).fit(
            X, growth(X, TRUE) + 0.3 * rng.normal(size=200)
        )
        for _ in range(300)
    ]
    spread = np.cov([f.params_ for f in fits], rowvar=False)
    mean = np.mean([f.covariance_ for f in fits], axis=0)
    assert_allclose(np.sqrt(np.diag(spread)), np.sqrt(np.diag(mean)), rtol=0.12)
    assert_allclose(np.mean([f.noise_variance_ for f in fits]), 0.09, rtol=0.03)


def test_exact_data_weights_and_rows_of_weight_zero():
    X, y, _ = sample(noise=0.0)
    exact = NonlinearLeastSquares(function=growth, p0=[5, 1, 1]).fit(X, y)
    assert_allclose(exact.params_, TRUE, rtol=1e-8)
    X, y, _ = sample()
    times = np.random.default_rng(3).integers(0, 4, size=80)
    rows = np.repeat(np.arange(80), times)
    one = NonlinearLeastSquares(function=growth, p0=[5, 1, 1], tol=1e-10)
    one.fit(X, y, sample_weight=times)
    two = NonlinearLeastSquares(function=growth, p0=[5, 1, 1], tol=1e-10).fit(X[rows], y[rows])
    assert_allclose(one.params_, two.params_, rtol=1e-7)
    assert_allclose(one.covariance_, two.covariance_, rtol=1e-5)


def test_undetermined_parameters_have_no_variance():
    X, y, _ = sample()
    twin = NonlinearLeastSquares(function=lambda X, t: (t[0] + t[1]) * X[:, 0], p0=[0, 0])
    twin.fit(X, y)
    assert_allclose(twin.params_.sum(), X[:, 0] @ y / (X[:, 0] @ X[:, 0]), rtol=1e-7)
    assert np.isinf(twin.covariance_).all()
    few = NonlinearLeastSquares().fit(X[:2], y[:2])
    assert np.isinf(few.covariance_).all()
    assert_allclose(few.predict(X[:2]), y[:2], rtol=1e-8)


def test_refusals_and_warnings():
    X, y, _ = sample()
    cases = {
        "p0": [
            {"function": growth},
            {"p0": [1.0]},
            {"p0": []},
            {"p0": "abc", "function": growth},
            {"p0": [np.nan, 1, 1], "function": growth},
        ],
        "function": [{"function": 3, "p0": [1]}, {"function": lambda X, t: X, "p0": [1.0]}],
        "jacobian": [{"jacobian": growth_slopes}, {"jacobian": 1, "function": growth, "p0": [1]}],
        "tol": [{"tol": 0.0}],
        "max_iter": [{"max_iter": 0}],
    }
    for name, settings in cases.items():
        for bad in settings:
            with pytest.raises(ValueError, match=f"NonlinearLeastSquares: {name} must be"):
                NonlinearLeastSquares(**bad).fit(X, y)
    with pytest.raises(FitError, match=r"NonlinearLeastSquares: the function .* not finite"):
        NonlinearLeastSquares(function=lambda X, t: X[:, 0] + np.inf * t[0], p0=[1]).fit(X, y)
    with pytest.warns(
        ConvergenceWarning, match="NonlinearLeastSquares: stopped after max_iter=1 steps"
    ):
        NonlinearLeastSquares(function=growth, p0=[5, 1, 1], max_iter=1).fit(X, y)
