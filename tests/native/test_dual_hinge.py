"""The passes of dual coordinate descent: one visit by hand, and the border."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from margin.native.dual_hinge import dual_hinge_passes


def run(X, target, bound, *, epsilon=0.0, constant=0.0, passes=1, ridge=0.0, shrinks=False):
    n, p = X.shape
    beta, w = np.zeros(n), np.zeros(p + 1)
    dense = X.toarray() if hasattr(X, "toarray") else X
    square = np.square(dense).sum(axis=1, dtype=np.float64) + constant**2 + ridge
    lower, upper = np.minimum(0, bound * target), np.maximum(0, bound * target)
    if epsilon:
        lower, upper = np.full(n, -bound), np.full(n, bound)
    made = dual_hinge_passes(
        X, np.arange(n), n, target, lower, upper, np.full(n, ridge), square, epsilon, constant,
        beta, w, 7, passes, 1e-12, shrinks,
    )  # fmt: skip
    return made, beta, w


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_one_visit_by_hand(dtype):
    """svm.09: alpha = clip((1 - y x.w) / |x|^2), here 1 / 2 for (1, 1)."""
    X = np.array([[1.0, 1.0]], dtype=dtype)
    made, beta, w = run(X, np.array([1.0]), 9.0)
    assert made.made == 1
    assert made.violation == 1.0
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


def test_bad_shapes_and_columns_are_refused():
    X, y = np.ones((2, 2)), np.array([1.0, -1.0])
    ones, w = np.ones(2), np.zeros(3)
    rest = (-ones, ones, 0 * ones, ones, 0.0, 0.0)
    with pytest.raises(ValueError, match="row out of range"):
        dual_hinge_passes(X, np.array([0, 5]), 2, y, *rest, 0 * ones, w, 0, 1, 0.1, False)
    with pytest.raises(ValueError, match="different shape"):
        dual_hinge_passes(X, np.arange(2), 2, y, *rest, 0 * ones, w[:2], 0, 1, 0.1, False)
    with pytest.raises(ValueError, match="start out of bounds"):
        dual_hinge_passes(X, np.arange(2), 2, y, *rest, 3 * ones, w, 0, 1, 0.1, False)
    S = csr_matrix(X)
    S.indices[0] = 9
    with pytest.raises(ValueError, match="column out of range"):
        dual_hinge_passes(S, np.arange(2), 2, y, *rest, 0 * ones, w, 0, 1, 0.1, False)
