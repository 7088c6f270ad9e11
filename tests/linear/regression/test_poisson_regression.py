"""Regression of counts (linear.11)."""

import numpy as np
import pytest
import sklearn.linear_model as peers
from numpy.testing import assert_allclose, assert_array_equal
from scipy import optimize, sparse
from sklearn.exceptions import ConvergenceWarning

from margin.core import Status
from margin.distributions import Poisson
from margin.linear import PoissonRegressor, Ridge


def sample(n=200, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.5, 2, p)
    y = rng.poisson(np.exp(0.4 + X @ np.linspace(-0.5, 0.4, p))).astype(float)
    return X, y, rng.random(n) + 0.1


def half_deviance(theta, X, y, s, alpha):
    z = X @ theta[:-1] + theta[-1]
    entropy = np.where(y > 0, y * np.log(np.where(y > 0, y, 1.0)), 0.0)
    return s @ (np.exp(z) - y * z + entropy - y) / s.sum() + alpha / 2 * theta[:-1] @ theta[:-1]


@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
@pytest.mark.parametrize("alpha", [0.0, 0.01, 1.0, 30.0])
def test_equals_scikit_learn(solver, alpha):
    """linear.11: the same alpha is the same model, weights included."""
    X, y, s = sample()
    peer = peers.PoissonRegressor(alpha=alpha, solver="newton-cholesky", tol=1e-12, max_iter=500)
    peer.fit(X, y, sample_weight=s)
    model = PoissonRegressor(alpha=alpha, solver=solver, tol=1e-9, max_iter=500)
    model.fit(X, y, sample_weight=s)
    assert_allclose(model.coef_, peer.coef_, rtol=1e-6, atol=1e-8)
    assert_allclose(model.intercept_, peer.intercept_, rtol=1e-6)
    assert_allclose(model.predict(X), peer.predict(X), rtol=1e-6)


def test_without_intercept_equals_scikit_learn():
    X, y, _ = sample()
    peer = peers.PoissonRegressor(
        alpha=0.1, fit_intercept=False, solver="newton-cholesky", tol=1e-12
    )
    model = PoissonRegressor(alpha=0.1, fit_intercept=False, tol=1e-9).fit(X, y)
    assert_allclose(model.coef_, peer.fit(X, y).coef_, rtol=1e-6)
    assert model.intercept_ == 0.0


def test_objective_and_gradient_recomputed():
    """linear.11: half the mean deviance, by a general minimiser and by the score equations."""
    X, y, s = sample()
    model = PoissonRegressor(alpha=0.3, tol=1e-10).fit(X, y, sample_weight=s)
    mu = np.exp(X @ model.coef_ + model.intercept_)
    score = X.T @ (s * (mu - y)) / s.sum() + 0.3 * model.coef_
    assert np.abs(score).max() < 1e-8
    assert abs(s @ (mu - y)) / s.sum() < 1e-9
    theta = np.append(model.coef_, model.intercept_)
    value = half_deviance(theta, X, y, s, 0.3)
    assert_allclose(model.fit_report_.objective, value, rtol=1e-10)
    found = optimize.minimize(half_deviance, np.zeros(5), (X, y, s, 0.3), tol=1e-10)
    assert value <= found.fun + 1e-10
    assert_allclose(theta, found.x, atol=1e-4)
    assert model.fit_report_.certificate.holds
    assert model.fit_report_.status is Status.CONVERGED


@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
def test_trace_never_rises(solver):
    X, y, _ = sample()
    model = PoissonRegressor(alpha=0.01, solver=solver).fit(X, y)
    trace = model.fit_report_.trace["objective"]
    assert len(trace) > 2
    assert np.diff(trace).max() <= 1e-12


@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_sqrt_link_is_least_squares_on_the_transformed_counts(alpha):
    """linear.11: Anscombe's transform makes it closed-form ridge, with the weights' mean."""
    X, y, s = sample()
    s = s / s.sum()
    model = PoissonRegressor(alpha=alpha, link="sqrt", tol=1e-10).fit(X, y, sample_weight=s)
    A = np.column_stack([X, np.ones(len(y))])
    penalty = np.diag([alpha] * 4 + [0.0])
    theta = np.linalg.solve(A.T @ (s[:, None] * A) + penalty, A.T @ (s * 2 * np.sqrt(y + 0.375)))
    assert_allclose(np.append(model.coef_, model.intercept_), theta, rtol=1e-8)
    twin = Ridge(alpha=alpha).fit(X, 2 * np.sqrt(y + 0.375), sample_weight=s)
    assert_allclose(model.coef_, twin.coef_, rtol=1e-8)
    wanted = np.maximum((A @ theta / 2) ** 2 - 0.375, 0.0)
    assert_allclose(model.predict(X), wanted, rtol=1e-7, atol=1e-9)


