"""The exact lasso path (linear.14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import lars_path as peer_path

from margin.optim import lars_path


def violation(X, y, w, alpha):
    c = X.T @ (y - X @ w) / len(y)
    return np.where(w == 0, np.maximum(np.abs(c) - alpha, 0), np.abs(c - alpha * np.sign(w))).max()


def assert_optimal_everywhere(X, y, path, tol=1e-9):
    between = (path.alphas[1:] + path.alphas[:-1]) / 2
    for alpha in (*path.alphas, *between):
        assert violation(X, y, path.at(alpha), alpha) < tol


@pytest.mark.parametrize("shape", [(30, 5), (30, 29), (12, 25), (1, 3), (5, 1)])
@pytest.mark.parametrize("seed", range(8))
def test_optimal_at_and_between_breakpoints(shape, seed):
    """linear.14: |x_j'r| / n <= alpha with equality and sign on the support, all along the path."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=shape), rng.normal(size=shape[0])
    path = lars_path(X, y)
    assert (np.diff(path.alphas) <= 0).all()
    assert path.alphas[-1] == 0.0
    assert_allclose(path.alphas[0], np.abs(X.T @ y).max() / shape[0], rtol=1e-12)
    assert_optimal_everywhere(X, y, path)


@pytest.mark.parametrize("seed", range(12))
def test_dependent_columns(seed):
    """Equal, opposite, summed, constant and empty columns: still a minimum at every strength."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(20, 12)), rng.normal(size=20)
    X[:, 1], X[:, 2], X[:, 3] = X[:, 0], -X[:, 4], X[:, 5] + X[:, 6]
    X[:, 7] = 0.0
    X -= X.mean(axis=0)
    path = lars_path(X, y)
    assert_optimal_everywhere(X, y, path)
    assert not path.coefs[7].any()


def test_coefficients_leave_and_come_back():
    """Some path has columns that leave; the events say so and the breakpoint is at zero."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 8))
    path = lars_path(X, rng.normal(size=12))
    left = [j for kind, j in path.events if kind == "leave"]
    assert left == [6, 3]
    entered = [j for kind, j in path.events if kind == "enter"]
    assert len(entered) > len(set(entered))  # one came back


@pytest.mark.parametrize("seed", range(5))
def test_breakpoints_agree_with_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 8)), rng.normal(size=40)
    path = lars_path(X, y)
    alphas, _, coefs = peer_path(X, y, method="lasso")
    assert_allclose(path.alphas, alphas, atol=1e-10)
    assert_allclose(path.coefs, coefs, atol=1e-9)


def test_least_angle_regression_lets_nothing_leave():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(30, 10)), rng.normal(size=30)
    path = lars_path(X, y, method="lar")
    alphas, _, coefs = peer_path(X, y, method="lar")
    assert_allclose(path.alphas, alphas, atol=1e-10)
    assert_allclose(path.coefs, coefs, atol=1e-9)
    assert [kind for kind, _ in path.events] == ["enter"] * 10
    assert_allclose(path.coefs[:, -1], np.linalg.lstsq(X, y)[0], atol=1e-9)


def test_orthonormal_columns_enter_one_by_one():
    """linear.14: breakpoints are the sorted products, coefficients their soft thresholds."""
    rng = np.random.default_rng(0)
    Q, _ = np.linalg.qr(rng.normal(size=(9, 4)))
    X, y = 3 * Q, rng.normal(size=9)
    z = X.T @ y / 9
    path = lars_path(X, y)
    assert_allclose(path.alphas, [*np.sort(np.abs(z))[::-1], 0.0], atol=1e-12)
    for alpha in (0.0, 0.05, 0.2):
        wanted = np.sign(z) * np.maximum(np.abs(z) - alpha, 0)
        assert_allclose(path.at(alpha), wanted, atol=1e-12)


def test_ends_of_the_path():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 5)), rng.normal(size=20)
    whole = lars_path(X, y)
    part = lars_path(X, y, alpha_min=0.1)
    assert part.alphas[-1] == pytest.approx(0.1)
    assert_allclose(part.at(0.1), whole.at(0.1), atol=1e-12)
    assert not whole.at(10.0).any()
    assert_allclose(part.at(0.0), part.coefs[:, -1])
    assert len(lars_path(X, y, max_iter=2).alphas) == 3
    silent = lars_path(X, np.zeros(20))
    assert silent.alphas.tolist() == [0.0]
    with pytest.raises(ValueError, match="method must be one of"):
        lars_path(X, y, method="ridge")
