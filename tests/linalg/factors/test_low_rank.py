import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.linalg import cholesky, downdate, update, woodbury


@given(n=st.integers(1, 15), seed=st.integers(0, 10_000), size=st.sampled_from([1e-6, 1.0, 1e6]))
@settings(deadline=None, max_examples=60)
def test_update_equals_refactoring_and_downdate_undoes_it(definite, n, seed, size):
    """linalg.12: rank-one changes of a factor."""
    A = definite(n, seed)
    x = size * np.random.default_rng(seed + 1).normal(size=n)
    before = cholesky(A)
    after = update(before, x)
    whole = A + np.outer(x, x)
    assert_allclose(
        after.lower @ after.lower.T, whole, rtol=1e-10, atol=1e-12 * np.abs(whole).max()
    )
    assert np.all(np.diagonal(after.lower) > 0)
    assert np.all(np.triu(after.lower, 1) == 0)
    assert_allclose(before.lower @ before.lower.T, A, atol=1e-12 * np.abs(A).max())
    if size <= 1.0:
        back = downdate(after, x)
        assert_allclose(back.lower, before.lower, rtol=1e-6, atol=1e-8)


def test_downdate_to_a_thin_remainder_keeps_its_digits():
    """Leave 1e-8 of the determinant: the downdate of I by (1 - 5e-9) e has a known factor."""
    n, left = 6, 1e-8
    e = np.ones(n) / np.sqrt(n)
    x = np.sqrt(1 - left) * e
    thin = downdate(cholesky(np.eye(n)), x)
    assert_allclose(thin.log_det, np.log(left), rtol=1e-6)


@pytest.mark.parametrize("size", [1.0, 1.0 + 1e-9, 3.0])
def test_downdate_that_leaves_nothing_is_refused(size):
    with pytest.raises(FitError, match="Gram must stay positive definite, got a downdate that"):
        downdate(cholesky(np.eye(3), name="Gram"), [0.0, size, 0.0])


def test_changes_keep_name_and_jitter():
    factor = cholesky(np.ones((2, 2)), name="Gram")
    assert update(factor, [0.0, 1.0]).jitter == factor.jitter > 0
    assert update(factor, [0.0, 1.0]).name == "Gram"


def test_update_refuses_a_vector_of_the_wrong_size():
    with pytest.raises(ValueError, match=r"update must be of shape \(3,\)"):
        update(cholesky(np.eye(3)), [1.0, 2.0])


@given(n=st.integers(1, 12), k=st.integers(0, 14), seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_woodbury_and_determinant_lemma_equal_the_dense_matrix(definite, n, k, seed):
    """linalg.12: both kinds of base, rank from zero to more than n."""
    rng = np.random.default_rng(seed)
    U, b = rng.normal(size=(n, k)), rng.normal(size=(n, 2))
    diagonal = rng.uniform(0.5, 2.0, size=n)
    dense = definite(n, seed)
    for base, A in [(diagonal, np.diag(diagonal)), (cholesky(dense), dense)]:
        solver = woodbury(base, U)
        whole = A + U @ U.T
        assert_allclose(solver.solve(b), np.linalg.solve(whole, b), rtol=1e-7, atol=1e-8)
        assert_allclose(solver.solve(b[:, 0]), solver.solve(b)[:, 0], atol=1e-12)
        assert_allclose(solver.log_det, np.linalg.slogdet(whole)[1], atol=1e-8)


def test_information_form_of_the_kalman_covariance(definite):
    """linalg.12: (P^-1 + B' S^-1 B)^-1 = P - P B' (S + B P B')^-1 B P."""
    rng = np.random.default_rng(0)
    P, S, B = definite(4, 1), definite(2, 2), rng.normal(size=(2, 4))
    direct = np.linalg.inv(np.linalg.inv(P) + B.T @ np.linalg.inv(S) @ B)
    U = cholesky(S).half_solve(B).T
    information = woodbury(cholesky(cholesky(P).solve(np.eye(4))), U)
    assert_allclose(information.solve(np.eye(4)), direct, atol=1e-9)
    assert_allclose(P - P @ B.T @ np.linalg.solve(S + B @ P @ B.T, B @ P), direct, atol=1e-9)


def test_woodbury_refuses_bad_input():
    with pytest.raises(ValueError, match="diagonal must be above 0, got 0"):
        woodbury([1.0, 0.0], np.ones((2, 1)))
    with pytest.raises(ValueError, match=r"diagonal must be of shape \(2,\)"):
        woodbury([1.0, 1.0, 1.0], np.ones((2, 1)))
    with pytest.raises(ValueError, match="low-rank part must be two-dimensional"):
        woodbury([1.0, 1.0], np.ones(2))


def test_repr():
    assert repr(woodbury(np.ones(5), np.ones((5, 2)))) == "Woodbury(n=5, rank=2)"
