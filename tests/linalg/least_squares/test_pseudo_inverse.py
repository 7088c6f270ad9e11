import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.linalg import left_inverse


@given(d=st.integers(1, 6), extra=st.integers(2, 8), seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=50)
def test_left_inverse_is_the_pseudo_inverse_of_independent_columns(d, extra, seed):
    """linalg.06: L X = I, L = pinv(X), residual of L y orthogonal to the columns."""
    rng = np.random.default_rng(seed)
    X = np.linalg.qr(rng.normal(size=(d + extra, d)))[0] * rng.uniform(0.5, 2, size=d)
    L = left_inverse(X)
    assert_allclose(L @ X, np.eye(d), atol=1e-10)
    assert_allclose(L, np.linalg.pinv(X), atol=1e-9)
    y = rng.normal(size=d + extra)
    assert_allclose(X.T @ (y - X @ (L @ y)), 0, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_dependent_columns_are_named(scale):
    """linalg.06: the sum of two columns added as a third."""
    X = np.random.default_rng(0).normal(size=(10, 2))
    X = scale * np.column_stack([X, X.sum(axis=1)])
    with pytest.raises(FitError, match=r"full column rank 3, got rank 2 \(columns .*: [012]\)"):
        left_inverse(X)


@pytest.mark.parametrize("X", [np.zeros((3, 2)), np.ones((3, 2)), np.ones((1, 2))])
def test_rank_is_counted(X):
    with pytest.raises(FitError, match=f"got rank {int(np.linalg.matrix_rank(X))}"):
        left_inverse(X)


def test_conditioning_is_not_squared():
    """Condition 1e10: the normal equations would lose every digit."""
    U, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(30, 3)))
    V, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))
    X = U @ np.diag([1.0, 1e-5, 1e-10]) @ V.T
    assert_allclose(left_inverse(X) @ X, np.eye(3), atol=1e-4)


def test_tolerance_decides_the_rank():
    X = np.diag([1.0, 1e-8])
    assert_allclose(left_inverse(X), np.diag([1.0, 1e8]))
    with pytest.raises(FitError, match="rank 1"):
        left_inverse(X, rtol=1e-6)


def test_no_columns():
    assert left_inverse(np.empty((3, 0))).shape == (0, 3)
