"""Blocks along the diagonal as preconditioner of a sparse covariance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.gp.compact import _products as _compact_products
from margin.gp.compact._matrix import CompactMatrix
from margin.gp.compact._products import ProductSystem
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.gp.solvers._iterative import evaluate
from margin.kernels import Wendland, White

RNG = np.random.default_rng(0)
X = RNG.uniform(size=(150, 2))
SEEN = Observations(X, RNG.normal(size=(150, 1)), RNG.uniform(0.01, 0.1, 150), np.empty((150, 0)))
KERNEL = 1.5 * Wendland(0.2, dimension=2) + White(0.3)


def made(size, monkeypatch):
    monkeypatch.setattr(_compact_products, "_BLOCK", size)
    return ProductSystem.of(CompactMatrix.of(KERNEL, SEEN), "asked for")


def test_preconditioner_is_the_blocks(monkeypatch):
    system, M = made(40, monkeypatch), np.zeros((150, 150))
    C = KERNEL(X) + np.diag(SEEN.noise)
    for rows in system.blocks:
        M[np.ix_(rows, rows)] = C[np.ix_(rows, rows)]
    V = RNG.normal(size=(150, 2))
    assert_allclose(system.precondition(V), np.linalg.solve(M, V), atol=1e-9)
    assert_allclose(system.apply(V), C @ V, atol=1e-10)
    assert system.log_det == pytest.approx(np.linalg.slogdet(M)[1])
    z = system.colour(np.random.default_rng(0), 20_000)
    assert_allclose(z @ z.T / 20_000, M, atol=0.1)
    assert_allclose(system.inverse_diagonal(), np.diagonal(np.linalg.inv(C)), rtol=1e-6)


def test_one_block_leaves_no_random_error(monkeypatch):
    """gp.05: value and gradient by products are those of the dense matrix."""
    there = evaluate(made(200, monkeypatch), SEEN, gradient=True)
    exact = Exact().evaluate(KERNEL, SEEN)
    assert there.value == pytest.approx(exact.value, abs=1e-6)
    assert there.error < 1e-6
    assert_allclose(there.gradient, exact.gradient, atol=1e-6)


def test_blocks_are_right_within_their_error(monkeypatch):
    monkeypatch.setattr("margin.gp.solvers._iterative.PROBES", 500)
    there = evaluate(made(50, monkeypatch), SEEN, gradient=True)
    exact = Exact().evaluate(KERNEL, SEEN)
    assert abs(there.value - exact.value) < 4 * there.error
    assert_allclose(there.gradient, exact.gradient, atol=2.0)


def test_many_rows_get_an_estimate_of_the_diagonal(monkeypatch):
    system = made(50, monkeypatch)
    truth = system.inverse_diagonal()
    monkeypatch.setattr(_compact_products, "_COLUMN_ROWS", 10)
    with pytest.warns(UserWarning, match="standard error"):
        found = system.inverse_diagonal()
    assert np.median(np.abs(found / truth - 1.0)) < 0.05
