"""Elastic net with strength and mixture chosen by cross-validation (linear.15)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import ElasticNetCV as Peer

from margin.linear import ElasticNet, ElasticNetCV


def sample(n=90, p=20, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + 1.0
    return X, X[:, :3] @ rng.normal(size=3) + 2.0 + rng.normal(size=n)


@pytest.mark.parametrize("l1_ratio", [0.3, [0.1, 0.7, 1.0]])
def test_agrees_with_scikit_learn(l1_ratio):
    X, y = sample()
    options = {"l1_ratio": l1_ratio, "alphas": 25, "eps": 0.01, "cv": 3}
    ours = ElasticNetCV(tol=1e-9, **options).fit(X, y)
    peer = Peer(tol=1e-10, max_iter=100_000, **options).fit(X, y)
    assert ours.l1_ratio_ == peer.l1_ratio_
    assert_allclose(ours.alpha_, peer.alpha_, rtol=1e-9)
    assert_allclose(ours.alphas_, peer.alphas_, rtol=1e-9)
    assert_allclose(ours.mse_path_, peer.mse_path_, rtol=1e-4)
    assert_allclose(ours.coef_, peer.coef_, atol=1e-4)


def test_the_final_fit_is_the_elastic_net_of_the_choice():
    X, y = sample()
    model = ElasticNetCV(l1_ratio=[0.2, 0.8], tol=1e-10, positive=True).fit(X, y)
    alone = ElasticNet(alpha=model.alpha_, l1_ratio=model.l1_ratio_, tol=1e-10, positive=True).fit(
        X, y
    )
    assert_allclose(model.coef_, alone.coef_, atol=1e-6)
    assert model.mse_path_.shape == (2, 100, 5)


def test_refuses_a_mixture_without_absolute_values():
    """Without them no strength is the largest."""
    X, y = sample()
    with pytest.raises(ValueError, match="ElasticNetCV: l1_ratio must be above 0"):
        ElasticNetCV(l1_ratio=[0.0, 0.5]).fit(X, y)
