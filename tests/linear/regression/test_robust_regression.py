"""Linear regression with robust losses (linear.12)."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import optimize
from sklearn.exceptions import ConvergenceWarning

from margin.core import Status
from margin.linear import LinearRegression, Ridge, RobustRegressor

LOSSES = ["huber", "absolute", "tukey"]


def sample(n=80, p=3, share=0.0, seed=0):
    """Noisy plane; a share of the rows is lifted far away from it, where leverage is high."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.5, 2, p)
    coef = np.linspace(-1.0, 2.0, p)
    y = X @ coef + 3.0 + 0.2 * rng.normal(size=n)
    far = np.argsort(-X[:, -1])[: int(share * n)]
    y[far] -= 40.0
    return X, y, coef, far


def rho(loss, delta, u):
    """The losses written out, independently of the code under test."""
    a = np.abs(u)
    if loss == "tukey":
        inside = delta**2 / 6 * (1 - (1 - (u / delta) ** 2) ** 3)
        return np.where(a < delta, inside, delta**2 / 6)
    return np.where(a < delta, u**2 / 2, delta * a - delta**2 / 2)


def objective(theta, X, y, s, loss, delta, scale, alpha=0.0):
    u = (y - X @ theta[:-1] - theta[-1]) / scale
    return s @ rho(loss, delta, u) + alpha / (2 * scale**2) * theta[:-1] @ theta[:-1]


def theta_of(model):
    return np.append(model.coef_, model.intercept_)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("share", [0.1, 0.2])
def test_outliers_do_not_break_the_fit(loss, share):
    """linear.12: a fifth of the rows cannot move the plane; they throw least squares away."""
    X, y, coef, _ = sample(n=200, share=0.0)
    bad = np.random.default_rng(1).permutation(200)[: int(share * 200)]
    y[bad] += 60.0
    robust = RobustRegressor(loss=loss).fit(X, y)
    plain = LinearRegression().fit(X, y)
    assert np.abs(robust.coef_ - coef).max() < 0.12
    assert abs(robust.intercept_ - 3.0) < 0.35
    assert abs(plain.intercept_ - 3.0) > 4.0


