"""Lasso by its exact path (linear.14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LassoLars as Peer

from margin.core import Status
from margin.linear import Lasso, LassoLars


def sample(n=60, p=10, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + 2.0
    return X, X[:, :3] @ rng.normal(size=3) + 1.0 + rng.normal(size=n), rng.random(n) + 0.1


@pytest.mark.parametrize("alpha", [0.0, 0.01, 0.2, 5.0])
@pytest.mark.parametrize("intercept", [False, True])
def test_agrees_with_scikit_learn(alpha, intercept):
    X, y, _ = sample()
    ours = LassoLars(alpha=alpha, fit_intercept=intercept).fit(X, y)
    peer = Peer(alpha=alpha, fit_intercept=intercept).fit(X, y)
    assert_allclose(ours.coef_, peer.coef_, atol=1e-8)
    assert_allclose(ours.intercept_, peer.intercept_, atol=1e-7)
    if ours.coef_.any():
        assert_allclose(ours.alphas_, peer.alphas_, atol=1e-9)
        assert_allclose(ours.coef_path_, peer.coef_path_, atol=1e-8)
    assert ours.fit_report_.certificate.holds


def test_the_path_is_that_of_coordinate_descent():
    """linear.14: LARS path = coordinate descent at every knot, with weights."""
    X, y, weight = sample()
    path = LassoLars(alpha=0.01).fit(X, y, sample_weight=weight)
    for alpha, coef in zip(path.alphas_, path.coef_path_.T, strict=True):
        model = Lasso(alpha=alpha, tol=1e-13).fit(X, y, weight)
        assert_allclose(coef, model.coef_, atol=1e-6)
    assert_array_equal(np.flatnonzero(path.coef_), np.sort(path.active_))


def test_a_path_cut_short_says_so():
    X, y, _ = sample()
    with pytest.warns(ConvergenceWarning, match="max_iter=2 segments"):
        model = LassoLars(alpha=0.0, max_iter=2).fit(X, y)
    assert model.fit_report_.status is Status.MAX_ITER
    assert len(model.alphas_) == 3


def test_collinear_columns_and_constant_targets():
    X, y, _ = sample(n=8, p=20)
    X[:, 1] = X[:, 0]
    X[:, 2] = 3.0
    model = LassoLars(alpha=1e-3).fit(X, y)
    assert model.fit_report_.certificate.holds
    assert model.coef_[2] == 0.0
    assert not LassoLars(alpha=0.1).fit(X, np.full(8, 0.1)).coef_.any()


def test_float32():
    X, y, _ = sample()
    model = LassoLars(alpha=0.1).fit(X.astype(np.float32), y)
    assert model.coef_.dtype == np.float32
    assert_allclose(model.coef_, LassoLars(alpha=0.1).fit(X, y).coef_, atol=1e-4)


def test_first_parameter_by_position_and_products_given():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    given = LassoLars(0.01, precompute=X.T @ X, copy_X=False).fit(X, y)
    assert_array_equal(given.coef_, LassoLars(alpha=0.01).fit(X, y).coef_)
    with pytest.raises(ValueError, match="LassoLars: precompute must be of shape"):
        LassoLars(precompute=np.eye(2)).fit(X, y)


def test_several_targets_are_several_paths():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(50, 6))
    Y = X[:, :2] + rng.normal(size=(50, 2))
    model = LassoLars(alpha=0.1).fit(X, Y)
    assert model.coef_.shape == (2, 6)
    assert model.predict(X).shape == (50, 2)
    for k in range(2):
        alone = LassoLars(alpha=0.1).fit(X, Y[:, k])
        assert_allclose(model.coef_[k], alone.coef_, atol=1e-12)
        assert_allclose(model.intercept_[k], alone.intercept_, atol=1e-12)
        assert_allclose(model.coef_path_[k], alone.coef_path_, atol=1e-12)
        assert model.active_[k] == alone.active_
        assert model.n_iter_[k] == alone.n_iter_


def test_coefficients_of_one_sign():
    """With weights, too: the answer of coordinate descent under the same constraint."""
    rng = np.random.default_rng(3)
    X, weight = rng.normal(size=(60, 8)), rng.uniform(0.1, 2.0, 60)
    y = X[:, 0] - X[:, 1] + 0.5 * X[:, 2] + rng.normal(size=60)
    model = LassoLars(0.02, positive=True).fit(X, y, sample_weight=weight)
    assert model.coef_.min() == 0.0
    peer = Lasso(0.02, positive=True, tol=1e-12).fit(X, y, sample_weight=weight)
    assert_allclose(model.coef_, peer.coef_, atol=1e-6)


def test_only_the_end_and_noise_on_the_target():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    whole, end = LassoLars(0.01).fit(X, y), LassoLars(0.01, fit_path=False).fit(X, y)
    assert_array_equal(end.coef_, whole.coef_)
    assert end.alphas_.tolist() == [0.01]
    assert not hasattr(end, "coef_path_")
    noisy = [LassoLars(0.01, jitter=0.1, random_state=0).fit(X, y).coef_ for _ in range(2)]
    assert_array_equal(*noisy)
    assert 0 < np.abs(noisy[0] - whole.coef_).max() < 0.1


@pytest.mark.parametrize("wrong", [{"eps": -1.0}, {"jitter": -1.0}, {"verbose": "loud"}])
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match=f"LassoLars: {next(iter(wrong))} must be"):
        LassoLars(**wrong).fit(np.eye(4), np.arange(4.0))
    with pytest.raises(ValueError, match="LassoLars: Xy must be of 4 rows"):
        LassoLars().fit(np.eye(4), np.arange(4.0), np.ones(3))
