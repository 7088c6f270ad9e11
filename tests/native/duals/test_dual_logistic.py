"""Compiled pass of dual logistic regression against its NumPy twin (linear.34)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.optimize import brentq
from scipy.special import expit

from margin.native.duals.dual_logistic import dual_logistic_kernel_pass, dual_logistic_pass

RNG = np.random.default_rng(0)


def twin(X, order, y, weight, alpha, tau, u, r, w):
    """The same pass, each row solved by a bracketing root finder."""
    u, r, w = u.copy(), r.copy(), w.copy()
    for i in order:
        if weight[i] <= 0:
            continue
        z = X[i] @ w[:-1] + w[-1]
        q = weight[i] * (X[i] @ X[i] / alpha + tau)

        def excess(v, z=z, q=q, i=i):
            return v - z + q * ((1 - y[i]) * expit(v) - y[i] * expit(-v) - r[i])

        low, high = z - q * (1 - y[i] - r[i]) - 1e-9, z + q * (y[i] + r[i]) + 1e-9
        u[i] = brentq(excess, low, high, xtol=1e-13, rtol=1e-15)
        fresh = (1 - y[i]) * expit(u[i]) - y[i] * expit(-u[i])
        change = weight[i] * (r[i] - fresh)
        w[:-1] += change / alpha * X[i]
        w[-1] += tau * change
        r[i] = fresh
    return u, r, w


def case(n, p, alpha, seed=0, soft=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.7)
    y = rng.random(n) if soft else rng.integers(2, size=n).astype(float)
    weight = rng.random(n)
    weight[: n // 5] = 0.0
    u = rng.normal(size=n)
    r = (1 - y) * expit(u) - y * expit(-u)
    w = np.append(-(X.T @ (weight * r)) / alpha, 0.3)
    return X, rng.permutation(n), y, weight, np.einsum("ij,ij->i", X, X), u, r, w


@pytest.mark.parametrize("storage", ["float64", "float32", "sparse", "sparse32", "sparse64"])
@pytest.mark.parametrize(("alpha", "tau"), [(1.0, 0.0), (0.01, 2.0), (1e-4, 0.0)])
@pytest.mark.parametrize("soft", [False, True])
def test_pass_against_the_twin(storage, alpha, tau, soft):
    X, order, y, weight, square, u, r, w = case(40, 6, alpha, soft=soft)
    narrow = storage in ("float32", "sparse32")
    if narrow:
        X = X.astype(np.float32)
        square = np.einsum("ij,ij->i", X, X, dtype=float)
    wanted = twin(X.astype(float), order, y, weight, alpha, tau, u, r, w)
    given = X
    if storage.startswith("sparse"):
        given = sparse.csr_array(X)
        kind = np.int64 if storage == "sparse64" else np.int32
        given.indptr, given.indices = given.indptr.astype(kind), given.indices.astype(kind)
    dual_logistic_pass(given, order, y, weight, square, alpha, tau, u, r, w)
    for mine, twins in zip((u, r, w), wanted, strict=True):
        assert_allclose(mine, twins, rtol=1e-8, atol=1e-8)


def test_kernel_pass_is_the_dense_pass_on_the_scores():
    X, order, y, weight, square, u, r, w = case(30, 4, 0.1)
    scores = np.append(X @ w[:-1], w[-1])
    one, two = (u.copy(), r.copy()), (u.copy(), r.copy())
    dual_logistic_pass(X, order, y, weight, square, 0.1, 0.5, *one, w)
    dual_logistic_kernel_pass(X @ X.T, order, y, weight, square, 0.1, 0.5, *two, scores)
    assert_allclose(one, two, atol=1e-8)
    assert_allclose(scores, np.append(X @ w[:-1], w[-1]), atol=1e-8)


def test_no_rows_one_row_and_extreme_scores():
    X, order, y, weight, square, u, r, w = case(5, 2, 1.0)
    before = w.copy()
    dual_logistic_pass(X, order[:0], y, weight, square, 1.0, 0.0, u, r, w)
    assert_allclose(w, before)
    for size in (1e-150, 1e4):
        X = np.array([[size]])
        u, r, w = np.zeros(1), np.array([-0.5]), np.array([0.5 * size, 0.0])
        one = np.ones(1)
        dual_logistic_pass(X, np.zeros(1, dtype=np.int64), one, one, X[0] ** 2, 1.0, 0.0, u, r, w)
        assert np.isfinite([*u, *r, *w]).all()
        # The log-odds of the row are its score.
        assert_allclose(u[0], X[0, 0] * w[0], rtol=1e-4, atol=1e-12)


def test_shapes_and_indices_are_checked():
    X, order, y, weight, square, u, r, w = case(5, 2, 1.0)
    with pytest.raises(ValueError, match="different shape"):
        dual_logistic_pass(X, order, y[:-1], weight, square, 1.0, 0.0, u, r, w)
    with pytest.raises(ValueError, match="different shape"):
        dual_logistic_pass(X, order, y, weight, square, 1.0, 0.0, u, r, w[:-1])
    with pytest.raises(ValueError, match="row out of range"):
        dual_logistic_pass(X, order + 1, y, weight, square, 1.0, 0.0, u, r, w)
    with pytest.raises(ValueError, match="bad strength"):
        dual_logistic_pass(X, order, y, weight, square, 0.0, 0.0, u, r, w)
    with pytest.raises(ValueError, match="column out of range"):
        dual_logistic_pass(sparse.csr_array(X), order, y, weight, square, 1.0, 0.0, u, r, w[1:])
