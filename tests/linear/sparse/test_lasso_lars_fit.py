"""The path with weights, an intercept and several targets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.linear.sparse._lasso_lars_fit import LarsSettings, _on_the_table, fit_lars


def data(n, p, k=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + 3.0
    return X, X[:, :k] + rng.normal(size=(n, k)) + 10.0, rng.uniform(0.5, 2.0, n)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("positive", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_products_and_table_agree(intercept, positive, weighted):
    """linear.14: two ways of the same path."""
    X, Y, weight = data(60, 6)
    settings = LarsSettings(0.05, intercept, positive, 500)
    fits = fit_lars(X, Y, weight if weighted else None, settings)
    shares = weight / weight.sum() if weighted else np.full(60, 1 / 60)
    for k, fit in enumerate(fits):
        level = shares @ Y[:, k] if intercept else 0.0
        path, _ = _on_the_table(X, Y[:, k] - level, shares, settings)
        assert_allclose(fit.path.alphas, path.alphas, atol=1e-10)
        assert_allclose(fit.path.coefs, path.coefs, atol=1e-9)
        assert fit.solution.status is Status.CONVERGED
        assert fit.solution.certificate.value < 1e-10


def test_rounded_products_are_noticed():
    """Columns nearly equal, with large coefficients of both signs: still a minimum."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(50, 1))
    X = np.hstack([x, x + 1e-4 * rng.normal(size=(50, 1))])
    y = (X[:, :1] - X[:, 1:]) * 1e4
    fit = fit_lars(X, y, None, LarsSettings(1e-9, True, False, 500))[0]
    assert fit.solution.certificate.value < 1e-6


def test_a_cut_path_says_so():
    X, Y, _ = data(40, 8)
    fit = fit_lars(X, Y, None, LarsSettings(0.0, True, False, 2))[0]
    assert fit.solution.status is Status.MAX_ITER
    assert "after max_iter=2 segments" in fit.solution.message
