import numpy as np
import pytest
from sklearn.covariance import graphical_lasso

from margin.core import Status
from margin.graphical.learning.structure._sparse_precision import _objective, sparse_precision


def covariance(seed=0, n=60, p=8):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p)) @ (np.eye(p) + 0.4 * rng.standard_normal((p, p)))
    return np.cov(X.T, bias=True)


@pytest.mark.parametrize("alpha", [0.05, 0.3, 1.0])
def test_optimality_conditions(alpha):
    S = covariance()
    found = sparse_precision(S, alpha, tol=1e-10)
    W, theta = found.extras["covariance"], found.x
    assert found.status is Status.CONVERGED
    np.testing.assert_allclose(np.diag(W), np.diag(S), atol=1e-5)
    off = ~np.eye(len(S), dtype=bool)
    assert np.abs(W - S)[off].max() <= alpha + 1e-4
    linked = off & (theta != 0)
    np.testing.assert_allclose((W - S)[linked], alpha * np.sign(theta[linked]), atol=1e-4)
    assert found.objective == pytest.approx(_objective(S, theta, alpha))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_no_worse_than_the_peer():
    S = covariance(1, 30, 12)
    ours = _objective(S, sparse_precision(S, 0.2, tol=1e-8).x, 0.2)
    theirs = _objective(S, graphical_lasso(S, 0.2, tol=1e-5, max_iter=200)[1], 0.2)
    assert ours <= theirs + 1e-6


def test_limits():
    S = covariance(2)
    np.testing.assert_allclose(sparse_precision(S, 0.0).x, np.linalg.inv(S), rtol=1e-6)
    loose = sparse_precision(S, np.abs(S).max() + 1).x
    np.testing.assert_allclose(loose, np.diag(1 / np.diag(S)))


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_do_not_matter(scale):
    S = covariance(3)
    plain, scaled = (
        sparse_precision(S, 0.2, tol=1e-9),
        sparse_precision(S * scale, 0.2 * scale, tol=1e-9),
    )
    np.testing.assert_allclose(scaled.x * scale, plain.x, atol=1e-6)


def test_singular_and_constant():
    X = np.random.default_rng(4).standard_normal((5, 9))
    S = np.cov(X.T, bias=True)
    assert sparse_precision(S, 0.0).status is Status.FAILED
    assert sparse_precision(S, 0.1).status is Status.CONVERGED
    S[2] = S[:, 2] = 0.0
    found = sparse_precision(S, 0.1)
    assert found.status is Status.CONVERGED
    assert found.repairs


def test_cut_short():
    assert sparse_precision(covariance(5), 0.05, tol=1e-14, max_iter=1).status is Status.MAX_ITER
