import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import diags_array

from margin.core import Status
from margin.linalg import cholesky, conjugate_gradient


def laplacian(n, shift=0.1):
    return diags_array([-1.0, 2.0 + shift, -1.0], offsets=[-1, 0, 1], shape=(n, n), format="csr")


def test_agrees_with_cholesky_on_a_sparse_matrix():
    """linalg.09: Cholesky and conjugate gradients agree."""
    K = laplacian(200)
    b = np.random.default_rng(0).normal(size=200)
    solution = conjugate_gradient(lambda v: K @ v, b, tol=1e-12)
    assert solution.status is Status.CONVERGED
    assert solution.certificate.holds
    assert_allclose(solution.x, cholesky(K.toarray()).solve(b), atol=1e-10)


def test_ends_within_the_number_of_distinct_eigenvalues():
    """Krylov property: three distinct eigenvalues, three iterations."""
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(30, 30)))
    A = Q @ np.diag(np.repeat([1.0, 2.0, 7.0], 10)) @ Q.T
    solution = conjugate_gradient(lambda v: A @ v, np.ones(30))
    assert solution.status is Status.CONVERGED
    assert solution.n_iter == 3


def test_objective_never_rises_and_is_the_quadratic():
    K = laplacian(60, shift=0.01)
    b = np.random.default_rng(1).normal(size=60)
    solution = conjugate_gradient(lambda v: K @ v, b)
    trace = solution.trace["objective"]
    assert np.max(np.diff(trace)) <= 1e-12 * abs(trace[-1])
    x = solution.x
    assert solution.objective == pytest.approx(0.5 * x @ (K @ x) - b @ x)
    assert len(trace) == solution.n_iter + 1


def test_good_preconditioner_saves_iterations():
    scale = np.geomspace(1, 1e6, 300)
    K = laplacian(300).multiply(np.sqrt(np.outer(scale, scale))).tocsr()
    b = np.random.default_rng(2).normal(size=300)
    plain = conjugate_gradient(lambda v: K @ v, b, tol=1e-10, max_iter=2000)
    diagonal = K.diagonal()
    helped = conjugate_gradient(
        lambda v: K @ v, b, preconditioner=lambda v: v / diagonal, tol=1e-10, max_iter=2000
    )
    assert helped.status is Status.CONVERGED
    assert helped.n_iter < plain.n_iter / 3
    perfect = cholesky(K.toarray())
    at_once = conjugate_gradient(lambda v: K @ v, b, preconditioner=perfect.solve, tol=1e-9)
    assert at_once.n_iter <= 2


def test_start_at_the_answer_makes_no_iteration():
    A = np.diag([1.0, 2.0])
    solution = conjugate_gradient(lambda v: A @ v, [1.0, 4.0], start=[1.0, 2.0])
    assert (solution.n_iter, solution.status) == (0, Status.CONVERGED)


def test_zero_right_side():
    solution = conjugate_gradient(lambda v: 2 * v, np.zeros(4))
    assert solution.status is Status.CONVERGED
    assert not solution.x.any()


def test_too_few_iterations_are_reported():
    K = laplacian(100, shift=0.0)
    solution = conjugate_gradient(lambda v: K @ v, np.ones(100), max_iter=5)
    assert solution.status is Status.MAX_ITER
    assert solution.n_iter == 5
    assert "stopped after max_iter=5 iterations with relative residual" in solution.message
    residual = np.linalg.norm(np.ones(100) - K @ solution.x) / 10
    assert solution.certificate.value == pytest.approx(residual)


def test_indefinite_matrix_and_preconditioner_fail_with_a_reason():
    A = np.diag([1.0, -1.0])
    solution = conjugate_gradient(lambda v: A @ v, [1.0, 2.0])
    assert solution.status is Status.FAILED
    assert "matrix must be positive definite, got curvature -3" in solution.message
    solution = conjugate_gradient(lambda v: v, [1.0, 2.0], preconditioner=lambda v: -v)
    assert solution.status is Status.FAILED
    assert "preconditioner must be positive definite" in solution.message


def test_tolerance_below_rounding_stalls_instead_of_lying():
    rng = np.random.default_rng(0)
    Q, _ = np.linalg.qr(rng.normal(size=(40, 40)))
    A = Q @ np.diag(np.geomspace(1e-9, 1, 40)) @ Q.T
    A = (A + A.T) / 2
    b = A @ rng.normal(size=40) + 1e-3
    solution = conjugate_gradient(lambda v: A @ v, b, tol=1e-15, max_iter=5000)
    assert solution.status in (Status.STALLED, Status.MAX_ITER)
    assert not solution.certificate.holds
    assert solution.message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"b": [1.0, np.nan]}, "right-hand side must be finite"),
        ({"b": [[1.0, 2.0]]}, "right-hand side must be of shape"),
        ({"start": [1.0]}, r"start must be of shape \(2,\)"),
        ({"tol": -1.0}, "tol must be a number of at least 0, got -1.0"),
        ({"max_iter": -1}, "max_iter must be an integer of at least 0, got -1"),
    ],
)
def test_bad_input_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        conjugate_gradient(**({"apply": lambda v: v, "b": [1.0, 2.0]} | change))
