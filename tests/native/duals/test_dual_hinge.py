"""Dual coordinate descent, one visit by hand; conjugate gradients on a face; the border."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from margin.native.duals.dual_hinge import DualTerms, dual_face_steps, dual_hinge_passes


def terms(X, target, bound, *, epsilon=0.0, constant=0.0, ridge=0.0):
    n = X.shape[0]
    dense = X.toarray() if hasattr(X, "toarray") else X
    square = np.square(dense).sum(axis=1, dtype=np.float64) + constant**2 + ridge
    lower, upper = np.minimum(0, bound * target), np.maximum(0, bound * target)
    if epsilon:
        lower, upper = np.full(n, -bound), np.full(n, bound)
    return DualTerms(target, lower, upper, np.full(n, ridge), square, epsilon, constant)


def run(X, target, bound, *, passes=1, shrinks=False, **how):
    n, p = X.shape
    beta, w = np.zeros(n), np.zeros(p + 1)
    steps = dual_hinge_passes(
        X, terms(X, target, bound, **how), beta, w, np.arange(n),
        seed=7, limit=passes, shrinks=shrinks,
    )  # fmt: skip
    return steps, beta, w


def value(X, it, beta):
    w = np.append(X.T @ beta, it.constant * beta.sum())
    return (
        0.5 * w @ w + 0.5 * beta @ (it.ridge * beta) - it.target @ beta
        + it.epsilon * np.abs(beta).sum()
    )  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_one_visit_by_hand(dtype):
    """svm.09: alpha = clip((1 - y x.w) / |x|^2), here 1 / 2 for (1, 1)."""
    X = np.array([[1.0, 1.0]], dtype=dtype)
    steps, beta, w = run(X, np.array([1.0]), 9.0)
    assert steps.n_passes == 1
    assert steps.violation == 1.0
    assert beta.tolist() == [0.5]
    assert w.tolist() == [0.5, 0.5, 0.0]


def test_tube_and_bounds():
    X = np.array([[2.0]])
    assert run(X, np.array([3.0]), 10.0, epsilon=1.0)[1].tolist() == [0.5]
    assert run(X, np.array([3.0]), 0.25, epsilon=1.0)[1].tolist() == [0.25]
    assert run(X, np.array([0.5]), 10.0, epsilon=1.0)[1].tolist() == [0.0]


@pytest.mark.parametrize("shrinks", [False, True])
def test_sparse_is_dense(shrinks):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 5)) * (rng.random((30, 5)) < 0.5)
    y = np.where(rng.random(30) > 0.5, 1.0, -1.0)
    for kind in (np.int32, np.int64):
        S = csr_matrix(X)
        S.indptr, S.indices = S.indptr.astype(kind), S.indices.astype(kind)
        dense = run(X, y, 1.0, constant=1.0, passes=20, shrinks=shrinks)
        sparse = run(S, y, 1.0, constant=1.0, passes=20, shrinks=shrinks)
        assert np.allclose(dense[1], sparse[1])
        assert np.allclose(dense[2][:-1], X.T @ dense[1])
        assert dense[2][-1] == pytest.approx(dense[1].sum())


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("ridge", [0.0, 0.5])
def test_face_without_walls_is_a_linear_system(dtype, sparse, ridge):
    """svm.09: far from the walls the steps solve (Q + D) b = t over the rows of the face."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(6, 9)).astype(dtype)
    t = rng.normal(size=6)
    it = terms(X, t, 1e6, epsilon=1.0, constant=0.7, ridge=ridge)._replace(epsilon=0.0)
    beta = 1e-3 * np.where(t > 0, 1.0, -1.0)
    w = np.append(X.T.astype(float) @ beta, 0.7 * beta.sum())
    rows, fixed = np.array([0, 2, 3, 4, 5]), beta[1]
    for _ in range(4):
        found = dual_face_steps(
            csr_matrix(X) if sparse else X, it, beta, w, rows,
            limit=30, crowd=1.0, tol=1e-6, n_threads=1,
        )  # fmt: skip
    assert found.outside == 0.0
    Z = np.column_stack([X.astype(float), np.full(6, 0.7)])
    Q = Z @ Z.T + ridge * np.eye(6)
    wanted = np.linalg.solve(Q[np.ix_(rows, rows)], t[rows] - fixed * Q[rows, 1])
    assert beta[1] == fixed
    assert np.allclose(beta[rows], wanted, rtol=1e-6, atol=1e-9)
    assert np.allclose(w, Z.T @ beta)


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_face_never_goes_uphill_nor_through_a_wall(epsilon):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40, 4)), np.where(rng.random(40) > 0.5, 1.0, -1.0)
    it = terms(X, y, 0.4, epsilon=epsilon, constant=1.0)
    for trial in range(10):
        beta = it.lower + (it.upper - it.lower) * rng.uniform(0.05, 0.95, 40)
        w = np.append(X.T @ beta, beta.sum())
        before, signs = value(X, it, beta), np.sign(beta)
        rows = np.flatnonzero(rng.random(40) < 0.8)
        found = dual_face_steps(
            X, it, beta, w, rows, limit=trial + 1, crowd=0.2, tol=1e-6, n_threads=1
        )
        assert found.gain > 0
        assert before - value(X, it, beta) == pytest.approx(found.gain, rel=1e-9)
        assert np.allclose(w, np.append(X.T @ beta, beta.sum()))
        assert (it.lower <= beta).all()
        assert (beta <= it.upper).all()
        if epsilon:
            assert (np.sign(beta) * signs >= 0).all()


