import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal

from margin.core import FitError, UnservedError
from margin.graphical import GraphicalLasso


def chain(n=2000, p=6):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, p))
    for j in range(1, p):
        X[:, j] += 0.7 * X[:, j - 1]
    return X


def test_finds_a_chain():
    model = GraphicalLasso(alpha=0.15).fit(pd.DataFrame(chain(), columns=list("abcdef")))
    edges = {frozenset(e) for e in model.graph_.edges}
    assert {frozenset(p) for p in ("ab", "bc", "cd", "de", "ef")} <= edges
    assert len(edges) < 15
    assert model.fit_report_.certificate.kind == "duality gap"
    assert model.fit_report_.certificate.holds


def test_density():
    X = chain(50, 3)
    model = GraphicalLasso(alpha=0.1).fit(X)
    peer = multivariate_normal(model.location_, model.covariance_)
    np.testing.assert_allclose(model.log_prob(X), peer.logpdf(X))
    assert model.score(X) == pytest.approx(peer.logpdf(X).mean())
    X[:, 1] = np.nan
    peer = multivariate_normal(model.location_[[0, 2]], model.covariance_[np.ix_([0, 2], [0, 2])])
    np.testing.assert_allclose(model.log_prob(X), peer.logpdf(X[:, [0, 2]]))


def test_unknown_values():
    X = chain()
    full = GraphicalLasso(alpha=0.1).fit(X).precision_
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    np.testing.assert_allclose(GraphicalLasso(alpha=0.1).fit(X).precision_, full, atol=0.1)


def test_known_mean_and_refusals():
    X = chain(100, 3) + 5.0
    model = GraphicalLasso(alpha=0.1, assume_centered=True).fit(X)
    np.testing.assert_array_equal(model.location_, np.zeros(3))
    assert model.covariance_[0, 0] > 20
    with pytest.raises(ValueError, match="GraphicalLasso: alpha must be"):
        GraphicalLasso(alpha=-1.0).fit(X)
    with pytest.raises(FitError, match="GraphicalLasso: the covariance matrix is singular"):
        GraphicalLasso(alpha=0.0).fit(X[:3])


def test_a_given_covariance_gives_the_same_precision():
    X = np.random.default_rng(3).normal(size=(80, 5))
    rows = GraphicalLasso(alpha=0.1, tol=1e-9).fit(X)
    given = GraphicalLasso(0.1, covariance="precomputed", tol=1e-9).fit(np.cov(X.T, bias=True))
    np.testing.assert_allclose(given.precision_, rows.precision_, atol=1e-9)
    assert not given.location_.any()
    with pytest.raises(ValueError, match="X must be symmetric"):
        GraphicalLasso(covariance="precomputed").fit(np.array([[1.0, 2.0], [0.0, 1.0]]))


def test_distances_norms_and_costs():
    X = np.random.default_rng(4).normal(size=(60, 4))
    model = GraphicalLasso(alpha=0.05).fit(X)
    centred = X - model.location_
    wanted = np.einsum("ij,jk,ik->i", centred, model.get_precision(), centred)
    np.testing.assert_allclose(model.mahalanobis(X), wanted, rtol=1e-9)
    other = np.eye(4)
    away = other - model.covariance_
    assert model.error_norm(other) == pytest.approx((away**2).sum() / 4)
    spectral = model.error_norm(other, norm="spectral", scaling=False, squared=False)
    assert spectral == pytest.approx(np.linalg.norm(away, 2))
    with pytest.raises(UnservedError, match="norm must be"):
        model.error_norm(other, norm="nuclear")
    assert len(model.costs_) == model.n_iter_ + 1
    assert model.costs_[-1][1] <= 1e-4


@pytest.mark.parametrize("wrong", [{"mode": "qp"}, {"covariance": "shrunk"}, {"enet_tol": 0.0}])
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match=f"GraphicalLasso: {next(iter(wrong))} must be"):
        GraphicalLasso(**wrong).fit(np.eye(4))
