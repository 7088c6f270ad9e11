"""Published results of generalised and robust linear models, as statsmodels prints them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear import LogisticRegression, PoissonRegressor, RobustRegressor

# Brownlee's stack loss: loss, air flow, water temperature, acid concentration.
STACK_LOSS = """
42 80 27 89  37 80 27 88  37 75 25 90  28 62 24 87  18 62 22 87  18 62 23 87  19 62 24 93
20 62 24 93  15 58 23 87  14 58 18 80  14 58 18 89  13 58 17 88  11 58 18 82  12 58 19 93
8 50 18 89   7 50 18 86   8 50 19 72   8 50 19 79   9 50 20 80   15 56 20 82  15 70 20 91
"""

# Doll and Hill's British doctors: deaths and person-years by age group, smokers and others.
DEATHS = np.array([32, 104, 206, 186, 102, 2, 12, 28, 28, 31.0])
YEARS = np.array([52407, 43248, 28612, 12663, 5317, 18790, 10673, 5710, 2585, 1462.0])

# Spector and Mazzeo: grade point average, score of a test, new teaching, whether the grade rose.
TEACHING = """
2.66 20 0 0  2.89 22 0 0  3.28 24 0 0  2.92 12 0 0  4.00 21 0 1  2.86 17 0 0  2.76 17 0 0
2.87 21 0 0  3.03 25 0 0  3.92 29 0 1  2.63 20 0 0  3.32 23 0 0  3.57 23 0 0  3.26 25 0 1
3.53 26 0 0  2.74 19 0 0  2.75 25 0 0  2.83 19 0 0  3.12 23 1 0  3.16 25 1 1  2.06 22 1 0
3.62 28 1 1  2.89 14 1 0  3.51 26 1 0  3.54 24 1 1  2.83 27 1 1  3.39 17 1 1  2.67 24 1 0
3.65 21 1 1  4.00 23 1 1  3.10 21 1 0  2.39 19 1 1
"""


def doctors():
    smokes = np.repeat([1.0, 0.0], 5)
    ages = np.tile(np.eye(5)[:, 1:], (2, 1))
    return np.column_stack([smokes, ages])


@pytest.mark.parametrize("solver", ["lbfgs", "newton", "newton-cholesky"])
def test_rates_of_death(solver):
    """Incidence-rate ratios of Stata's manual: counts per year, weighted by the years."""
    model = PoissonRegressor(alpha=0.0, solver=solver, tol=1e-10, max_iter=1000)
    model.fit(doctors(), DEATHS / YEARS, sample_weight=YEARS)
    ratios = [1.425519, 4.410584, 13.8392, 28.51678, 40.45121]
    assert_allclose(np.exp(model.coef_), ratios, rtol=2e-6)
    assert_allclose(np.exp(model.intercept_), 0.0003636, rtol=2e-4)
    expected = YEARS * model.predict(doctors())
    deviance = 2.0 * float(np.sum(DEATHS * np.log(DEATHS / expected) - DEATHS + expected))
    assert_allclose(deviance, 12.13237, rtol=1e-6)


def test_dobsons_trial():
    """Dobson's counts, the example of R's glm: logarithms of ratios of totals."""
    counts = np.array([18, 17, 15, 20, 10, 20, 25, 13, 12.0])
    outcome, treatment = np.tile(np.eye(3)[:, 1:], (3, 1)), np.repeat(np.eye(3)[:, 1:], 3, axis=0)
    X = np.hstack([outcome, treatment])
    model = PoissonRegressor(alpha=0.0, tol=1e-10).fit(X, counts)
    assert_allclose(model.intercept_, 3.044522, atol=1e-6)
    assert_allclose(model.coef_, [-0.4542553, -0.2929871, 0.0, 0.0], atol=1e-7)
    mean = model.predict(X)
    assert_allclose(2.0 * np.sum(counts * np.log(counts / mean)), 5.129141, rtol=1e-6)


@pytest.mark.parametrize(
    ("loss", "constant", "scale", "intercept", "coef"),
    [
        ("huber", 1.345, 2.4405360917, -41.02649835, [0.82938433, 0.92606597, -0.12784672]),
        ("tukey", 4.685, 2.2818813350, -42.28535078, [0.92755732, 0.65071769, -0.11233315]),
    ],
)
def test_stack_loss(loss, constant, scale, intercept, coef):
    """statsmodels' RLM, whose scale is found with the coefficients: the same at that scale."""
    rows = np.array(STACK_LOSS.split(), dtype=float).reshape(-1, 4)
    X, y = rows[:, 1:], rows[:, 0]
    own = RobustRegressor(loss=loss).fit(X, y).scale_
    model = RobustRegressor(loss=loss, delta=constant * scale / own, tol=1e-10, max_iter=5000)
    model.fit(X, y)
    assert_allclose(model.coef_, coef, rtol=1e-6)
    assert_allclose(model.intercept_, intercept, rtol=1e-6)
    median = np.median(np.abs(y - model.predict(X)))
    assert_allclose(median / 0.6744897501960817, scale, rtol=1e-6)


@pytest.mark.parametrize("solver", ["lbfgs", "newton-cholesky"])
def test_teaching(solver):
    """The logistic regression of Greene's textbook and of statsmodels' documentation."""
    table = np.array(TEACHING.split(), dtype=float).reshape(-1, 4)
    X, y = table[:, :3], table[:, 3]
    model = LogisticRegression(C=np.inf, solver=solver, tol=1e-9, max_iter=2000).fit(X, y)
    assert_allclose(model.intercept_, -13.02135, atol=1e-4)
    assert_allclose(model.coef_[0], [2.82611, 0.09516, 2.37869], atol=1e-5)
    summary = model.summary(X, y)
    assert_allclose(summary.std_error, [4.93132, 1.26294, 0.14155, 1.06456], atol=1e-5)
    assert_allclose(summary.log_likelihood, -12.88963, atol=1e-5)
    assert_allclose(summary.null_log_likelihood, -20.59173, atol=1e-5)
    assert_allclose(summary.pseudo_r2, 0.374038, atol=1e-6)
