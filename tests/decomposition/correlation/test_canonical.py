import numpy as np
import pytest
from scipy.linalg import eigh

from margin.decomposition.correlation._canonical import canonical_pairs


def tables(n=40, p=3, q=2, seed=0):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 2))
    X = np.hstack([Z, np.zeros((n, p - 2))]) + rng.normal(size=(n, p))
    Y = np.hstack([Z[:, :q], np.zeros((n, max(0, q - 2)))]) + rng.normal(size=(n, q))
    return X - X.mean(0), Y - Y.mean(0)


@pytest.mark.parametrize("alpha", [0.0, 0.3])
@pytest.mark.parametrize("n", [8, 40])
def test_against_the_generalised_eigenproblem(n, alpha):
    X, Y = tables(n)
    pairs = canonical_pairs(X, Y, n, 2, alpha)
    Cxx, Cyy = X.T @ X / n + alpha * np.eye(3), Y.T @ Y / n + alpha * np.eye(2)
    Cxy = X.T @ Y / n
    values = eigh(Cxy @ np.linalg.solve(Cyy, Cxy.T), Cxx, eigvals_only=True)[::-1][:2]
    np.testing.assert_allclose(pairs.correlations**2, values, rtol=1e-8)
    A, B = pairs.x_directions, pairs.y_directions
    np.testing.assert_allclose(A.T @ Cxx @ A, np.eye(2), atol=1e-10)
    np.testing.assert_allclose(B.T @ Cyy @ B, np.eye(2), atol=1e-10)
    np.testing.assert_allclose(A.T @ Cxy @ B, np.diag(pairs.correlations), atol=1e-10)


def test_singular_blocks_and_missing_directions():
    X, Y = tables()
    X = np.hstack([X, X[:, :1], np.zeros((40, 1))])
    whole = canonical_pairs(X[:, :3], Y, 40, 2)
    doubled = canonical_pairs(X, Y, 40, 5)
    np.testing.assert_allclose(doubled.correlations[:2], whole.correlations, rtol=1e-10)
    assert doubled.rank == 2
    assert not doubled.x_directions[:, 2:].any()
    assert canonical_pairs(np.zeros((4, 2)), np.zeros((4, 0)), 4, 1).rank == 0
