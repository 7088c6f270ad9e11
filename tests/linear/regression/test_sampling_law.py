import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
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


LONGLEY = """
60323 83.0 234289 2356 1590 107608 1947
61122 88.5 259426 2325 1456 108632 1948
60171 88.2 258054 3682 1616 109773 1949
61187 89.5 284599 3351 1650 110929 1950
63221 96.2 328975 2099 3099 112075 1951
63639 98.1 346999 1932 3594 113270 1952
64989 99.0 365385 1870 3547 115094 1953
63761 100.0 363112 3578 3350 116219 1954
66019 101.2 397469 2904 3048 117388 1955
67857 104.6 419180 2822 2857 118734 1956
68169 108.4 442769 2936 2798 120445 1957
66513 110.8 444546 4681 2637 121950 1958
68655 112.6 482704 3813 2552 123366 1959
69564 114.2 502601 3931 2514 125368 1960
69331 115.7 518173 4806 2572 127852 1961
70551 116.9 554894 4007 2827 130081 1962
"""


def test_columns_far_from_zero_keep_their_standard_errors():
    """The closed form of one centred column; products of the design would lose every digit."""
    x = 1e5 + np.arange(30.0)
    y = 2 * x + np.cos(np.arange(30.0))
    table = LinearRegression().fit(x[:, None], y).summary(x[:, None], y)
    squares = np.sum((x - x.mean()) ** 2)
    sigma2 = table.rss / 28
    assert_allclose(table.std_error[1], np.sqrt(sigma2 / squares), rtol=1e-6)
    wanted = np.sqrt(sigma2 * (1 / 30 + x.mean() ** 2 / squares))
    assert_allclose(table.std_error[0], wanted, rtol=1e-6)
    assert_allclose(table.leverage, 1 / 30 + (x - x.mean()) ** 2 / squares, rtol=1e-6)


def test_longley_to_the_digits_of_nist():
    """Certified values of the statistical reference data set Longley."""
    rows = np.array([line.split() for line in LONGLEY.split("\n") if line], dtype=float)
    y, X = rows[:, 0], rows[:, 1:]
    table = LinearRegression().fit(X, y).summary(X, y)
    coef = [-3482258.63459582, 15.0618722713733, -0.0358191792925910, -2.02022980381683]
    coef += [-1.03322686717359, -0.0511041056535807, 1829.15146461355]
    error = [890420.383607373, 84.9149257747669, 0.0334910077722432, 0.488399681651699]
    error += [0.214274163161675, 0.226073200069370, 455.478499142212]
    assert_allclose(table.coef, coef, rtol=1e-6)
    assert_allclose(table.std_error, error, rtol=1e-6)
    assert_allclose(table.sigma2**0.5, 304.854073561965, rtol=1e-8)
    assert_allclose(table.r2, 0.995479004577296, rtol=1e-10)
    assert_allclose(table.f_value, 330.285339234588, rtol=1e-6)
