"""Ordinary and weighted least squares (linear.03, linear.05)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.stats import norm
from sklearn.exceptions import NotFittedError

from margin.core import FitError, Status
from margin.linear import LinearRegression

X_GOLDEN = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
Y_GOLDEN = np.array([1.0, 2.0, 4.0])


def sample(n=60, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, X @ rng.normal(size=p) + 3.0 + rng.normal(size=n), rng.random(n) + 0.1


@pytest.mark.parametrize("solver", ["auto", "cholesky", "svd"])
def test_golden_numbers(solver):
    """linear.03: intercept 5/6 and slope 3/2, with the intercept as a column or as itself."""
    model = LinearRegression(fit_intercept=False, solver=solver).fit(X_GOLDEN, Y_GOLDEN)
    assert_allclose(model.coef_, [5 / 6, 3 / 2], rtol=1e-14)
    assert model.intercept_ == 0.0
    model = LinearRegression(solver=solver).fit(X_GOLDEN[:, 1:], Y_GOLDEN)
    assert_allclose(model.coef_, [3 / 2], rtol=1e-14)
    assert_allclose(model.intercept_, 5 / 6, rtol=1e-14)


@pytest.mark.parametrize("solver", ["auto", "cholesky", "svd"])
def test_weighted_golden_numbers(solver):
    """linear.05: weights (1, 1, 10) per sample give (.80392157, 1.58823529)."""
    weight = [1.0, 1.0, 10.0]
    model = LinearRegression(fit_intercept=False, solver=solver)
    model.fit(X_GOLDEN, Y_GOLDEN, sample_weight=weight)
    assert_allclose(model.coef_, [0.80392157, 1.58823529], atol=5e-9)
    model = LinearRegression(solver=solver).fit(X_GOLDEN[:, 1:], Y_GOLDEN, sample_weight=weight)
    assert_allclose([model.intercept_, *model.coef_], [0.80392157, 1.58823529], atol=5e-9)


def test_centroid_lies_on_the_plane_and_residuals_are_orthogonal():
    """linear.03: the fit goes through the (weighted) means; residuals see no feature."""
    X, y, s = sample()
    for weight in (None, s):
        model = LinearRegression().fit(X, y, sample_weight=weight)
        w = np.ones(60) if weight is None else weight
        centroid = np.average(X, axis=0, weights=w)[None, :]
        assert_allclose(model.predict(centroid), np.average(y, weights=w), rtol=1e-13)
        residual = y - model.predict(X)
        assert_allclose(X.T @ (w * residual), 0.0, atol=1e-11)
        assert abs(w @ residual) < 1e-11


def test_predictions_are_the_hat_matrix_times_the_target():
    """linear.03: H = A (A^T A)^-1 A^T is a projection of rank p + 1."""
    X, y, _ = sample()
    A = np.column_stack([np.ones(60), X])
    H = A @ np.linalg.solve(A.T @ A, A.T)
    assert_allclose(LinearRegression().fit(X, y).predict(X), H @ y, rtol=1e-10)
    assert_allclose(np.trace(H), 5.0)


def test_sampling_law_of_the_coefficients():
    """linear.03: over repeated noise, the mean is the truth and the covariance s^2 (A^T A)^-1."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    truth, sigma = np.array([1.0, -2.0]), 0.7
    Y = (X @ truth)[:, None] + sigma * rng.normal(size=(30, 4000))
    coef = LinearRegression(fit_intercept=False).fit(X, Y).coef_
    law = sigma**2 * np.linalg.inv(X.T @ X)
    z = (coef.mean(axis=0) - truth) / np.sqrt(np.diag(law) / 4000)
    assert np.all(np.abs(z) < norm.ppf(0.9999))
    assert_allclose(np.cov(coef.T), law, rtol=0.1, atol=0.1 * law.max())


@pytest.mark.parametrize("storage", [np.asarray, np.asfortranarray, sparse.csr_array])
def test_weights_are_repetitions_and_zero_is_removal(storage):
    """linear.05: integer weights against repeated rows."""
    X, y, _ = sample()
    count = np.random.default_rng(1).integers(0, 4, size=60)
    rows = np.repeat(np.arange(60), count)
    weighted = LinearRegression().fit(storage(X), y, sample_weight=count)
    repeated = LinearRegression().fit(storage(X[rows]), y[rows])
    assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-9)
    assert_allclose(weighted.intercept_, repeated.intercept_, rtol=1e-9)
    kept = count > 0
    removed = LinearRegression().fit(storage(X[kept]), y[kept], sample_weight=count[kept])
    assert_allclose(weighted.coef_, removed.coef_, rtol=1e-9)


@pytest.mark.parametrize("shape", [(5, 9), (9, 9), (1, 4), (2, 2)])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_fewer_rows_than_columns_interpolate_with_the_least_norm(shape, fit_intercept, storage):
    """linear.09: the pseudo-inverse of the centred design."""
    X, y, _ = sample(*shape)
    model = LinearRegression(fit_intercept=fit_intercept).fit(storage(X), y)
    C = X - X.mean(axis=0) * fit_intercept
    wanted = np.linalg.pinv(C) @ (y - y.mean() * fit_intercept)
    assert_allclose(model.coef_, wanted, atol=1e-8)
    assert_allclose(model.predict(X), y, atol=1e-8)