def test_sqrt_transform_stabilises_the_variance():
    """linear.11: noise of variance near one whatever the mean, so the shortcut is justified."""
    rng = np.random.default_rng(1)
    for mean in (4.0, 20.0, 100.0):
        counts = rng.poisson(mean, size=200_000)
        assert abs(np.var(2 * np.sqrt(counts + 0.375)) - 1.0) < 0.03
        assert np.var(counts) > 3.5
    X = rng.normal(size=(4000, 1))
    y = rng.poisson((8.0 + X[:, 0]) ** 2 / 4)
    model = PoissonRegressor(alpha=0.0, link="sqrt").fit(X, y)
    assert_allclose(model.coef_, [1.0], atol=0.06)
    assert_allclose(model.intercept_, 8.0, atol=0.06)


def test_two_groups_have_their_means():
    """linear.11: a saturated model fits the group means exactly."""
    X = np.repeat([[0.0], [1.0]], [3, 5], axis=0)
    y = np.array([1.0, 2, 6, 0, 0, 1, 3, 1])
    model = PoissonRegressor(alpha=0.0, tol=1e-12).fit(X, y)
    assert_allclose(model.predict([[0], [1]]), [3.0, 1.0], rtol=1e-9)
    assert_allclose(model.coef_, [-np.log(3.0)], rtol=1e-8)
    strong = PoissonRegressor(alpha=1e8).fit(X, y)
    assert_allclose(strong.predict(X), y.mean(), rtol=1e-6)


@pytest.mark.parametrize("link", ["log", "sqrt"])
def test_sparse_is_dense(link):
    rng = np.random.default_rng(2)
    X = sparse.random(150, 12, density=0.3, random_state=3, format="csr")
    y = rng.poisson(np.exp(0.5 + X @ np.linspace(-1, 1, 12)))
    s = rng.random(150)
    dense = PoissonRegressor(alpha=0.05, link=link, tol=1e-9).fit(X.toarray(), y, sample_weight=s)
    for storage in (sparse.csr_array, sparse.csc_array):
        found = PoissonRegressor(alpha=0.05, link=link, tol=1e-9)
        found.fit(storage(X), y, sample_weight=s)
        assert_allclose(found.coef_, dense.coef_, rtol=1e-6, atol=1e-8)
        assert_allclose(found.predict(storage(X)), dense.predict(X.toarray()), rtol=1e-6)


@pytest.mark.parametrize("link", ["log", "sqrt"])
def test_weights_are_repetitions_and_scale_does_not_matter(link):
    X, y, _ = sample(n=60)
    times = np.random.default_rng(4).integers(0, 4, size=60)
    rows = np.repeat(np.arange(60), times)
    one = PoissonRegressor(link=link, tol=1e-10).fit(X, y, sample_weight=times)
    two = PoissonRegressor(link=link, tol=1e-10).fit(X[rows], y[rows])
    assert_allclose(one.coef_, two.coef_, rtol=1e-7)
    three = PoissonRegressor(link=link, tol=1e-10).fit(X, y, sample_weight=17.0 * times)
    assert_allclose(one.coef_, three.coef_, rtol=1e-7)


def test_bad_targets_and_parameters_are_refused():
    """linear.11: counts are at least 0, and a mean of 0 has no logarithm."""
    X, y, s = sample()
    with pytest.raises(ValueError, match=r"PoissonRegressor: y must be at least 0 .* got -1.0"):
        PoissonRegressor().fit(X, np.where(np.arange(200) == 7, -1.0, y))
    with pytest.raises(ValueError, match="PoissonRegressor: y must be above 0 somewhere"):
        PoissonRegressor().fit(X, np.zeros(200))
    with pytest.raises(ValueError, match="PoissonRegressor: y must be above 0 somewhere"):
        PoissonRegressor().fit(X, y, sample_weight=np.where(y > 0, 0.0, s))
    for bad in ({"alpha": -1.0}, {"link": "probit"}, {"solver": "sgd"}, {"tol": 0.0}):
        with pytest.raises(ValueError, match=f"PoissonRegressor: {next(iter(bad))} must be"):
            PoissonRegressor(**bad).fit(X, y)


