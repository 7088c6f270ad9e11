"""Cholesky with the one jitter policy (linalg.08)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.linalg import cholesky


@given(n=st.integers(1, 12), seed=st.integers(0, 10_000), power=st.integers(-100, 100))
@settings(deadline=None, max_examples=60)
def test_factor_solves_and_determinant_agree_with_dense_elimination(definite, n, seed, power):
    """linalg.08: against Gaussian elimination, at scales from 1e-100 to 1e100."""
    A = 10.0**power * definite(n, seed)
    B = np.random.default_rng(seed + 1).normal(size=(n, 3))
    factor = cholesky(A)
    assert factor.jitter == 0.0
    assert factor.repair == ""
    assert_allclose(factor.lower @ factor.lower.T, A, rtol=1e-12, atol=1e-14 * np.max(np.abs(A)))
    assert np.all(np.triu(factor.lower, 1) == 0)
    dense = np.linalg.solve(A, B)
    assert_allclose(factor.solve(B), dense, rtol=1e-6, atol=1e-9 * np.max(np.abs(dense)))
    assert_allclose(factor.solve(B[:, 0]), factor.solve(B)[:, 0], rtol=1e-9)
    sign, log_det = np.linalg.slogdet(A)
    assert sign == 1
    assert_allclose(factor.log_det, log_det, rtol=1e-9, atol=1e-9)


def test_half_solves_and_quadratic_form(definite):
    A = definite(6, 0)
    B = np.random.default_rng(1).normal(size=(6, 4))
    factor = cholesky(A)
    assert_allclose(factor.lower @ factor.half_solve(B), B, atol=1e-12)
    assert_allclose(factor.lower.T @ factor.half_solve(B, transpose=True), B, atol=1e-12)
    inverse = np.linalg.inv(A)
    assert_allclose(factor.quadratic(B), np.diag(B.T @ inverse @ B))
    assert factor.quadratic(B[:, 0]).shape == ()
    assert_allclose(factor.inverse_diagonal(), np.diag(inverse))


@pytest.mark.parametrize("order", ["C", "F"])
def test_input_is_left_as_it_was(definite, order):
    A = np.array(definite(5, 3), order=order)
    A.flags.writeable = False
    before = A.copy()
    cholesky(A)
    assert np.array_equal(A, before)


@pytest.mark.parametrize("n", [2, 10, 200])
@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_singular_matrix_is_mended_at_rounding_level_and_says_so(n, scale):
    x = np.random.default_rng(0).normal(size=(n, 1))
    A = scale * (x @ x.T)
    factor = cholesky(A, name="Gram matrix")
    mean = np.trace(A) / n
    assert 0 < factor.jitter <= 1e4 * n * np.finfo(float).eps * mean
    assert f"{factor.jitter:.3g}" in factor.repair
    assert "Gram matrix" in factor.repair
    assert_allclose(
        factor.lower @ factor.lower.T, A + factor.jitter * np.eye(n), atol=1e-13 * n * mean
    )


def test_exactly_singular_matrix_does_not_pass_by_luck():
    """The last pivot of this matrix is 0 in exact arithmetic and about eps in floats."""
    a = np.array([[1.0, 1 / 3], [1 / 3, 1 / 9 + 1e-17]])
    assert cholesky(a).jitter > 0


def test_smooth_kernel_matrix_needs_jitter_and_gets_little():
    x = np.linspace(0, 1, 60)[:, None]
    K = np.exp(-0.5 * (x - x.T) ** 2)
    factor = cholesky(K)
    assert 0 < factor.jitter < 1e-10
    with pytest.raises(FitError):
        cholesky(K, max_jitter=0.0)


def test_refusal_names_the_matrix_and_its_smallest_eigenvalue():
    A = np.diag([3.0, 1.0, -0.25])
    with pytest.raises(FitError, match=r"noise covariance must .* eigenvalue -0\.25 \(3 rows"):
        cholesky(A, name="noise covariance")
    with pytest.raises(FitError, match="eigenvalue -1 "):
        cholesky([[1.0, 2.0], [2.0, 1.0]])


def test_jitter_never_exceeds_its_bound():
    """Eigenvalues -1e-5 and 2: a bound of 1e-6 refuses, 1e-4 mends with at least 1e-5."""
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(2, 2)))
    A = Q @ np.diag([2.0, -1e-5]) @ Q.T
    A = (A + A.T) / 2
    with pytest.raises(FitError):
        cholesky(A)
    mended = cholesky(A, max_jitter=1e-4)
    assert 1e-5 <= mended.jitter <= 1e-4 * np.trace(A) / 2


def test_zero_matrix_and_forbidden_jitter_are_refused():
    with pytest.raises(FitError, match="eigenvalue 0"):
        cholesky(np.zeros((3, 3)))
    with pytest.raises(FitError):
        cholesky(np.ones((2, 2)), max_jitter=0.0)
    with pytest.raises(ValueError, match="max_jitter must be a number of at least 0, got -1"):
        cholesky(np.eye(2), max_jitter=-1)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.ones((2, 3)), "covariance must be square"),
        ([[1.0, 0.5], [0.4, 1.0]], "covariance must be symmetric"),
        ([[1.0, np.nan], [np.nan, 1.0]], "covariance must be finite everywhere, got NaN"),
        ([[np.inf, 0.0], [0.0, 1.0]], "covariance must be finite everywhere, got infinity"),
    ],
)
def test_bad_matrices_are_refused_before_any_work(bad, message):
    with pytest.raises(ValueError, match=message):
        cholesky(bad, name="covariance")


def test_widely_different_scales_on_the_diagonal_need_no_jitter():
    d = np.array([1e-30, 1.0, 1e30])
    factor = cholesky(np.diag(d))
    assert factor.jitter == 0.0
    assert_allclose(factor.solve(np.ones(3)), 1 / d)


def test_empty_matrix():
    factor = cholesky(np.empty((0, 0)))
    assert factor.log_det == 0.0
    assert factor.solve(np.empty(0)).shape == (0,)
    assert factor.inverse_diagonal().shape == (0,)


def test_right_side_of_the_wrong_size():
    with pytest.raises(ValueError, match="right-hand side must be of shape"):
        cholesky(np.eye(3)).solve(np.ones(4))


def test_repr():
    assert repr(cholesky(np.eye(3), name="kernel")) == "Cholesky(kernel, n=3, jitter=0)"
