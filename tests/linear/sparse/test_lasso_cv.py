"""Lasso with the strength chosen by cross-validation (linear.14)."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LassoCV as Peer
from sklearn.model_selection import KFold

from margin.linear import Lasso, LassoCV


def sample(n=90, p=25, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + 1.0
    return X, X[:, :3] @ rng.normal(size=3) + 2.0 + rng.normal(size=n), rng.random(n) + 0.1


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_agrees_with_scikit_learn(weighted, intercept):
    """The same grid, errors, choice and coefficients."""
    X, y, weight = sample()
    weight = weight if weighted else None
    options = {"alphas": 30, "eps": 0.01, "cv": KFold(4), "fit_intercept": intercept}
    ours = LassoCV(tol=1e-9, **options).fit(X, y, weight)
    peer = Peer(tol=1e-10, max_iter=100_000, **options).fit(X, y, weight)
    assert_allclose(ours.alphas_, peer.alphas_, rtol=1e-9)
    assert_allclose(ours.mse_path_, peer.mse_path_, rtol=1e-4)
    assert_allclose(ours.alpha_, peer.alpha_, rtol=1e-9)
    assert_allclose(ours.coef_, peer.coef_, atol=1e-4)
    assert_allclose(ours.intercept_, peer.intercept_, atol=1e-3)


def test_the_final_fit_is_the_lasso_of_the_chosen_strength():
    X, y, _ = sample()
    model = LassoCV(tol=1e-10).fit(X, y)
    alone = Lasso(alpha=model.alpha_, tol=1e-10).fit(X, y)
    assert_allclose(model.coef_, alone.coef_, atol=1e-6)
    assert model.alpha_ == model.alphas_[np.argmin(model.mse_path_.mean(axis=1))]
    assert model.mse_path_.shape == (100, 5)
    assert "chosen by 5 folds" in model.fit_report_.notes[0]


def test_sparse_and_threads_change_nothing():
    X, y, _ = sample()
    X[np.abs(X) < 0.7] = 0.0
    dense = LassoCV(tol=1e-9, n_jobs=1).fit(X, y)
    assert_array_equal(LassoCV(tol=1e-9, n_jobs=2).fit(X, y).coef_, dense.coef_)
    assert_allclose(LassoCV(tol=1e-9).fit(sparse.csr_array(X), y).coef_, dense.coef_, atol=1e-4)


def test_zero_weights_are_absent_rows():
    """A fold's fit never sees its held-out rows."""
    X, y, _ = sample()
    wild = y.copy()
    wild[:18] = 1e6  # the first of five folds
    one = LassoCV(alphas=[0.1], tol=1e-10).fit(X, y)
    two = LassoCV(alphas=[0.1], tol=1e-10).fit(X, wild)
    train = Lasso(alpha=0.1, tol=1e-10).fit(X[18:], y[18:])
    assert_allclose(one.mse_path_[0, 0], np.mean((y[:18] - train.predict(X[:18])) ** 2), rtol=1e-6)
    assert_allclose(two.mse_path_[0, 0], np.mean((1e6 - train.predict(X[:18])) ** 2), rtol=1e-6)


def test_bad_parameters_are_named():
    X, y, _ = sample()
    with pytest.raises(ValueError, match="LassoCV: alphas must be"):
        LassoCV(alphas=0).fit(X, y)
    with pytest.raises(ValueError, match="LassoCV: eps must be"):
        LassoCV(eps=-1.0).fit(X, y)


def test_weights_of_one_are_no_weights():
    rng = np.random.default_rng(0)
    for n in (23, 42, 57):
        X = rng.normal(size=(n, 6))
        y = X[:, 0] + 2.0 * rng.normal(size=n)
        plain, ones = LassoCV().fit(X, y), LassoCV().fit(X, y, sample_weight=np.ones(n))
        assert plain.alpha_ == ones.alpha_
        assert_array_equal(plain.coef_, ones.coef_)


def test_iterations_are_those_of_the_chosen_strength():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 30))
    y = X @ rng.normal(size=30) + rng.normal(size=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        assert LassoCV(max_iter=1).fit(X, y).n_iter_ == 1
    assert 1 <= LassoCV(max_iter=50).fit(X, y).n_iter_ <= 50
