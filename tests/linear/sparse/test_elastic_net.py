"""Elastic net (linear.15)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import ElasticNet as Peer

from margin.linear import ElasticNet, Lasso, Ridge


def sample(n=80, p=20, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.3, 3, p) + 1.0
    return X, X[:, :4] @ rng.normal(size=4) + 3.0 + rng.normal(size=n), rng.random(n) + 0.1


@pytest.mark.parametrize("l1_ratio", [0.05, 0.5, 0.95])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_agrees_with_scikit_learn(l1_ratio, positive, weighted):
    X, y, weight = sample()
    weight = weight if weighted else None
    options = {"alpha": 0.1, "l1_ratio": l1_ratio, "positive": positive}
    ours = ElasticNet(tol=1e-11, **options).fit(X, y, weight)
    peer = Peer(tol=1e-12, max_iter=100_000, **options).fit(X, y, weight)
    assert_allclose(ours.coef_, peer.coef_, atol=1e-5)
    assert_allclose(ours.intercept_, peer.intercept_, atol=1e-4)


def test_ends_are_lasso_and_ridge():
    """linear.15: l1_ratio 1 is the lasso; 0 is ridge of n times the strength."""
    X, y, weight = sample()
    assert_allclose(
        ElasticNet(alpha=0.1, l1_ratio=1.0, tol=1e-10).fit(X, y, weight).coef_,
        Lasso(alpha=0.1, tol=1e-10).fit(X, y, weight).coef_,
        atol=1e-12,
    )
    ridge = Ridge(alpha=0.3 * weight.sum()).fit(X, y, weight)
    mixed = ElasticNet(alpha=0.3, l1_ratio=0.0, tol=1e-13).fit(X, y, weight)
    assert_allclose(mixed.coef_, ridge.coef_, atol=1e-6)


def test_equal_columns_share_their_coefficient():
    """linear.15: the grouping effect, which the lasso lacks."""
    X, y, _ = sample()
    X[:, 1] = X[:, 0]
    model = ElasticNet(alpha=0.1, l1_ratio=0.5, tol=1e-13).fit(X, y)
    assert model.coef_[0] != 0.0
    assert_allclose(model.coef_[0], model.coef_[1], atol=1e-6)


def test_refuses_a_mixture_outside_the_unit_interval():
    X, y, _ = sample()
    with pytest.raises(ValueError, match="ElasticNet: l1_ratio must be a number between 0 and 1"):
        ElasticNet(l1_ratio=1.5).fit(X, y)


@pytest.mark.parametrize("kind", [Lasso, ElasticNet])
def test_numbers_near_the_largest_are_refused(kind):
    X = np.finfo(np.float64).max * np.random.default_rng(0).uniform(size=(10, 2))
    with pytest.raises(ValueError, match=f"{kind.__name__}: .* non-finite parameter values"):
        kind(alpha=0.1).fit(X, np.arange(10) % 2)
