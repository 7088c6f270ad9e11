"""Constrained and minimum-norm least squares (linear.09)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import optimize

from margin.core import FitError, Status
from margin.linear import ConstrainedLeastSquares, LinearRegression


def sample(n=40, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.5, 5, p) + 1.0
    coef = np.array([1.5, -0.8, 0.3, 0.05, 2.0, -1.0])[:p]
    return X, X @ coef + 2.0 + 0.3 * rng.normal(size=n), rng.random(n) + 0.1


def objective(theta, X, y, s):
    return 0.5 * s @ (y - X @ theta[:-1] - theta[-1]) ** 2


def by_slsqp(X, y, s, bounds):
    """A general solver on the same problem."""
    p = X.shape[1]
    return optimize.minimize(
        objective,
        np.append(np.full(p, 0.1), 0.0),
        (X, y, s),
        method="SLSQP",
        bounds=[*bounds, (None, None)],
        options={"ftol": 1e-15, "maxiter": 2000},
    )


def theta_of(model):
    return np.append(model.coef_, model.intercept_)


def test_equations_solve_the_kkt_system():
    """linear.09: the bordered normal equations, intercept and weights written out."""
    X, y, s = sample()
    A, c = np.array([[1.0, 1, 1, 1], [1, -1, 0, 2]]), np.array([1.0, 0.5])
    model = ConstrainedLeastSquares(equality=(A, c)).fit(X, y, sample_weight=s)
    B = np.column_stack([X, np.ones(40)])
    wide = np.column_stack([A, np.zeros(2)])
    system = np.block([[B.T @ (s[:, None] * B), wide.T], [wide, np.zeros((2, 2))]])
    wanted = np.linalg.solve(system, np.append(B.T @ (s * y), c))
    assert_allclose(theta_of(model), wanted[:5], rtol=1e-9)
    assert_allclose(model.multipliers_, wanted[5:], rtol=1e-8)
    assert_allclose(A @ model.coef_, c, atol=1e-12)


def test_multipliers_are_the_price_of_the_equations():
    """linear.09: the objective moves by minus the multiplier as the right side does."""
    X, y, _ = sample()
    a = np.ones(4)
    value = [
        ConstrainedLeastSquares(equality=(a, c)).fit(X, y).fit_report_.objective
        for c in (1 - 1e-4, 1 + 1e-4)
    ]
    model = ConstrainedLeastSquares(equality=(a, 1.0)).fit(X, y)
    assert_allclose((value[1] - value[0]) / 2e-4, -model.multipliers_[0], rtol=1e-5)


@pytest.mark.parametrize("bounds", [(0.0, None), (None, 0.2), (-0.1, 0.4)])
def test_bounds_agree_with_a_general_solver(bounds):
    """linear.09: with an intercept that no bound touches, and weights."""
    X, y, s = sample(p=6)
    model = ConstrainedLeastSquares(lower=bounds[0], upper=bounds[1])
    model.fit(X, y, sample_weight=s)
    found = by_slsqp(X, y, s, bounds=[bounds] * 6)
    assert objective(theta_of(model), X, y, s) <= found.fun * (1 + 1e-9)
    assert_allclose(theta_of(model), found.x, atol=2e-4)
    assert model.active_.any()
    assert model.coef_.min() >= (-np.inf if bounds[0] is None else bounds[0])
    assert model.coef_.max() <= (np.inf if bounds[1] is None else bounds[1])


def test_positive_is_non_negative_least_squares():
    """linear.09: and scikit-learn's and SciPy's."""
    X, y, _ = sample(p=6)
    model = ConstrainedLeastSquares(positive=True, fit_intercept=False).fit(X, y)
    wanted, norm = optimize.nnls(X, y)
    assert_allclose(model.coef_, wanted, atol=1e-9)
    assert_allclose(model.fit_report_.objective, norm**2 / 2, rtol=1e-10)
    assert_array_equal(model.active_, wanted == 0)
    assert wanted.min() == 0.0


def test_brute_force_over_active_sets():
    """linear.09: every choice of coefficients at a bound, the best feasible one wins."""
    X, y, _ = sample(p=3)
    lower, upper = np.array([-0.2, -0.5, 0.4]), np.array([0.9, 0.1, 2.0])
    best = np.inf
    for code in np.ndindex(3, 3, 3):
        w = np.where(np.array(code) == 1, lower, upper)
        free = np.array(code) == 0
        rest = y - X[:, ~free] @ w[~free]
        w[free] = np.linalg.lstsq(X[:, free], rest)[0] if free.any() else 0.0
        if (w >= lower - 1e-12).all() and (w <= upper + 1e-12).all():
            best = min(best, 0.5 * np.sum((y - X @ w) ** 2))
    model = ConstrainedLeastSquares(lower=lower, upper=upper, fit_intercept=False).fit(X, y)
    assert_allclose(model.fit_report_.objective, best, rtol=1e-10)


def best_shares(X, y, s):
    """Weighted least squares on the simplex: every choice of shares above 0, the best that is."""
    n, p = X.shape
    best, theta = np.inf, None
    for code in range(1, 2**p):
        free = np.array([code >> j & 1 for j in range(p)], dtype=bool)
        k = int(free.sum())
        B = np.column_stack([X[:, free], np.ones(n)])
        border = np.append(np.ones(k), 0.0)[:, None]
        system = np.block([[B.T @ (s[:, None] * B), border], [border.T, np.zeros((1, 1))]])
        part = np.linalg.solve(system, np.append(B.T @ (s * y), 1.0))[: k + 1]
        if part[:k].min() < 0:
            continue
        full = np.zeros(p + 1)
        full[:p][free], full[p] = part[:k], part[k]
        if objective(full, X, y, s) < best:
            best, theta = objective(full, X, y, s), full
    return best, theta


@pytest.mark.parametrize(("p", "tilt"), [(6, 0.0), (6, 0.5), (3, -0.3)])
def test_shares_that_sum_to_one_and_are_not_negative(p, tilt):
    """linear.09: equations and bounds together, against brute force over all active sets."""
    X, y, s = sample(p=p)
    y = y + tilt * X @ np.ones(p)
    model = ConstrainedLeastSquares(equality=(np.ones((1, p)), [1.0]), positive=True)
    model.fit(X, y, sample_weight=s)
    value, theta = best_shares(X, y, s)
    assert_allclose(model.coef_.sum(), 1.0, rtol=1e-10)
    assert model.coef_.min() >= 0.0
    assert_allclose(objective(theta_of(model), X, y, s), value, rtol=1e-9)
    assert_allclose(theta_of(model), theta, atol=1e-8)
    error = X @ model.coef_ + model.intercept_ - y
    slope = X.T @ (s * error) + model.multipliers_
    free = model.coef_ > 0
    assert 0 < free.sum() < p
    assert np.abs(slope[free]).max() < 1e-6
    assert slope[~free].min() > 0.0
    assert model.fit_report_.certificate.value < 1e-9


def test_minimum_norm_for_fewer_rows_than_columns():
    """linear.09: the pseudo-inverse; and under equations the shortest of the best."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(5, 12)), rng.normal(size=5)
    plain = ConstrainedLeastSquares(fit_intercept=False).fit(X, y)
    assert_allclose(plain.coef_, np.linalg.pinv(X) @ y, rtol=1e-9)
    a = rng.normal(size=12)
    model = ConstrainedLeastSquares(equality=(a, 2.0), fit_intercept=False).fit(X, y)
    both = np.linalg.pinv(np.vstack([X, a])) @ np.append(y, 2.0)
    assert_allclose(model.coef_, both, rtol=1e-9)
    assert model.fit_report_.objective < 1e-25


