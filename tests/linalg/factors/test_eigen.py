import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import eigh
from scipy.sparse import diags_array

from margin.core import FitError, Status
from margin.linalg import generalised_eigen, largest_eigen, power_iteration


def symmetric(n, seed):
    A = np.random.default_rng(seed).normal(size=(n, n))
    return A + A.T


@given(n=st.integers(1, 10), seed=st.integers(0, 10_000), data=st.data())
@settings(deadline=None, max_examples=50)
def test_generalised_pairs_solve_the_problem_and_are_orthonormal_in_b(definite, n, seed, data):
    """linalg.15: A v = lambda B v, v' B v = 1, against LAPACK's own generalised driver."""
    A, B = symmetric(n, seed), definite(n, seed + 1)
    k = data.draw(st.integers(1, n))
    pair = generalised_eigen(A, B, k)
    assert_allclose(A @ pair.vectors, B @ pair.vectors * pair.values, atol=1e-8)
    assert_allclose(pair.vectors.T @ B @ pair.vectors, np.eye(k), atol=1e-8)
    assert_allclose(pair.values, eigh(A, B, eigvals_only=True)[::-1][:k], atol=1e-8)
    assert np.all(np.diff(pair.values) <= 0)
    assert pair.repair == ""


def test_without_the_back_transform_the_equation_fails(definite):
    """linalg.15: e = L' v solves the reduced problem only; the distinction is not academic."""
    A, B = symmetric(4, 0), definite(4, 1)
    pair = generalised_eigen(A, B)
    reduced = np.linalg.cholesky(B).T @ pair.vectors
    assert np.abs(A @ reduced - B @ reduced * pair.values).max() > 0.1


def test_signs_are_fixed_and_identity_b_is_the_ordinary_problem():
    A = symmetric(6, 3)
    pair = generalised_eigen(A, np.eye(6))
    largest = pair.vectors[np.abs(pair.vectors).argmax(axis=0), range(6)]
    assert np.all(largest > 0)
    assert_allclose(pair.values, np.linalg.eigvalsh(A)[::-1])


def test_singular_b_is_mended_and_reported_indefinite_b_refused():
    singular = generalised_eigen(np.eye(2), np.ones((2, 2)))
    assert "diagonal of the B" in singular.repair
    with pytest.raises(FitError, match="B must be positive definite"):
        generalised_eigen(np.eye(2), np.diag([1.0, -1.0]))


def test_generalised_refuses_bad_shapes():
    with pytest.raises(ValueError, match="A must be symmetric"):
        generalised_eigen([[1.0, 2.0], [0.0, 1.0]], np.eye(2))
    with pytest.raises(ValueError, match=r"B must have shape \(2, 2\), got \(3, 3\)"):
        generalised_eigen(np.eye(2), np.eye(3))
    with pytest.raises(ValueError, match="n_components must be between 1 and 2, got 3"):
        generalised_eigen(np.eye(2), np.eye(2), 3)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 3), (5, 2), (60, 4)])
def test_largest_pairs_of_an_operator_equal_the_dense_ones(n, k):
    """linalg.15: few pairs by Lanczos, many by a dense decomposition; one answer."""
    A = symmetric(n, n)
    top = largest_eigen(lambda v: A @ v, n, k, rng=np.random.default_rng(0))
    assert_allclose(top.values, np.linalg.eigvalsh(A)[::-1][:k], atol=1e-9)
    assert_allclose(A @ top.vectors, top.vectors * top.values, atol=1e-7)


def test_same_seed_same_vectors():
    K = diags_array([1.0, -2.0, 1.0], offsets=[-1, 0, 1], shape=(300, 300), format="csr")
    runs = [largest_eigen(lambda v: K @ v, 300, 3, rng=np.random.default_rng(7)) for _ in range(2)]
    assert np.array_equal(runs[0].vectors, runs[1].vectors)


def test_power_iteration_on_a_stochastic_matrix_finds_the_stationary_distribution():
    """linalg.15: product only, matrix not symmetric."""
    P = np.array([[0.9, 0.1, 0.0], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]])
    found = power_iteration(lambda v: P.T @ v, np.ones(3), tol=1e-12)
    assert found.status is Status.CONVERGED
    assert found.objective == pytest.approx(1.0)
    p = found.x / found.x.sum()
    assert_allclose(p @ P, p, atol=1e-11)
    assert found.certificate.holds


def test_power_iteration_finds_the_eigenvalue_of_largest_size_even_if_negative():
    A = np.diag([-5.0, 2.0, 1.0])
    found = power_iteration(lambda v: A @ v, np.ones(3))
    assert found.objective == pytest.approx(-5.0)


def test_power_iteration_says_when_it_did_not_converge():
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    found = power_iteration(lambda v: turn @ v, [1.0, 0.0], max_iter=20)
    assert found.status is Status.MAX_ITER
    assert "stopped after max_iter=20 products" in found.message
    assert found.n_iter == len(found.trace["residual"]) == 20


def test_power_iteration_keeps_what_it_has_on_interruption():
    left = iter(range(5))

    def product(v):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return np.array([2.0, 1.0]) * v

    leading = power_iteration(product, [1.0, 1.0])
    assert leading.interrupted
    assert leading.n_iter == 5
    assert_allclose(leading.x[1] / leading.x[0], 0.5**4)


def test_power_iteration_of_zero_and_bad_input():
    zero = power_iteration(lambda v: 0 * v, [1.0, 1.0])
    assert (zero.objective, zero.status, zero.n_iter) == (0.0, Status.CONVERGED, 1)
    with pytest.raises(ValueError, match="start must be a vector other than zero"):
        power_iteration(lambda v: v, [0.0, 0.0])
    with pytest.raises(ValueError, match="max_iter must be an integer of at least 1, got 0"):
        power_iteration(lambda v: v, [1.0], max_iter=0)
