"""Bayesian linear regression (linear.16)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2, kstest

from margin.core import Status
from margin.linear import BayesianLinearRegression, Ridge

X_GOLDEN = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
Y_GOLDEN = np.array([1.0, 2.0, 4.0])


def sample(n=80, p=4, noise=0.7, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.5, 2, p) + 1.0
    return X, X @ rng.normal(size=p) + 2.0 + noise * rng.normal(size=n), rng.random(n) + 0.5


def test_golden_numbers():
    """linear.16: Lambda = I, s = 1: mu = (.8, 1.2666667), S = [[.4, -.2], [-.2, .2666667]]."""
    model = BayesianLinearRegression(prior_precision=1.0, noise_variance=1.0, fit_intercept=False)
    model.fit(X_GOLDEN, Y_GOLDEN)
    assert_allclose(model.coef_, [0.8, 1.2666667], atol=5e-8)
    assert_allclose(model.covariance_, [[0.4, -0.2], [-0.2, 0.2666667]], atol=5e-8)
    assert model.intercept_ == 0.0


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_mean_is_the_ridge_estimate(fit_intercept, weighted):
    """linear.16: for Lambda = (lambda / s^2) I, with and without intercept and weights."""
    X, y, s = sample()
    weight = s if weighted else None
    model = BayesianLinearRegression(
        prior_precision=0.6, noise_variance=2.5, fit_intercept=fit_intercept
    ).fit(X, y, sample_weight=weight)
    wanted = Ridge(alpha=0.6 * 2.5, fit_intercept=fit_intercept).fit(X, y, sample_weight=weight)
    assert_allclose(model.coef_, wanted.coef_, rtol=1e-9)
    assert_allclose(model.intercept_, wanted.intercept_, rtol=1e-9)
    assert_allclose(model.predict(X), wanted.predict(X), rtol=1e-9)


def test_learned_precisions_are_a_stationary_point_and_a_maximum():
    """linear.16: no change of either precision raises the evidence."""
    X, y, s = sample()
    model = BayesianLinearRegression(tol=1e-10).fit(X, y, sample_weight=s)
    assert model.fit_report_.status is Status.CONVERGED

    def evidence(a, b):
        fixed = BayesianLinearRegression(
            prior_precision=model.prior_precision_ * np.exp(a),
            noise_variance=model.noise_variance_ * np.exp(b),
        )
        return fixed.fit(X, y, sample_weight=s).log_evidence_

    h = 1e-4
    assert abs(evidence(h, 0) - evidence(-h, 0)) / (2 * h) < 1e-4
    assert abs(evidence(0, h) - evidence(0, -h)) / (2 * h) < 1e-4
    assert_allclose(evidence(0, 0), model.log_evidence_, rtol=1e-12)
    for a in (-2.0, -0.3, 0.0, 0.3, 2.0):
        for b in (-2.0, -0.3, 0.3, 2.0):
            assert evidence(a, b) < model.log_evidence_


@pytest.mark.parametrize("given", [{"prior_precision": 0.5}, {"noise_variance": 0.6}])
def test_what_is_given_is_used_and_only_the_rest_is_learned(given):
    X, y, _ = sample()
    model = BayesianLinearRegression(**given, tol=1e-10).fit(X, y)
    assert getattr(model, f"{next(iter(given))}_") == next(iter(given.values()))
    other = "noise_variance" if "prior_precision" in given else "prior_precision"
    learned = getattr(model, f"{other}_")
    for factor in (0.8, 1.25):
        moved = BayesianLinearRegression(**given, **{other: learned * factor}).fit(X, y)
        assert moved.log_evidence_ < model.log_evidence_


def test_generated_precisions_are_recovered():
    """linear.16: with many coefficients and rows the truth is found within its own error."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 200))
    w = rng.normal(scale=1 / np.sqrt(4.0), size=200)
    y = X @ w + 0.5 * rng.normal(size=3000)
    model = BayesianLinearRegression().fit(X, y)
    assert_allclose(model.prior_precision_, 4.0, rtol=4 * np.sqrt(2 / 200))
    assert_allclose(model.noise_variance_, 0.25, rtol=4 * np.sqrt(2 / 2800))
    assert 195 < model.effective_dof_ < 200


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_posterior_covers_the_coefficients_it_was_drawn_with(fit_intercept):
    """linear.16: (w - m)^T S^-1 (w - m) follows chi-squared over draws from the prior."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 3)) + 1.0
    model = BayesianLinearRegression(
        prior_precision=2.0, noise_variance=0.5, fit_intercept=fit_intercept
    )
    distances = []
    for _ in range(400):
        w = rng.normal(scale=np.sqrt(0.5), size=3)
        y = X @ w + 7.0 * fit_intercept + np.sqrt(0.5) * rng.normal(size=12)
        error = w - model.fit(X, y).coef_
        distances.append(error @ np.linalg.solve(model.covariance_, error))
    assert kstest(distances, chi2(3).cdf).pvalue > 1e-3


def test_predictive_distribution_covers_new_targets():
    """linear.16: intervals of 50, 90 and 99 per cent hold their share of new rows."""
    rng = np.random.default_rng(0)
    w = rng.normal(size=4)
    X = rng.normal(size=(4060, 4)) + 1.0
    y = X @ w + 2.0 + 0.7 * rng.normal(size=4060)
    dist = BayesianLinearRegression().fit(X[:60], y[:60]).predict_dist(X[60:])
    for level in (0.5, 0.9, 0.99):
        low, high = dist.interval(level)
        assert abs(np.mean((low <= y[60:]) & (y[60:] <= high)) - level) < 0.06


def test_predictive_variance_against_an_explicit_intercept_column():
    """linear.16: a nearly flat prior on a column of ones gives the same distribution."""
    X, y, s = sample()
    model = BayesianLinearRegression(prior_precision=0.6, noise_variance=2.5)
    model.fit(X, y, sample_weight=s)
    explicit = BayesianLinearRegression(
        prior_precision=[1e-9, 0.6, 0.6, 0.6, 0.6], noise_variance=2.5, fit_intercept=False
    ).fit(np.column_stack([np.ones(80), X]), y, sample_weight=s)
    new = np.random.default_rng(1).normal(size=(9, 4)) * 5
    a = model.predict_dist(new)
    b = explicit.predict_dist(np.column_stack([np.ones(9), new]))
    assert_allclose(a.mean, b.mean, rtol=1e-6)
    assert_allclose(a.std, b.std, rtol=1e-6)
    mean, std = model.predict(new, return_std=True)
    assert_allclose(mean, model.predict(new), rtol=1e-12)
    assert_array_equal(std, a.std)
    assert np.all(std > np.sqrt(2.5))


def test_predictions_are_least_certain_far_from_the_data():
    X, y, _ = sample()
    model = BayesianLinearRegression().fit(X, y)
    ray = X.mean(axis=0) + np.linspace(0, 50, 20)[:, None] * np.ones(4)
    assert np.diff(model.predict_dist(ray).std).min() > 0


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("parts", [2, 7])
def test_partial_fit_over_batches_is_fit_on_the_whole(fit_intercept, parts):
    """linear.16: online = batch, precisions and all."""
    X, y, s = sample()
    whole = BayesianLinearRegression(fit_intercept=fit_intercept, tol=1e-10)
    whole.fit(X, y, sample_weight=s)
    online = BayesianLinearRegression(fit_intercept=fit_intercept, tol=1e-10)
    for rows in np.array_split(np.arange(80), parts):
        online.partial_fit(X[rows], y[rows], sample_weight=s[rows])
    assert_allclose(online.coef_, whole.coef_, rtol=1e-6)
    assert_allclose(online.covariance_, whole.covariance_, rtol=1e-5, atol=1e-12)
    assert_allclose(online.log_evidence_, whole.log_evidence_, rtol=1e-9)
    again = online.fit(X[:40], y[:40])
    fresh = BayesianLinearRegression(fit_intercept=fit_intercept, tol=1e-10).fit(X[:40], y[:40])
    assert_allclose(again.coef_, fresh.coef_, rtol=1e-8, err_msg="fit must start afresh")


def test_posterior_of_one_batch_is_the_prior_of_the_next():
    """linear.16: sequential Bayesian updating, with the posterior precision as prior matrix."""
    X, y, _ = sample()
    y = y - X @ np.ones(4)
    first = BayesianLinearRegression(prior_precision=0.5, noise_variance=0.8, fit_intercept=False)
    first.fit(X[:30], y[:30])
    second = BayesianLinearRegression(
        prior_precision=np.linalg.inv(first.covariance_), noise_variance=0.8, fit_intercept=False
    ).fit(X[30:], y[30:] - X[30:] @ first.coef_)
    whole = BayesianLinearRegression(prior_precision=0.5, noise_variance=0.8, fit_intercept=False)
    whole.fit(X, y)
    assert_allclose(first.coef_ + second.coef_, whole.coef_, rtol=1e-8)
    assert_allclose(second.covariance_, whole.covariance_, rtol=1e-8, atol=1e-12)


def test_vector_and_matrix_priors_agree():
    X, y, _ = sample()
    lam = np.array([0.1, 1.0, 5.0, 2.0])
    vector = BayesianLinearRegression(prior_precision=lam, noise_variance=1.0).fit(X, y)
    matrix = BayesianLinearRegression(prior_precision=np.diag(lam), noise_variance=1.0).fit(X, y)
    C = X - X.mean(axis=0)
    wanted = np.linalg.solve(C.T @ C + np.diag(lam), C.T @ (y - y.mean()))
    for model in (vector, matrix):
        assert_allclose(model.coef_, wanted, rtol=1e-9)
        assert_allclose(model.covariance_, np.linalg.inv(C.T @ C + np.diag(lam)), rtol=1e-8)


def test_weights_count_rows():
    """linear.16: weight two is the row twice, in coefficients, noise and evidence."""
    X, y, _ = sample()
    count = np.random.default_rng(1).integers(0, 3, size=80)
    rows = np.repeat(np.arange(80), count)
    weighted = BayesianLinearRegression(tol=1e-10).fit(X, y, sample_weight=count)
    repeated = BayesianLinearRegression(tol=1e-10).fit(X[rows], y[rows])
    assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-7)
    assert_allclose(weighted.noise_variance_, repeated.noise_variance_, rtol=1e-7)
    assert_allclose(weighted.log_evidence_, repeated.log_evidence_, rtol=1e-10)


def test_units_of_the_data_do_not_matter():
    X, y, _ = sample()
    base = BayesianLinearRegression(tol=1e-10).fit(X, y)
    for a, b in ((1e5, 1.0), (1.0, 1e-8), (1e-3, 1e6)):
        moved = BayesianLinearRegression(tol=1e-10).fit(a * X + 10 * a, b * y - 3 * b)
        assert_allclose(moved.coef_ * a / b, base.coef_, rtol=1e-6)
        assert_allclose(moved.noise_variance_ / b**2, base.noise_variance_, rtol=1e-6)


def test_exact_data_and_pure_noise_are_noted():
    """The report says when the noise, or the signal, has vanished."""
    X, _, _ = sample()
    exact = BayesianLinearRegression().fit(X, X @ np.ones(4))
    assert_allclose(exact.coef_, 1.0, rtol=1e-5)
    assert any("noise variance is learned as zero" in n for n in exact.fit_report_.notes)
    noise = np.random.default_rng(0).normal(size=80)
    C = X - X.mean(axis=0)
    noise -= C @ np.linalg.lstsq(C, noise, rcond=None)[0]
    flat = BayesianLinearRegression().fit(X, noise)
    assert np.abs(flat.coef_).max() < 1e-3
    assert any("no linear signal" in n for n in flat.fit_report_.notes)
    plain = BayesianLinearRegression().fit(*sample()[:2])
    assert plain.fit_report_.notes == ()


@pytest.mark.parametrize(
    "case", ["constant column", "constant target", "zeros", "wide", "two rows"]
)
def test_degenerate_data_give_a_finite_model(case):
    X, y, _ = sample(n=20, p=3)
    if case == "constant column":
        X[:, 1] = 0.1
    if case == "constant target":
        y[:] = 1 / 3
    if case == "zeros":
        X[:] = 0.0
    if case == "wide":
        X, y, _ = sample(n=6, p=30)
    if case == "two rows":
        X, y = X[:2], y[:2]
    model = BayesianLinearRegression().fit(X, y)
    dist = model.predict_dist(X)
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(dist.mean).all()
    assert np.isfinite(dist.std).all()
    if case == "constant column":
        assert model.coef_[1] == pytest.approx(0.0, abs=1e-12)
    if case == "constant target":
        assert_allclose(model.predict(X), 1 / 3, rtol=1e-9)


def test_float32_in_float32_out():
    X, y, _ = sample()
    model = BayesianLinearRegression().fit(X.astype(np.float32), y)
    assert model.coef_.dtype == np.float32
    assert_allclose(model.coef_, BayesianLinearRegression().fit(X, y).coef_, rtol=1e-4)


def test_refusals_name_class_parameter_requirement_and_value():
    X, y, _ = sample()
    name = "BayesianLinearRegression"
    for bad in (0.0, -1.0, np.nan, "x"):
        with pytest.raises(ValueError, match=f"{name}: noise_variance must be a number above 0"):
            BayesianLinearRegression(noise_variance=bad).fit(X, y)
        with pytest.raises(ValueError, match=f"{name}: prior_precision must be a number above 0"):
            BayesianLinearRegression(prior_precision=bad).fit(X, y)
    with pytest.raises(
        ValueError, match=f"{name}: prior_precision must be a number, a vector of 4"
    ):
        BayesianLinearRegression(prior_precision=[1.0, 2.0]).fit(X, y)
    for bad in (-np.eye(4), np.triu(np.ones((4, 4))), np.zeros(4)):
        with pytest.raises(ValueError, match=f"{name}: prior_precision must be symmetric positive"):
            BayesianLinearRegression(prior_precision=bad).fit(X, y)
    with pytest.raises(ValueError, match=f"{name}: rows must weigh more than 1 sample in total"):
        BayesianLinearRegression().fit(X, y, sample_weight=np.full(80, 1 / 80))
    with pytest.raises(ValueError, match="features"):
        BayesianLinearRegression().fit(X, y).partial_fit(X[:, :2], y)


def test_failed_fit_leaves_the_old_model():
    X, y, _ = sample()
    model = BayesianLinearRegression().fit(X, y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(X, np.full(80, np.nan))
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:, :2], y)
    assert all(vars(model)[k] is before[k] for k in before)