def test_without_constraints_it_is_linear_regression():
    X, y, s = sample()
    plain = LinearRegression().fit(X, y, sample_weight=s)
    for loose in ({}, {"lower": -1e6, "upper": 1e6}, {"lower": -np.inf}):
        model = ConstrainedLeastSquares(**loose).fit(X, y, sample_weight=s)
        assert_allclose(theta_of(model), theta_of(plain), rtol=1e-8)
        assert not model.active_.any()
        assert model.fit_report_.status is Status.CONVERGED


def test_fixed_coefficients_and_units():
    X, y, _ = sample()
    model = ConstrainedLeastSquares(
        lower=[0.5, -np.inf, 0.0, -1], upper=[0.5, np.inf, 0.0, np.inf]
    ).fit(X, y)
    wanted = LinearRegression().fit(X[:, [1, 3]], y - 0.5 * X[:, 0])
    assert_allclose(model.coef_, [0.5, wanted.coef_[0], 0.0, wanted.coef_[1]], rtol=1e-9)
    all_fixed = ConstrainedLeastSquares(lower=1.0, upper=1.0).fit(X, y)
    assert_array_equal(all_fixed.coef_, 1.0)
    assert_allclose(all_fixed.intercept_, np.mean(y - X.sum(axis=1)))
    units = np.array([1e-6, 1.0, 1e3, 1e6])
    one = ConstrainedLeastSquares(positive=True).fit(X, y)
    two = ConstrainedLeastSquares(positive=True).fit(X * units, y)
    assert_allclose(two.coef_ * units, one.coef_, rtol=1e-7, atol=1e-12)


def test_weights_are_repetitions():
    X, y, _ = sample()
    times = np.random.default_rng(2).integers(0, 4, size=40)
    rows = np.repeat(np.arange(40), times)
    settings = {"equality": (np.ones(4), 1.0), "lower": -0.1}
    one = ConstrainedLeastSquares(**settings).fit(X, y, sample_weight=times)
    two = ConstrainedLeastSquares(**settings).fit(X[rows], y[rows])
    assert_allclose(theta_of(one), theta_of(two), rtol=1e-8, atol=1e-10)


def test_contradictions_and_bad_parameters_are_refused():
    X, y, _ = sample()
    apart = np.array([[1.0, 1, 0, 0], [2.0, 2, 0, 0]])
    with pytest.raises(FitError, match="ConstrainedLeastSquares: equality must be satisfiable"):
        ConstrainedLeastSquares(equality=(apart, [1.0, 3.0])).fit(X, y)
    same = ConstrainedLeastSquares(equality=(apart, [1.0, 2.0])).fit(X, y)
    assert_allclose(same.coef_[:2].sum(), 1.0)
    with pytest.raises(FitError, match="satisfiable within the bounds"):
        ConstrainedLeastSquares(equality=(np.ones(4), -1.0), positive=True).fit(X, y)
    for bad in (
        {"equality": (np.ones(3), 1.0)},
        {"equality": "sum"},
        {"equality": (np.full(4, np.nan), 1.0)},
        {"lower": [0.0, 1.0]},
        {"upper": np.nan},
        {"upper": -1.0, "positive": True},
        {"positive": 1},
    ):
        with pytest.raises(ValueError, match=f"ConstrainedLeastSquares: {next(iter(bad))} must be"):
            ConstrainedLeastSquares(**bad).fit(X, y)
