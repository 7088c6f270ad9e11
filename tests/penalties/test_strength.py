"""Converters between parametrisations (penalties.09)."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from sklearn.linear_model import Lasso, LogisticRegression, Ridge

from margin.penalties import convert_strength

NAMES = ("sum", "mean", "C", "C/n", "rss-ridge", "rss-lasso")
RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
LABEL = np.where(X[:, 0] + RNG.normal(size=40) > 0, 1.0, -1.0)


def test_golden_numbers():
    """penalties.09: lambda = 1 / (C m), not m / C."""
    assert convert_strength(2.0, "C", "mean", 50) == 0.01
    assert convert_strength(0.01, "mean", "C", 50) == 2.0
    assert convert_strength(10.0, "C/n", "C", 5) == 2.0
    assert_allclose(convert_strength(3.0, "rss-lasso", "mean", 10), 3.0 / 20)


@pytest.mark.parametrize(("source", "target"), list(product(NAMES, NAMES)))
def test_there_and_back(source, target):
    there = convert_strength(0.37, source, target, 12)
    assert_allclose(convert_strength(there, target, source, 12), 0.37)


def test_the_four_forms_have_one_minimiser():
    """penalties.09: each objective written out and minimised on its own."""
    n = len(X)

    def total(w):
        return np.logaddexp(0, -LABEL * (X @ w)).sum()

    forms = {
        "sum": lambda w, a: total(w) + a * 0.5 * w @ w,
        "mean": lambda w, a: total(w) / n + a * 0.5 * w @ w,
        "C": lambda w, c: 0.5 * w @ w + c * total(w),
        "C/n": lambda w, c: 0.5 * w @ w + c / n * total(w),
    }
    found = {}
    for name, objective in forms.items():
        strength = convert_strength(0.8, "sum", name, n)
        found[name] = minimize(objective, np.zeros(3), args=(strength,), tol=1e-12).x
    for name in forms:
        assert_allclose(found[name], found["sum"], atol=1e-5)
    peer = LogisticRegression(
        C=convert_strength(0.8, "sum", "C", n), fit_intercept=False, tol=1e-10, max_iter=1000
    )
    assert_allclose(peer.fit(X, LABEL).coef_[0], found["sum"], atol=1e-5)


def test_residual_sums_of_squares():
    """penalties.09: ridge keeps its strength, the lasso of scikit-learn is lambda / (2 n)."""
    y = X @ np.array([1.0, -2.0, 0.0]) + RNG.normal(size=40)
    ridge = Ridge(alpha=convert_strength(3.0, "rss-ridge", "sum", 40), fit_intercept=False)
    wanted = np.linalg.solve(X.T @ X + 3.0 * np.eye(3), X.T @ y)
    assert_allclose(ridge.fit(X, y).coef_, wanted)
    lasso = Lasso(alpha=convert_strength(30.0, "rss-lasso", "mean", 40), fit_intercept=False)
    b = lasso.fit(X, y).coef_
    slope = 2 * X.T @ (y - X @ b)
    assert_allclose(slope[b != 0], 30.0 * np.sign(b[b != 0]), rtol=1e-2)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ((0.0, "sum", "C", 3), "value must be a number above 0"),
        ((1.0, "alpha", "C", 3), "source must be one of 'sum'"),
        ((1.0, "sum", "nu", 3), "target must be one of 'sum'"),
        ((1.0, "sum", "C", 0), "n_samples must be a number above 0"),
    ],
)
def test_bad_arguments_are_refused(arguments, what):
    with pytest.raises(ValueError, match=f"convert_strength: {what}"):
        convert_strength(*arguments)
