"""Paths as functions (linear.14, linear.15)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.linear_model import MultiTaskElasticNet
from sklearn.linear_model import enet_path as peer_enet
from sklearn.linear_model import lasso_path as peer_lasso

from margin.linear import enet_path, lasso_path


def sample(n=60, p=30, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.6)
    return X, X[:, :4] @ rng.normal(size=4) + 0.5 * rng.normal(size=n)


@pytest.mark.parametrize("storage", [np.asarray, np.asfortranarray, sparse.csr_array])
@pytest.mark.parametrize("positive", [False, True])
def test_lasso_path_agrees_with_scikit_learn(storage, positive):
    """linear.14: the same strengths, from max |X'y| / n down by the factor eps."""
    X, y = sample()
    alphas, coefs, gaps, n_iters = lasso_path(
        storage(X), y, eps=0.01, alphas=30, positive=positive, tol=1e-10, return_n_iter=True
    )
    wanted, theirs, _ = peer_lasso(
        X, y, eps=0.01, alphas=30, positive=positive, tol=1e-12, max_iter=100_000
    )
    assert_allclose(alphas, wanted, rtol=1e-9)
    assert_allclose(coefs, theirs, atol=1e-5)
    assert (gaps <= 1e-10 * (y @ y) / 60).all()
    assert n_iters.shape == (30,)


@pytest.mark.parametrize("l1_ratio", [0.2, 0.7])
def test_enet_path_agrees_with_scikit_learn(l1_ratio):
    X, y = sample()
    alphas, coefs, _ = enet_path(X, y, l1_ratio=l1_ratio, alphas=20, tol=1e-10)
    wanted, theirs, _ = peer_enet(X, y, l1_ratio=l1_ratio, alphas=20, tol=1e-12, max_iter=100_000)
    assert_allclose(alphas, wanted, rtol=1e-9)
    assert_allclose(coefs, theirs, atol=1e-5)


def test_given_strengths_are_sorted():
    X, y = sample()
    alphas, coefs, _ = lasso_path(X, y, alphas=[0.01, 1.0, 0.1])
    assert alphas.tolist() == [1.0, 0.1, 0.01]
    sizes = np.abs(coefs).sum(axis=0)
    assert sizes[0] <= sizes[1] <= sizes[2]
    assert lasso_path(X.astype(np.float32), y, alphas=3)[1].dtype == np.float32


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        ({"l1_ratio": 2.0}, "enet_path: l1_ratio must be"),
        ({"l1_ratio": 0.0}, "enet_path: l1_ratio must be above 0"),
        ({"alphas": 0}, "enet_path: alphas must be a count"),
        ({"alphas": [-1.0]}, "enet_path: alphas must be a list"),
        ({"eps": 0.0}, "enet_path: eps must be"),
        ({"tol": -1.0}, "enet_path: tol must be"),
    ],
)
def test_bad_parameters_are_named(bad, text):
    X, y = sample()
    with pytest.raises(ValueError, match=text):
        enet_path(X, y, **bad)
    with pytest.raises(ValueError, match="dim 3"):
        enet_path(X, y[:, None, None])


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_several_targets_share_their_features(storage):
    """linear.14: lengths of rows in the place of absolute values."""
    X, y = sample()
    Y = np.column_stack([y, X[:, 1] - y])
    alphas, coefs, gaps, n_iters = enet_path(
        storage(X), Y, l1_ratio=0.9, alphas=[0.05, 0.2], tol=1e-12, return_n_iter=True
    )
    peer = MultiTaskElasticNet(0.05, l1_ratio=0.9, fit_intercept=False, tol=1e-12, max_iter=9999)
    assert alphas.tolist() == [0.2, 0.05]
    assert coefs.shape == (2, X.shape[1], 2)
    assert gaps.shape == n_iters.shape == (2,)
    assert_allclose(coefs[:, :, 1], peer.fit(X, Y).coef_, atol=1e-5)
    with pytest.raises(ValueError, match="positive=True is not allowed for multi-output"):
        lasso_path(X, Y, positive=True)


def test_unknown_and_deprecated_parameters():
    X, y = sample()
    with pytest.raises(ValueError, match=r"Unexpected parameters in params, got \['normalize'\]"):
        lasso_path(X, y, normalize=True)
    with pytest.warns(FutureWarning, match="n_alphas"):
        assert len(lasso_path(X, y, n_alphas=4)[0]) == 4
