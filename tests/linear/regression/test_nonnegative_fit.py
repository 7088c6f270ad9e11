"""Least squares with coefficients at least 0, against every choice of active columns."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.optimize import nnls

from margin.linear import LinearRegression, Ridge
from margin.linear.regression import _nonnegative_fit
from margin.linear.regression._nonnegative_fit import fit_nonnegative


def objective(X, y, s, alpha, coef, intercept):
    return s @ (y - X @ coef - intercept) ** 2 + alpha * coef @ coef


def best_of_all_supports(X, y, s, alpha, intercept):
    p, best = X.shape[1], (np.inf, None)
    for size in range(p + 1):
        for columns in map(list, combinations(range(p), size)):
            A = X[:, columns]
            if intercept:
                A = np.column_stack([A, np.ones(len(A))])
            P = np.diag([alpha] * size + [0.0] * intercept)
            w = np.linalg.solve(A.T @ (s[:, None] * A) + P, A.T @ (s * y)) if A.size else A[0]
            coef = np.zeros(p)
            coef[columns] = w[:size]
            level = w[-1] if intercept else 0.0
            if (coef >= 0).all():
                best = min(best, (objective(X, y, s, alpha, coef, level), coef), key=lambda b: b[0])
    return best[1]


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("alpha", [0.0, 0.5, 20.0])
@pytest.mark.parametrize("seed", range(4))
def test_brute_force_over_active_columns(alpha, intercept, container, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 5)) + 1.0
    Y = X @ rng.normal(size=(5, 2)) + rng.normal(size=(15, 2)) + 3
    s = rng.uniform(0.2, 2, 15)
    fit = fit_nonnegative(
        container(X), Y, s, np.array([alpha]), intercept=intercept, max_iter=1000, n_threads=1
    )
    assert fit.solution.status.ok
    for k in range(2):
        expected = best_of_all_supports(X, Y[:, k], s, alpha, intercept)
        assert_allclose(fit.coef[k], expected, atol=1e-10)


def test_least_squares_without_intercept_is_nnls():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 20)), rng.normal(size=60)
    model = LinearRegression(positive=True, fit_intercept=False).fit(X, y)
    assert_allclose(model.coef_, nnls(X, y)[0], atol=1e-10)
    assert model.rank_ == np.count_nonzero(model.coef_)


def test_single_precision_and_dependent_columns():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 3)).astype(np.float32)
    X = np.column_stack([X, X[:, 0]])
    y = X[:, 0] + 2.0
    model = LinearRegression(positive=True).fit(X, y)
    assert model.coef_.dtype == np.float32
    assert_allclose(model.predict(X), y, rtol=1e-4, atol=1e-4)
    assert (model.coef_ >= 0).all()


def test_refusals_name_the_parameter():
    X, y = np.eye(3), np.arange(3.0)
    with pytest.raises(ValueError, match="Ridge: solver must be 'auto' or 'lbfgs' with positive"):
        Ridge(positive=True, solver="svd").fit(X, y)
    with pytest.raises(ValueError, match="Ridge: only 'lbfgs' solver can be used when positive"):
        Ridge(solver="lbfgs").fit(X, y)
    model = Ridge(positive=True).fit(X, y)
    assert model.solver_ == "lbfgs"
    assert not hasattr(model, "predict_dist")
    with pytest.raises(ValueError, match="Ridge: positive must be False for a summary"):
        model.summary(X, y)


def test_interruption_keeps_the_best_columns_so_far(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 20)), rng.normal(size=60)

    def stop(*given, **how):
        raise KeyboardInterrupt

    monkeypatch.setattr(_nonnegative_fit, "ridge", stop)
    fit = fit_nonnegative(X, y, None, np.zeros(1), intercept=False, max_iter=1000, n_threads=1)
    assert fit.solution.interrupted
    assert_allclose(fit.coef, nnls(X, y)[0], atol=1e-5)
