"""Gauss quadrature and the log-determinant from the Lanczos matrices of conjugate gradients."""

import numpy as np
import pytest

from margin.core import FitError
from margin.linalg import block_conjugate_gradient, gauss_quadrature, log_det_ratio

RNG = np.random.default_rng(0)


def test_quadrature_is_exact_for_the_whole_krylov_space():
    A = np.diag([1.0, 2.0, 5.0])
    b = np.array([[1.0], [2.0], [0.5]])
    found = block_conjugate_gradient(lambda V: A @ V, b, tol=1e-14)
    value = found.size[0] * gauss_quadrature(*found.lanczos(0), np.log)
    assert value == pytest.approx(float(b[:, 0] ** 2 @ np.log([1.0, 2.0, 5.0])))
    assert gauss_quadrature(np.empty(0), np.empty(0), np.log) == 0.0


def test_probes_that_span_the_space_give_the_log_determinant():
    """linalg.09: sqrt(n) times an orthonormal basis averages to the trace, without any error."""
    n = 12
    G = RNG.normal(size=(n, n))
    A, M = G @ G.T + n * np.eye(n), np.diag(RNG.uniform(1, 30, n))
    basis, _ = np.linalg.qr(RNG.normal(size=(n, n)))
    probes = np.sqrt(n) * np.sqrt(M) @ basis
    found = block_conjugate_gradient(
        lambda V: A @ V, probes, preconditioner=lambda V: np.linalg.solve(M, V), tol=1e-13
    )
    made = log_det_ratio(found, slice(None))
    truth = np.linalg.slogdet(A)[1] - np.linalg.slogdet(M)[1]
    assert made.value == pytest.approx(truth, rel=1e-8)
    assert made.samples.shape == (n,)


def test_standard_error_covers_the_truth():
    n, t = 60, 200
    A = np.diag(np.logspace(0, 2, n))
    found = block_conjugate_gradient(lambda V: A @ V, RNG.normal(size=(n, t)), tol=1e-6)
    made = log_det_ratio(found, slice(0, t))
    assert abs(made.value - np.log(np.diagonal(A)).sum()) < 4 * made.standard_error
    one = log_det_ratio(found, slice(0, 1))
    assert np.isnan(one.standard_error)


def test_perfect_preconditioner_leaves_no_error():
    A = np.diag(np.logspace(0, 2, 30))
    found = block_conjugate_gradient(
        lambda V: A @ V,
        RNG.normal(size=(30, 4)),
        preconditioner=lambda V: V / np.diagonal(A)[:, None],
    )
    made = log_det_ratio(found, slice(None))
    assert abs(made.value) < 1e-10
    assert made.standard_error < 1e-10


def test_indefinite_matrix_is_refused():
    found = block_conjugate_gradient(lambda V: V, np.ones((3, 1)))
    found.steps[0, 0] = -1.0
    with pytest.raises(FitError, match="positive definite"):
        log_det_ratio(found, slice(None))
