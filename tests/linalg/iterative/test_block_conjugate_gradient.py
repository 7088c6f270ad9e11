"""Many right-hand sides at once, against one at a time and against the dense inverse."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.linalg import block_conjugate_gradient, conjugate_gradient

RNG = np.random.default_rng(0)


def definite(n=40, spread=2.0):
    Q, _ = np.linalg.qr(RNG.normal(size=(n, n)))
    return Q @ np.diag(np.logspace(0, spread, n)) @ Q.T


def test_same_as_the_inverse_and_as_one_at_a_time():
    """linalg.09: Cholesky and conjugate gradients agree."""
    A, B = definite(), RNG.normal(size=(40, 5))
    found = block_conjugate_gradient(lambda V: A @ V, B, tol=1e-11)
    assert found.status is Status.CONVERGED
    assert found.residual.max() < 1e-10
    assert_allclose(found.x, np.linalg.solve(A, B), atol=1e-9)
    single = conjugate_gradient(lambda v: A @ v, B[:, 2], tol=1e-11)
    assert_allclose(found.x[:, 2], single.x, atol=1e-10)


def test_columns_leave_when_they_are_done():
    A = definite()
    widths = []

    def apply(V):
        widths.append(V.shape[1])
        return A @ V

    eigenvector = np.linalg.eigh(A)[1][:, :1]
    B = np.hstack([eigenvector, RNG.normal(size=(40, 1)), np.zeros((40, 1))])
    found = block_conjugate_gradient(apply, B, tol=np.array([1e-8, 1e-8, 1e-8]))
    assert widths[:3] == [2, 1, 1]
    assert widths[-1] == 3  # the true residuals in the end
    assert_allclose(found.x[:, 2], 0.0)
    assert found.status is Status.CONVERGED


def test_tolerance_of_every_column():
    A, B = definite(spread=3.0), RNG.normal(size=(40, 2))
    found = block_conjugate_gradient(lambda V: A @ V, B, tol=np.array([1e-2, 1e-10]))
    assert 1e-10 < found.residual[0] <= 1e-2
    assert found.residual[1] <= 1e-9


def test_preconditioner_that_is_the_matrix_needs_one_step():
    A, B = definite(), RNG.normal(size=(40, 3))
    found = block_conjugate_gradient(
        lambda V: A @ V, B, preconditioner=lambda V: np.linalg.solve(A, V), tol=1e-9
    )
    assert found.n_iter == 1
    assert_allclose(found.size, np.einsum("ij,ij->j", B, np.linalg.solve(A, B)))


def test_lanczos_matrix_has_the_eigenvalues_of_the_matrix():
    A = np.diag([1.0, 2.0, 5.0])
    found = block_conjugate_gradient(lambda V: A @ V, np.ones((3, 1)), tol=1e-14)
    diagonal, off = found.lanczos(0)
    T = np.diag(diagonal) + np.diag(off, 1) + np.diag(off, -1)
    assert_allclose(np.linalg.eigvalsh(T), [1.0, 2.0, 5.0], rtol=1e-10)


def test_what_goes_wrong_is_said():
    A, b = definite(), RNG.normal(size=(40, 1))
    short = block_conjugate_gradient(lambda V: A @ V, b, tol=1e-12, max_iter=3)
    assert short.status is Status.MAX_ITER
    assert "after 3 iterations" in short.message
    bad = block_conjugate_gradient(lambda V: -V, b)
    assert bad.status is Status.FAILED
    assert "matrix must be positive definite" in bad.message
    bad = block_conjugate_gradient(lambda V: V, b, preconditioner=lambda V: -V)
    assert "preconditioner must be positive definite" in bad.message
    hard = definite(spread=14.0)
    stalled = block_conjugate_gradient(lambda V: hard @ V, b, tol=1e-13, max_iter=3000)
    assert stalled.status in (Status.STALLED, Status.MAX_ITER)
    with pytest.raises(ValueError, match="tol must be"):
        block_conjugate_gradient(lambda V: V, b, tol=-1.0)


def test_nothing_to_solve():
    found = block_conjugate_gradient(lambda V: V, np.empty((3, 0)))
    assert found.status is Status.CONVERGED
    assert found.x.shape == (3, 0)


def test_interruption_keeps_the_last_point():
    A, B = definite(), RNG.normal(size=(40, 3))
    calls = []

    def apply(V):
        calls.append(V.shape)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return A @ V

    cut = block_conjugate_gradient(apply, B, tol=1e-12)
    same = block_conjugate_gradient(lambda V: A @ V, B, tol=1e-12, max_iter=5)
    assert cut.interrupted
    assert not same.interrupted
    assert cut.status is Status.MAX_ITER
    assert "interrupted after 5" in cut.message
    np.testing.assert_array_equal(cut.x, same.x)
    np.testing.assert_array_equal(cut.steps, same.steps)
    assert_allclose(cut.residual, np.linalg.norm(B - A @ cut.x, axis=0) / np.linalg.norm(B, axis=0))


def test_what_a_singular_matrix_does_not_reach_is_said():
    A = np.diag([1.0, 2.0, 0.0])
    B = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    stalled = block_conjugate_gradient(lambda V: A @ V, B, tol=1e-9)
    assert stalled.status is Status.STALLED
    assert "rounding errors keep the relative residual at 1" in stalled.message
    assert_allclose(stalled.x[:, 0], [1.0, 0.5, 0.0])
    assert not stalled.x[:, 1].any()
