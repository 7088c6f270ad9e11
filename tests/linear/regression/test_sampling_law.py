import numpy as np
import pandas as pd
import pytest
from scipy import stats

from margin.linear import LinearRegression, Ridge, summarise


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    return X, 1.0 + X @ [2.0, 0.0, -1.0] + rng.standard_normal(60)


def test_one_feature_agrees_with_linregress(rows):
    """linear.03: sampling law N(b, (X'X)^-1 s^2)"""
    X, y = rows
    found = summarise(LinearRegression().fit(X[:, :1], y), X[:, :1], y)
    theirs = stats.linregress(X[:, 0], y)
    np.testing.assert_allclose(found.coef, [theirs.intercept, theirs.slope])
    np.testing.assert_allclose(found.std_error, [theirs.intercept_stderr, theirs.stderr])
    assert found.p_value[1] == pytest.approx(theirs.pvalue)
    assert found.r2 == pytest.approx(theirs.rvalue**2)
    assert found.f_value == pytest.approx(found.t_value[1] ** 2)


def test_closed_forms(rows):
    """linear.03: hat matrix, leverage, information criteria"""
    X, y = rows
    found = summarise(LinearRegression().fit(X, y), X, y)
    A = np.column_stack([np.ones(60), X])
    hat = A @ np.linalg.inv(A.T @ A) @ A.T
    np.testing.assert_allclose(found.leverage, np.diag(hat))
    assert found.dof == pytest.approx(4)
    rss = np.sum((y - hat @ y) ** 2)
    assert found.sigma2 == pytest.approx(rss / 56)
    np.testing.assert_allclose(found.covariance, rss / 56 * np.linalg.inv(A.T @ A))
    log_likelihood = stats.norm(0, np.sqrt(rss / 60)).logpdf(y - hat @ y).sum()
    assert found.aic == pytest.approx(2 * 5 - 2 * log_likelihood)
    assert found.bic == pytest.approx(5 * np.log(60) - 2 * log_likelihood)


def test_cooks_distance_is_the_effect_of_leaving_a_row_out(rows):
    X, y = rows
    model = LinearRegression().fit(X, y)
    found = summarise(model, X, y)
    keep = np.arange(60) != 7
    less = LinearRegression().fit(X[keep], y[keep])
    moved = np.sum((model.predict(X) - less.predict(X)) ** 2)
    assert found.cooks_distance[7] == pytest.approx(moved / (4 * found.sigma2))


def test_intervals_cover(rows):
    rng = np.random.default_rng(1)
    X, _ = rows
    hits = 0
    for _ in range(400):
        y = X @ [1.0, 2.0, 3.0] + rng.standard_normal(60)
        found = summarise(LinearRegression().fit(X, y), X, y, level=0.9)
        hits += found.low[1] <= 1.0 <= found.high[1]
    assert hits / 400 == pytest.approx(0.9, abs=0.05)


def test_ridge_uses_effective_degrees_of_freedom(rows):
    """linear.13: sum of the shrinkage factors d^2 / (d^2 + alpha), plus the intercept"""
    X, y = rows
    found = summarise(Ridge(alpha=5.0).fit(X, y), X, y)
    d = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    assert found.dof == pytest.approx(1 + np.sum(d**2 / (d**2 + 5.0)))
    assert found.prss == pytest.approx(found.rss + 5.0 * np.sum(found.coef[1:] ** 2))


def test_weights_are_repetitions(rows):
    X, y = rows
    counts = np.random.default_rng(2).integers(1, 4, size=60)
    again = np.repeat(np.arange(60), counts)
    a = summarise(LinearRegression().fit(X, y, counts), X, y, counts)
    b = summarise(LinearRegression().fit(X[again], y[again]), X[again], y[again])
    np.testing.assert_allclose(a.std_error, b.std_error)
    assert a.aic == pytest.approx(b.aic)


def test_reads_well_and_converts(rows):
    X, y = rows
    frame = pd.DataFrame(X, columns=["age", "height", "dose"])
    found = summarise(LinearRegression().fit(frame, y), frame, y)
    assert list(found.to_frame().index) == ["intercept", "age", "height", "dose"]
    text = repr(found)
    assert "R²" in text
    assert "95 % interval" in text
    assert max(map(len, text.splitlines())) <= 100


def test_refusals(rows):
    X, y = rows
    with pytest.raises(ValueError, match="summarise: level must be between 0 and 1, got 2"):
        summarise(LinearRegression().fit(X, y), X, y, level=2)
    model = LinearRegression().fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="summarise: model must be fitted to one target"):
        summarise(model, X, y)
