"""Crammer–Singer and Weston–Watkins in the dual: brute force over the primal."""

import numpy as np
import pytest
from scipy.optimize import minimize

from margin.svm import SVC, CrammerSingerSVC, WestonWatkinsSVC, _gram


def three(n=45, seed=0, p=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    y = np.argmax(X @ rng.normal(size=(p, 3)) + 0.5 * rng.normal(size=(n, 3)), axis=1)
    return X, y


def primal(kind, X, y, W, b, C):
    F = X @ W.T + b
    own = F[np.arange(len(y)), y][:, None]
    other = np.arange(F.shape[1]) != y[:, None]
    if kind == "ww":
        loss = (np.maximum(0, 2 - own + F) * other).sum()
    else:
        loss = (F - own + other).max(axis=1).sum()
    return 0.5 * (W**2).sum() + C * loss


def weights(model, X):
    return model.dual_coef_ @ X[model.support_]


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("kind", "cls"), [("ww", WestonWatkinsSVC), ("cs", CrammerSingerSVC)])
def test_minimum_of_the_primal(kind, cls, bias):
    """svm.16, svm.17, svm.18: a long search over the primal finds nothing lower."""
    X, y = three()
    model = cls(C=0.4, kernel="linear", fit_intercept=bias, tol=1e-6, max_iter=50_000).fit(X, y)
    W, b = weights(model, X), model.intercept_
    at = primal(kind, X, y, W, b, 0.4)
    assert at == pytest.approx(model.fit_report_.objective, rel=1e-8)
    assert bias or not b.any()

    def value(v):
        return primal(kind, X, y, v[:6].reshape(3, 2), v[6:] if bias else np.zeros(3), 0.4)

    start = np.concatenate([W.ravel(), b])
    options = {"maxiter": 4000, "maxfev": 4000, "xatol": 1e-9, "fatol": 1e-12}
    lowest = minimize(value, start, method="Nelder-Mead", options=options)
    assert lowest.fun >= at * (1 - 2e-5)


def test_weston_watkins_of_two_classes_is_the_hinge_machine():
    """svm.16: with the margin constant 2, w_1 = -w_0 is the machine of two classes."""
    X, y = three()
    two = y < 2
    X, y = X[two], y[two]
    both = WestonWatkinsSVC(C=0.5, kernel="linear", tol=1e-7, max_iter=50_000).fit(X, y)
    one = SVC(C=0.5, kernel="linear", tol=1e-8).fit(X, y)
    W = weights(both, X)
    assert np.allclose(W[0], -W[1], atol=1e-6)
    assert np.allclose(W[1], one.coef_[0], atol=2e-3)
    assert np.allclose(both.decision_function(X) / 2, one.decision_function(X), atol=1e-2)


@pytest.mark.parametrize("cls", [WestonWatkinsSVC, CrammerSingerSVC])
def test_constraints_hold(cls):
    X, y = three()
    model = cls(C=0.4, kernel="rbf", fit_intercept=False, tol=1e-6, max_iter=20_000).fit(X, y)
    own = np.arange(3)[:, None] == y[model.support_]
    assert np.allclose(model.dual_coef_.sum(axis=0), 0, atol=1e-9)
    assert (model.dual_coef_[~own] <= 1e-12).all()
    limit = 0.4 if cls is CrammerSingerSVC else 0.8
    assert (model.dual_coef_[own] <= limit + 1e-9).all()


def test_precomputed_is_the_same():
    X, y = three()
    table = CrammerSingerSVC(kernel="linear").fit(X, y)
    matrix = CrammerSingerSVC(kernel="precomputed").fit(X @ X.T, y)
    assert np.allclose(table.decision_function(X), matrix.decision_function(X @ X.T))


def test_matrix_that_would_not_fit(monkeypatch):
    monkeypatch.setattr(_gram, "LARGEST", 800.0)
    X, y = three()
    with pytest.raises(ValueError, match="CrammerSingerSVC: X must have at most 10 rows, got 45"):
        CrammerSingerSVC().fit(X, y)