@pytest.mark.parametrize("share", [0.2, 0.3])
def test_tukey_ignores_far_outliers(share):
    """linear.12: weights of exactly zero, so the answer is the one without those rows."""
    X, y, coef, _ = sample(n=200)
    bad = np.random.default_rng(2).permutation(200)[: int(share * 200)]
    y[bad] += 60.0
    model = RobustRegressor(loss="tukey").fit(X, y)
    assert_array_equal(model.weights_[bad], 0.0)
    kept = np.setdiff1d(np.arange(200), bad)
    assert model.weights_[kept].min() > 0.0
    assert np.abs(model.coef_ - coef).max() < 0.1
    further = y.copy()
    further[bad] += 1e6
    assert_allclose(RobustRegressor(loss="tukey").fit(X, further).coef_, model.coef_, atol=1e-3)
    plain = LinearRegression().fit(X, y)
    assert abs(plain.intercept_ - 3.0) > 10.0


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("alpha", [0.0, 3.0])
def test_objective_trace_never_rises(loss, alpha):
    """linear.12: each reweighted parabola lies above the loss; and the report tells the truth."""
    X, y, _, _ = sample(share=0.2)
    s = np.random.default_rng(3).random(len(y)) + 0.1
    model = RobustRegressor(loss=loss, alpha=alpha, max_iter=1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the absolute value creeps
        model.fit(X, y, sample_weight=s)
    trace = model.fit_report_.trace["objective"]
    assert len(trace) == model.n_iter_ + 1
    assert len(trace) > 3
    assert np.diff(trace).max() <= 1e-12 * trace[0]
    delta = {"huber": 1.345, "tukey": 4.685, "absolute": 1e-3}[loss]
    value = objective(theta_of(model), X, y, s, loss, delta, model.scale_, alpha)
    assert_allclose(model.fit_report_.objective, value, rtol=1e-9)
    assert_allclose(trace[-1], value, rtol=1e-9)


@pytest.mark.parametrize("loss", ["huber", "tukey"])
@pytest.mark.parametrize("alpha", [0.0, 2.0])
def test_agrees_with_a_general_minimiser(loss, alpha):
    """linear.12: the same objective at the same scale, minimised without derivatives of ours."""
    X, y, _, _ = sample(n=50, p=2, share=0.15)
    s = np.random.default_rng(4).random(50) + 0.2
    model = RobustRegressor(loss=loss, alpha=alpha, tol=1e-10, max_iter=2000)
    model.fit(X, y, sample_weight=s)
    delta = {"huber": 1.345, "tukey": 4.685}[loss]
    rest = (X, y, s, loss, delta, model.scale_, alpha)
    # Tukey's objective has several valleys: the search starts beside ours, not on it.
    found = optimize.minimize(
        objective,
        theta_of(model) + 0.02,
        rest,
        method="Nelder-Mead",
        options={"xatol": 1e-10, "fatol": 1e-13, "maxiter": 20000, "maxfev": 20000},
    )
    assert model.fit_report_.objective <= found.fun + 1e-9
    assert_allclose(theta_of(model), found.x, atol=2e-6)


@pytest.mark.parametrize("loss", ["huber", "tukey"])
def test_gradient_vanishes_at_the_answer(loss):
    """linear.12: the weights the fit reports solve the estimating equation."""
    X, y, _, _ = sample(share=0.1)
    model = RobustRegressor(loss=loss, alpha=0.7, tol=1e-11, max_iter=1000).fit(X, y)
    r = y - model.predict(X)
    u = np.abs(r) / model.scale_
    if loss == "huber":
        wanted = np.minimum(1.0, 1.345 / u)
    else:
        wanted = np.where(u < 4.685, (1 - (u / 4.685) ** 2) ** 2, 0.0)
    assert_allclose(model.weights_, wanted, atol=1e-9)
    assert np.abs(X.T @ (model.weights_ * r) - 0.7 * model.coef_).max() < 1e-8
    assert abs(model.weights_ @ r) < 1e-8


def absolute_by_linear_program(X, y, s):
    """min s^T t subject to -t <= y - Xw - b <= t."""
    n, p = X.shape
    A = np.column_stack([X, np.ones(n)])
    bounds = [(None, None)] * (p + 1) + [(0, None)] * n
    rows = np.block([[-A, -np.eye(n)], [A, -np.eye(n)]])
    cost = np.append(np.zeros(p + 1), s)
    return optimize.linprog(cost, rows, np.append(-y, y), bounds=bounds)


def test_absolute_is_least_absolute_deviations():
    """linear.12: a linear program knows the exact optimum, weights included."""
    X, y, _, _ = sample(n=61, share=0.15)
    s = np.random.default_rng(5).random(61) + 0.1
    best = absolute_by_linear_program(X, y, s)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = RobustRegressor(loss="absolute", delta=1e-4, max_iter=5000)
        model.fit(X, y, sample_weight=s)
    value = s @ np.abs(y - model.predict(X))
    # Rounding the tip by delta costs at most delta * scale / 2 for each row.
    assert best.fun <= value <= best.fun + 1e-4 * model.scale_ * s.sum()
    assert_allclose(theta_of(model), best.x[:4], atol=1e-3)


def test_location_is_the_median():
    """linear.12: without features that matter, absolute errors give the median, not the mean."""
    y = np.array([1.0, 2.0, 3.0, 50.0, 900.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = RobustRegressor(loss="absolute", delta=1e-6, max_iter=3000)
        model.fit(np.zeros((5, 1)), y)
    assert_allclose(model.intercept_, 3.0, atol=1e-3)


@pytest.mark.parametrize("alpha", [0.0, 2.5])
def test_a_wide_huber_is_ridge(alpha):
    """linear.12: where no residual leaves the parabola."""
    X, y, _, _ = sample()
    wanted = Ridge(alpha=alpha).fit(X, y)
    model = RobustRegressor(delta=1e6, alpha=alpha).fit(X, y)
    assert_allclose(model.coef_, wanted.coef_, rtol=1e-9)
    assert_array_equal(model.weights_, 1.0)
    tukey = RobustRegressor(loss="tukey", delta=1e6, alpha=alpha).fit(X, y)
    assert_allclose(tukey.coef_, wanted.coef_, rtol=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_are_repetitions(loss):
    X, y, _, _ = sample(n=60, share=0.1)
    times = np.random.default_rng(6).integers(0, 4, size=60)
    rows = np.repeat(np.arange(60), times)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        one = RobustRegressor(loss=loss, max_iter=500).fit(X, y, sample_weight=times)
        two = RobustRegressor(loss=loss, max_iter=500).fit(X[rows], y[rows])
    assert_allclose(one.scale_, two.scale_, rtol=1e-9)
    assert_allclose(theta_of(one), theta_of(two), rtol=1e-7, atol=1e-9)
    assert_allclose(one.weights_[rows], two.weights_, atol=1e-7)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("level", [0.0, 2.5, -1e8])
def test_constant_target(loss, level):
    X, _, _, _ = sample()
    model = RobustRegressor(loss=loss).fit(X, np.full(len(X), level))
    assert_allclose(model.predict(X), level, rtol=1e-10, atol=1e-12)
    assert model.fit_report_.status is Status.CONVERGED


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("share", [0.0, 0.2])
def test_exact_line_is_found_through_outliers(loss, share):
    """linear.12: no noise at all leaves no scale to measure by; the line is still the answer."""
    X, _, coef, _ = sample()
    y = X @ coef + 3.0
    bad = np.random.default_rng(7).permutation(80)[: int(share * 80)]
    y[bad] += 25.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = RobustRegressor(loss=loss).fit(X, y)
    assert_allclose(model.coef_, coef, atol=1e-3)
    assert_allclose(model.intercept_, 3.0, atol=1e-3)
    if share == 0.0:
        assert_allclose(model.coef_, coef, atol=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_units_of_target_and_features(loss):
    """linear.12: the scale makes the fit equivariant."""
    X, y, _, _ = sample(share=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        one = RobustRegressor(loss=loss, max_iter=400).fit(X, y)
        two = RobustRegressor(loss=loss, max_iter=400).fit(X * 100.0, 7.0 - 1e4 * y)
    assert_allclose(two.scale_, 1e4 * one.scale_, rtol=1e-6)
    assert_allclose(two.coef_, -100.0 * one.coef_, rtol=1e-5, atol=1e-5)


def test_cut_short_warns_and_bad_parameters_are_refused():
    X, y, _, _ = sample(share=0.2)
    with pytest.warns(ConvergenceWarning, match="RobustRegressor: stopped after max_iter=1"):
        model = RobustRegressor(max_iter=1, tol=1e-14).fit(X, y)
    assert model.fit_report_.status is Status.MAX_ITER
    assert not model.fit_report_.certificate.holds
    for bad in ({"delta": 0.0}, {"alpha": -1.0}, {"loss": "cauchy"}, {"tol": 0}, {"max_iter": 0}):
        with pytest.raises(ValueError, match=f"RobustRegressor: {next(iter(bad))} must be"):
            RobustRegressor(**bad).fit(X, y)


def test_no_intercept_float32_and_jobs():
    X, y, _, _ = sample(n=300, share=0.1)
    through_origin = RobustRegressor(fit_intercept=False).fit(X, y)
    assert through_origin.intercept_ == 0.0
    assert_allclose(through_origin.predict(np.zeros((1, 3))), 0.0)
    one = RobustRegressor(n_jobs=1).fit(X, y)
    assert_array_equal(RobustRegressor(n_jobs=2).fit(X, y).coef_, one.coef_)
    single = RobustRegressor().fit(X.astype(np.float32), y)
    assert single.coef_.dtype == np.float32
    assert_allclose(single.coef_, one.coef_, atol=1e-4)


@pytest.mark.parametrize("loss", ["huber", "absolute", "tukey"])
def test_law_of_a_new_target(loss):
    """linear.12: the variance of the predictions over repeated noise, plus the noise."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 2)) + 1.0
    new = np.array([[1.0, 1.0], [4.0, -3.0]])
    predictions, variances = [], []
    for _ in range(300):
        y = X @ [1.0, -2.0] + 3.0 + 0.5 * rng.normal(size=60)
        law = RobustRegressor(loss=loss, tol=1e-3, max_iter=1000).fit(X, y).predict_dist(new)
        predictions.append(law.mean)
        variances.append(law.var)
    wanted = np.var(predictions, axis=0) + 0.25
    assert_allclose(np.mean(variances, axis=0), wanted, rtol=0.12)
    assert wanted[1] > 1.2 * wanted[0]


def test_outliers_do_not_widen_the_law():
    """linear.12: the scale is that of the bulk, by the median absolute residual."""
    X, y, _, _ = sample()
    clean = RobustRegressor(loss="tukey").fit(X, y).predict_dist(X)
    y = y.copy()
    y[:3] += 1e4
    spoilt = RobustRegressor(loss="tukey").fit(X, y).predict_dist(X)
    assert_allclose(spoilt.std, clean.std, rtol=0.25)


def test_law_with_a_wide_huber_is_that_of_ridge():
    """linear.12: the same form, with the scale by the median instead of the squares."""
    X, y, _, _ = sample()
    s = np.random.default_rng(1).random(80) + 0.2
    robust = RobustRegressor(delta=1e6, alpha=2.5).fit(X, y, sample_weight=s)
    ridge = Ridge(alpha=2.5).fit(X, y, sample_weight=s).predict_dist(X)
    noise = float(s @ (y - robust.predict(X)) ** 2 / ridge.df[0]) ** 0.5
    assert_allclose(robust.predict_dist(X).std / robust.scale_, ridge.scale / noise, rtol=1e-6)
