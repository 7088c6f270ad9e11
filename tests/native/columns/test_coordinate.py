"""Compiled coordinate descent against a NumPy twin and against optimality conditions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.native.columns.coordinate import (
    block_descent,
    column_descent,
    gram_descent,
    gram_path,
)


def twin(A, q, l1, l2, positive, epochs):
    """Plain cyclic descent in NumPy."""
    w = np.zeros(len(q))
    for _ in range(epochs):
        for j in range(len(q)):
            if A[j, j] + l2 <= 0:
                continue
            rest = q[j] - A[j] @ w + A[j, j] * w[j]
            size = max((rest if positive else abs(rest)) - l1, 0.0)
            w[j] = (1.0 if positive else np.sign(rest)) * size / (A[j, j] + l2)
    return w


def violation(A, q, w, l1, l2, positive):
    g = A @ w - q + l2 * w
    at_zero = np.maximum((-g if positive else np.abs(g)) - l1, 0.0)
    return np.where(w == 0, at_zero, np.abs(g + l1 * np.sign(w))).max(initial=0.0)


def quadratic(n=40, p=15, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, p)) + 0.5, rng.normal(size=n)
    return X, y, X.T @ X / n, X.T @ y / n


def solve_gram(A, q, l1, l2=0.0, positive=False, max_epochs=1000, **stop):
    w, slope = np.zeros(len(q)), np.empty(len(q))
    stop = {"gap_tol": -1.0, "slope_tol": 1e-12, **stop}
    found = gram_descent(
        A,
        q,
        w,
        slope,
        stop.pop("energy", 0.0),
        l1,
        l2,
        positive=positive,
        max_epochs=max_epochs,
        **stop,
    )
    return w, slope, found


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize(("l1", "l2"), [(0.05, 0.0), (0.05, 0.3), (0.0, 0.1), (10.0, 0.0)])
@pytest.mark.parametrize("p", [1, 15, 400])
def test_gram_descent_is_the_minimum(positive, l1, l2, p):
    """400 columns of 40 rows: packed in single precision first, and singular."""
    _, _, A, q = quadratic(p=p)
    tol = 1e-8 if p == 400 else 1e-12
    w, slope, (epochs, left) = solve_gram(A, q, l1, l2, positive, max_epochs=20_000, slope_tol=tol)
    assert_allclose(slope, A @ w - q, atol=1e-12)
    assert violation(A, q, w, l1, l2, positive) <= tol + 1e-12
    assert left <= tol
    assert epochs < 20_000
    if p == 15:
        assert_allclose(w, twin(A, q, l1, l2, positive, 3000), atol=1e-9)
    assert not positive or (w >= 0).all()


def test_gram_descent_uses_the_leading_block():
    _, _, A, q = quadratic()
    roomy = np.full((20, 20), np.nan)
    roomy[:15, :15] = A
    assert_array_equal(solve_gram(roomy, q, 0.05)[0], solve_gram(A, q, 0.05)[0])


def test_gram_descent_stops_at_the_duality_gap():
    """The gap it stops at is the one computed from the residual."""
    X, y, A, q = quadratic()
    n = len(X)
    for tol in (1e-3, 1e-6, 1e-10):
        w, _, _ = solve_gram(A, q, 0.05, energy=y @ y / n, gap_tol=tol, slope_tol=0.0)
        r = (y - X @ w) / np.sqrt(n)
        worst = np.abs(X.T @ r).max() / np.sqrt(n)
        t = min(1.0, 0.05 / worst)
        target = y / np.sqrt(n)
        primal = r @ r / 2 + 0.05 * np.abs(w).sum()
        assert primal - (t * (r @ target) - t * t * (r @ r) / 2) <= 1.001 * tol + 1e-15


def test_columns_without_curvature_keep_their_coefficient():
    A = np.diag([1.0, 0.0])
    w, _, _ = solve_gram(A, np.array([1.0, 0.0]), 0.1)
    assert_allclose(w, [0.9, 0.0])


def problem(kind, dtype=np.float64, n=60, p=20, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.4) + (kind == "dense") * 0.3
    X = X.astype(dtype)
    h, v = rng.random(n) + 0.05, rng.normal(size=n)
    columns = sparse.csc_array(X) if kind == "sparse" else np.ascontiguousarray(X.T)
    return X.astype(np.float64), columns, h, v


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("l2", [0.0, 0.5])
@pytest.mark.parametrize("intercept", [False, True])
def test_column_descent_is_the_minimum(kind, dtype, positive, l2, intercept):
    """The intercept, eliminated implicitly, ends where its own slope vanishes."""
    X, columns, h, v = problem(kind, dtype)
    index = np.array([3, 0, 19, 7, 11, 5])
    part, total, l1 = X[:, index], h.sum(), 1.0
    mean = h @ part / total if intercept else None
    curvature = h @ part**2 - (total * mean**2 if intercept else 0.0)
    w, slope = np.zeros(6), v.copy()
    found = column_descent(
        columns,
        index,
        mean,
        curvature,
        h,
        w,
        slope,
        l1,
        l2,
        positive=positive,
        max_epochs=2000,
        tol=1e-12,
    )
    assert_allclose(slope, v + h * (part @ w + found.shift), atol=1e-10)
    if intercept:
        assert abs(slope.sum()) < 1e-10
    else:
        assert found.shift == 0.0
    A = (part.T * h) @ part - (total * np.outer(mean, mean) if intercept else 0.0)
    q = -part.T @ v + (v.sum() * mean if intercept else 0.0)
    assert violation(A, q, w, l1, l2, positive) < 1e-9
    assert_allclose(w, twin(A, q, l1, l2, positive, 2000), atol=1e-8)
    assert found.last <= 1e-12
    assert_allclose(found.first, violation(A, q, np.zeros(6), l1, l2, positive), rtol=0.9)


def test_extrapolation_speeds_up_correlated_columns():
    """Cyclic descent alone is not there after five times the sweeps."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 1)) + 0.3 * rng.normal(size=(50, 8))
    A, q = X.T @ X / 50, X.T @ (X @ rng.normal(size=8)) / 50
    _, _, (epochs, left) = solve_gram(A, q, 1e-4, max_epochs=10_000, slope_tol=1e-8)
    assert left <= 1e-8
    slow = twin(A, q, 1e-4, 0.0, False, 5 * epochs)
    assert violation(A, q, slow, 1e-4, 0.0, False) > 1e-8