def test_dependent_columns_share_the_coefficient():
    """linear.09: of all equal fits the one of least norm; the rank is reported."""
    X, y, _ = sample(p=2)
    model = LinearRegression().fit(np.column_stack([X, X[:, 0]]), y)
    alone = LinearRegression().fit(X, y)
    assert_allclose(model.coef_, alone.coef_[[0, 1, 0]] * [0.5, 1, 0.5], rtol=1e-10)
    assert model.rank_ == 2
    assert alone.rank_ == 2
    assert "SVD" in model.fit_report_.solver


def test_one_row_predicts_itself():
    model = LinearRegression().fit([[1.0, 2.0]], [7.0])
    assert_array_equal(model.coef_, [0.0, 0.0])
    assert model.intercept_ == 7.0
    assert model.rank_ == 0


def test_several_targets_are_solved_together():
    """linear.01: one column of the answer per target, each as if it were alone."""
    X, y, s = sample()
    Y = np.column_stack([y, -2 * y + 1, np.sin(y)])
    both = LinearRegression().fit(X, Y, sample_weight=s)
    assert both.coef_.shape == (3, 4)
    assert both.intercept_.shape == (3,)
    assert both.predict(X).shape == (60, 3)
    for k in range(3):
        alone = LinearRegression().fit(X, Y[:, k], sample_weight=s)
        assert_allclose(both.coef_[k], alone.coef_, rtol=1e-10)
        assert_allclose(both.intercept_[k], alone.intercept_, rtol=1e-10)
    single = LinearRegression().fit(X, y[:, None])
    assert single.coef_.shape == (1, 4)
    assert single.predict(X).shape == (60, 1)


def test_float32_in_float32_out():
    X, y, s = sample()
    model = LinearRegression().fit(X.astype(np.float32), y.astype(np.float32), sample_weight=s)
    assert model.coef_.dtype == model.intercept_.dtype == np.float32
    assert model.predict(X.astype(np.float32)).dtype == np.float32
    double = LinearRegression().fit(X.astype(np.float32).astype(float), y, sample_weight=s)
    assert_allclose(model.coef_, double.coef_, rtol=1e-5)


@pytest.mark.parametrize("solver", ["auto", "cholesky", "svd"])
def test_affine_changes_of_the_data_change_the_answer_as_they_must(solver):
    """linear.03: predictions do not depend on the units of the features."""
    X, y, _ = sample()
    base = LinearRegression(solver=solver).fit(X, y)
    scale, shift = np.array([1e-6, 10.0, 1e5, 1.0]), np.array([3.0, -1e4, 5e7, 0.0])
    moved = LinearRegression(solver=solver).fit(scale * X + shift, 5 * y - 7)
    assert_allclose(moved.coef_ * scale, 5 * base.coef_, rtol=1e-6)
    assert_allclose(moved.predict(scale * X + shift), 5 * base.predict(X) - 7, rtol=1e-7)


def test_report_certifies_the_normal_equations():
    X, y, _ = sample()
    report = LinearRegression().fit(X, y).fit_report_
    assert report.status is Status.CONVERGED
    assert report.certificate.kind == "relative residual of the normal equations"
    assert report.certificate.value < 1e-13
    model = LinearRegression().fit(X, y)
    error = y - model.predict(X)
    assert_allclose(model.fit_report_.objective, 0.5 * error @ error, rtol=1e-12)


def test_any_number_of_jobs_gives_the_same_bits():
    X, y, s = sample(n=5000)
    one = LinearRegression(n_jobs=1).fit(X, y, sample_weight=s)
    for n_jobs in (2, 3, -1):
        other = LinearRegression(n_jobs=n_jobs).fit(X, y, sample_weight=s)
        assert_array_equal(other.coef_, one.coef_)
        assert other.intercept_ == one.intercept_


def test_refusals_name_class_parameter_requirement_and_value():
    X, y, _ = sample()
    with pytest.raises(
        ValueError,
        match="LinearRegression: solver must be one of 'auto', 'cholesky', 'svd', got 'lu'",
    ):
        LinearRegression(solver="lu").fit(X, y)
    with pytest.raises(
        ValueError, match="LinearRegression: fit_intercept must be True or False, got 1"
    ):
        LinearRegression(fit_intercept=1).fit(X, y)
    with pytest.raises(ValueError, match="LinearRegression: sample_weight must be of length 60"):
        LinearRegression().fit(X, y, sample_weight=[1.0])
    with pytest.raises(FitError, match="LinearRegression: solver must be 'auto' or 'svd' for dep"):
        LinearRegression(solver="cholesky").fit(np.column_stack([X, X]), y)
    with pytest.raises(NotFittedError):
        LinearRegression().predict(X)


def test_failed_fit_leaves_the_old_model():
    X, y, _ = sample()
    model = LinearRegression().fit(X, y)
    before = dict(vars(model))
    for bad in ({"X": X[:, :2], "y": y[:-1]}, {"X": X, "y": np.full(60, np.nan)}):
        with pytest.raises(ValueError, match=r"inconsistent|NaN"):
            model.fit(**bad)
        assert vars(model).keys() == before.keys()
        assert all(vars(model)[k] is before[k] for k in before)