def test_face_is_the_same_for_any_number_of_threads():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(5000, 3)), np.where(rng.random(5000) > 0.5, 1.0, -1.0)
    it, answers = terms(X, y, 1.0, constant=1.0), []
    for n_threads in (1, 2, 3):
        beta = 0.5 * y
        w = np.append(X.T @ beta, beta.sum())
        dual_face_steps(
            X, it, beta, w, np.arange(5000), limit=5, crowd=0.5, tol=1e-6, n_threads=n_threads
        )
        answers.append(beta)
    assert np.array_equal(answers[0], answers[1])
    assert np.array_equal(answers[0], answers[2])


def test_faces_of_extreme_scale_and_none():
    y = np.array([1.0, -1.0, 1.0])
    for size in (1e-120, 1e120):
        X = size * np.array([[1.0, 0.2], [-0.5, 1.0], [0.3, -1.0]])
        it = terms(X, y, np.inf, ridge=0.0)
        beta = 1e-3 * y / size**2
        w = np.append(X.T @ beta, 0.0)
        found = dual_face_steps(
            X, it, beta, w, np.arange(2), limit=5, crowd=0.5, tol=1e-6, n_threads=1
        )
        assert found.gain > 0
        assert np.isfinite(beta).all()
    nothing = np.zeros(0, dtype=np.int64)
    found = dual_face_steps(X, it, beta, w, nothing, limit=5, crowd=0.5, tol=1e-6, n_threads=1)
    assert found == (0, 0.0, 0.0)


def test_bad_shapes_and_columns_are_refused():
    X, ones, w = np.ones((2, 2)), np.ones(2), np.zeros(3)
    it = DualTerms(np.array([1.0, -1.0]), -ones, ones, 0 * ones, ones, 0.0, 0.0)
    how = {"seed": 0, "limit": 1, "shrinks": False}
    face = {"limit": 1, "crowd": 0.1, "tol": 0.1, "n_threads": 1}
    S = csr_matrix(X)
    S.indices[0] = 9
    for call, extra in ((dual_hinge_passes, how), (dual_face_steps, face)):
        with pytest.raises(ValueError, match="row out of range"):
            call(X, it, 0 * ones, w, np.array([0, 5]), **extra)
        with pytest.raises(ValueError, match="different shape"):
            call(X, it, 0 * ones, w[:2], np.arange(2), **extra)
        with pytest.raises(ValueError, match="start out of bounds"):
            call(X, it, 3 * ones, w, np.arange(2), **extra)
        with pytest.raises(ValueError, match="column out of range"):
            call(S, it, 0 * ones, w, np.arange(2), **extra)
    with pytest.raises(ValueError, match="rows of zeros"):
        dual_face_steps(X, it._replace(square=0 * ones), 0 * ones, w, np.arange(2), **face)