def test_refuses_arrays_that_do_not_fit():
    X, columns, h, v = problem("sparse")
    ids, ones = np.array([0, 1]), np.ones(2)
    settings = {"positive": False, "max_epochs": 1, "tol": 0.1}
    with pytest.raises(ValueError, match="of length 60"):
        column_descent(columns, ids, None, ones, h, ones, np.ones(59), 1.0, 0.0, **settings)
    with pytest.raises(ValueError, match="index out of range"):
        column_descent(columns, ids + 19, None, ones, h, ones, v, 1.0, 0.0, **settings)
    with pytest.raises(ValueError, match="different shape"):
        column_descent(columns, ids, np.ones(3), ones, h, ones, v, 1.0, 0.0, **settings)
    with pytest.raises(ValueError, match="different shape"):
        solve_gram(np.eye(3), np.ones(4), 0.1)
    assert X.shape == (60, 20)


@pytest.mark.parametrize("storage", [np.ascontiguousarray, np.float32, sparse.csc_array])
def test_blocks_agree_with_their_twin(storage):
    """Rows of coefficients one after the other, written out in NumPy."""
    rng = np.random.default_rng(5)
    X, Y = rng.normal(size=(30, 6)).astype(np.float32).astype(float), rng.normal(size=(30, 3))
    X[:, 4] = 0.0
    curvature, l1, l2 = (X**2).sum(axis=0) / 30, 0.2, 0.1
    W, R = np.zeros((6, 3)), Y.copy()
    for _ in range(4):
        for j in (0, 1, 2, 3, 5):
            pull = curvature[j] * W[j] + X[:, j] @ R / 30
            length = np.linalg.norm(pull)
            row = max(0.0, 1.0 - l1 / length) * pull / (curvature[j] + l2)
            R -= np.outer(X[:, j], row - W[j])
            W[j] = row
    w, residual = np.zeros((6, 3)), np.ascontiguousarray(Y.T)
    columns = storage(X) if storage is sparse.csc_array else storage(X.T.copy())
    for _ in range(4):
        assert (
            block_descent(columns, curvature, w, residual, 1 / 30, l1, l2, max_epochs=1, tol=0) == 1
        )
    assert_allclose(w, W, atol=1e-12)
    assert_allclose(residual, R.T, atol=1e-12)
    assert not w[4].any()
    with pytest.raises(ValueError, match="block_descent"):
        block_descent(columns, curvature, w, residual[:, 1:], 1 / 30, l1, l2, max_epochs=1, tol=0)


@pytest.mark.parametrize("positive", [False, True])
def test_a_path_is_one_descent_after_the_other(positive):
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(40, 8)), rng.normal(size=40)
    gram, q, energy = X.T @ X, X.T @ y, float(y @ y)
    l1 = np.geomspace(np.abs(q).max(), 0.5, 7)
    l2 = 0.1 * l1
    options = {"positive": positive, "max_epochs": 5000, "gap_tol": -1.0, "slope_tol": 1e-10}
    coefs, gaps, epochs = gram_path(gram, q, energy, l1, l2, **options)
    assert (gaps < 1e-8).all()
    assert positive or (epochs[1:] > 0).all()
    for k in range(7):
        w = np.zeros(8)
        gram_descent(gram, q, w, np.empty(8), energy, l1[k], l2[k], **options)
        assert_allclose(coefs[k], w, atol=1e-9)
    limited = gram_path(gram, q, energy, l1, l2, **{**options, "max_epochs": 1})
    assert limited[2].max() == 1
    with pytest.raises(ValueError, match="different shape"):
        gram_path(gram, q[1:], energy, l1, l2, **options)
