"""Hat matrix and shrinkage factors (linear.03, linear.13)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear import LinearRegression, Ridge, hat_matrix, shrinkage_factors, summarise


def sample(n=25, p=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) + 3.0, rng.normal(size=n), rng.random(n) + 0.2


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_is_the_projection_onto_the_columns(fit_intercept):
    """linear.03: symmetric, idempotent, of trace p + 1, and keeps every column as it is."""
    X, y, _ = sample()
    H = hat_matrix(X, fit_intercept=fit_intercept)
    A = np.column_stack([X, np.ones(25)]) if fit_intercept else X
    assert_allclose(H, A @ np.linalg.solve(A.T @ A, A.T), atol=1e-11)
    assert_allclose(H, H.T, atol=1e-12)
    assert_allclose(H @ H, H, atol=1e-12)
    assert_allclose(np.trace(H), A.shape[1])
    assert_allclose(H @ A, A, rtol=1e-10)
    model = LinearRegression(fit_intercept=fit_intercept).fit(X, y)
    assert_allclose(H @ y, model.predict(X), rtol=1e-9)


@pytest.mark.parametrize("alpha", [0.0, 0.8])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("shape", [(25, 4), (5, 9)])
def test_column_is_the_answer_to_a_unit_target(shape, fit_intercept, alpha):
    """linear.03, linear.13: brute force, one fit for every row; weighted, one weight zero."""
    X, _, s = sample(*shape)
    s[1] = 0.0
    H = hat_matrix(X, alpha, fit_intercept=fit_intercept, sample_weight=s)
    model = Ridge(alpha=alpha, fit_intercept=fit_intercept, solver="svd")
    columns = model.fit(X, np.eye(len(X)), sample_weight=s).predict(X)
    assert_allclose(H, columns, atol=1e-9)


def test_diagonal_is_the_leverage_of_the_summary():
    """linear.03: and its trace the effective number of parameters."""
    X, y, s = sample()
    model = Ridge(alpha=2.0).fit(X, y, sample_weight=s)
    table = summarise(model, X, y, s)
    H = hat_matrix(X, 2.0, sample_weight=s)
    assert_allclose(np.diag(H), table.leverage, rtol=1e-9)
    assert_allclose(np.trace(H), table.dof, rtol=1e-9)
    assert_allclose(np.trace(H), 1.0 + shrinkage_factors(X, 2.0, sample_weight=s).sum(), rtol=1e-9)


def test_factors_multiply_the_least_squares_coordinates():
    """linear.13: in the basis of the right singular vectors, and d = 1, 3 give 1/2 and 9/10."""
    X, y, _ = sample()
    _, _, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    plain, shrunk = LinearRegression().fit(X, y).coef_, Ridge(alpha=5.0).fit(X, y).coef_
    factors = shrinkage_factors(X, 5.0)
    assert_allclose(Vt @ shrunk, factors * (Vt @ plain), rtol=1e-8)
    assert (np.diff(factors) <= 0).all()
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 2)))
    assert_allclose(shrinkage_factors(Q * [1.0, 3.0], 1.0, fit_intercept=False), [0.9, 0.5])


def test_dependent_columns_have_no_factor():
    """linear.13: as many factors as the rank; all are 1 without a penalty."""
    X, _, _ = sample()
    factors = shrinkage_factors(np.column_stack([X, X[:, 0], np.full(25, 7.0)]), 0.0)
    assert_allclose(factors, np.ones(4))


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"alpha": -1.0}, "alpha must be a number of at least 0, got -1.0"),
        ({"alpha": np.inf}, "alpha must be finite, got inf"),
        ({"sample_weight": [1.0]}, "sample_weight must be of length 3"),
    ],
)
@pytest.mark.parametrize("function", [hat_matrix, shrinkage_factors])
def test_refusals(function, settings, text):
    with pytest.raises(ValueError, match=f"{function.__name__}: {text}"):
        function(np.eye(3), **settings)
