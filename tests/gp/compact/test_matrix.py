"""The sparse covariance and its factor against the dense ones."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError, memory
from margin.gp.compact import _matrix as _compact_matrix
from margin.gp.compact._matrix import CompactMatrix, FactoredSystem
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.kernels import Wendland, White
from margin.linalg import sparse_cholesky

RNG = np.random.default_rng(0)
X = RNG.uniform(size=(150, 2))
SEEN = Observations(X, RNG.normal(size=(150, 2)), RNG.uniform(0.01, 0.1, 150), np.empty((150, 0)))
KERNEL = 1.5 * Wendland((0.2, 0.3), dimension=2) + White(0.1)


def test_matrix_cross_and_gradient(monkeypatch):
    """kernels.25: a sparse Gram matrix, in chunks of pairs."""
    monkeypatch.setattr(_compact_matrix, "_CHUNK", 100)
    made = CompactMatrix.of(KERNEL, SEEN)
    assert_allclose(made.C.toarray(), KERNEL(X) + np.diag(SEEN.noise), atol=1e-13)
    assert_allclose(made.cross(X[:7] + 0.01).toarray(), KERNEL(X[:7] + 0.01, X), atol=1e-13)
    W = RNG.normal(size=(150, 150))
    W = W + W.T
    found = made.gradient(lambda at, i, j: W[i, j])
    assert_allclose(found, KERNEL.gradient_product(X, W), rtol=1e-10)


def test_factored_system_is_the_exact_solver():
    """gp.05: the other half of the choice, without any error."""
    made = CompactMatrix.of(KERNEL, SEEN)
    system = FactoredSystem(made, sparse_cholesky(made.C, plan=made.plan()))
    found, exact = system.evaluate(SEEN, gradient=True), Exact().evaluate(KERNEL, SEEN)
    assert found.value == pytest.approx(exact.value, rel=1e-11)
    assert_allclose(found.gradient, exact.gradient, rtol=1e-8, atol=1e-8)
    assert "sparse Cholesky" in system.about[0]


def test_too_many_pairs_are_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1000)
    with pytest.raises(FitError, match="more than fit into memory; use method='cg'"):
        CompactMatrix.of(KERNEL, SEEN)