def test_cut_short_constant_and_shifted_columns():
    X, y, _ = sample()
    with pytest.warns(ConvergenceWarning, match="PoissonRegressor: "):
        short = PoissonRegressor(alpha=0.0, max_iter=1, tol=1e-12).fit(X, y)
    assert short.fit_report_.status is Status.MAX_ITER
    plain = PoissonRegressor(alpha=0.1, tol=1e-9).fit(X, y)
    moved = PoissonRegressor(alpha=0.1, tol=1e-9).fit(np.column_stack([X + 100, np.ones(200)]), y)
    assert_allclose(moved.coef_[:-1], plain.coef_, rtol=1e-5)
    assert_allclose(moved.coef_[-1], 0.0, atol=1e-10)
    same = PoissonRegressor().fit(X, np.full(200, 4.0))
    assert_allclose(same.predict(X), 4.0, rtol=1e-6)


def test_float32_and_jobs():
    X, y, _ = sample(n=3000)
    one = PoissonRegressor(n_jobs=1).fit(X, y)
    assert_array_equal(PoissonRegressor(n_jobs=2).fit(X, y).coef_, one.coef_)
    single = PoissonRegressor().fit(X.astype(np.float32), y)
    assert single.coef_.dtype == np.float32
    assert single.predict(X.astype(np.float32)).dtype == np.float32
    assert_allclose(single.coef_, one.coef_, atol=1e-4)


@pytest.mark.parametrize("link", ["log", "sqrt"])
def test_law_of_the_counts(link):
    """linear.11, distributions.09: Poisson around the predicted mean, with honest intervals."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(4000, 2))
    rate = np.exp(0.5 * X[:, 0] - 0.3 * X[:, 1] + 1.0)
    y = rng.poisson(rate)
    model = PoissonRegressor(alpha=0.0, link=link).fit(X[:2000], y[:2000])
    law = model.predict_dist(X[2000:])
    assert isinstance(law, Poisson)
    assert_array_equal(law.mean, model.predict(X[2000:]))
    assert_allclose(np.exp(law.log_prob(0.0)), np.exp(-law.mean))
    if link == "log":
        exact = Poisson(rate[2000:])
        gap = np.mean(exact.log_prob(y[2000:]) - law.log_prob(y[2000:]))
        assert abs(gap) < 0.01
        assert np.mean(y[2000:] <= law.quantile(0.9)) > 0.9


def test_score_is_the_share_of_the_deviance_explained():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = rng.poisson(np.exp(X @ [0.5, -0.3, 0.0]))
    s = rng.uniform(0.1, 2.0, 200)
    model = PoissonRegressor(alpha=0.01, tol=1e-8).fit(X, y, sample_weight=s)
    peer = peers.PoissonRegressor(alpha=0.01, tol=1e-10, max_iter=500).fit(X, y, sample_weight=s)
    assert_allclose(model.score(X, y, s), peer.score(X, y, s), rtol=1e-8)
    mean = np.average(y, weights=s)
    half = np.sum(s * (np.where(y > 0, y * np.log(np.maximum(y, 1) / mean), 0) - y + mean))
    mu = model.predict(X)
    fit = np.sum(s * (np.where(y > 0, y * np.log(np.maximum(y, 1) / mu), 0) - y + mu))
    assert_allclose(model.score(X, y, s), 1 - fit / half, rtol=1e-12)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("solver", ["newton-cholesky", "lbfgs"])
def test_warm_start_begins_at_the_last_fit(solver, intercept):
    rng = np.random.default_rng(0)
    X = rng.normal(2.0, size=(100, 3))
    y = rng.poisson(np.exp(0.3 * X[:, 0]))
    model = PoissonRegressor(solver=solver, warm_start=True, fit_intercept=intercept).fit(X, y)
    coef, cold = model.coef_, model.n_iter_
    model.fit(X, y)
    assert model.n_iter_ < cold
    assert_allclose(model.coef_, coef, rtol=1e-5)
