"""Largest eigenpairs against a full decomposition."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linalg.iterative._block_krylov import dense_pairs, largest_pairs

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("spectrum", ["decaying", "flat", "low rank", "negative"])
def test_against_eigh(spectrum):
    n, k = 150, 6
    turn = np.linalg.qr(RNG.normal(size=(n, n)))[0]
    values = {
        "decaying": 0.8 ** np.arange(n),
        "flat": 1 + np.arange(n)[::-1] / n,
        "low rank": np.where(np.arange(n) < 3, 5.0 - np.arange(n), 0.0),
        "negative": np.linspace(3, -9, n),
    }[spectrum]
    A = (turn * values) @ turn.T
    found = largest_pairs(lambda B: A @ B, n, k, rng=np.random.default_rng(1))
    assert found.status.ok
    assert_allclose(found.x[0], np.sort(values)[::-1][:k], atol=1e-9)
    vectors = found.x[1]
    assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-9)
    assert_allclose(A @ vectors, vectors * found.x[0], atol=1e-8)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_tiny(n):
    A = np.diag(np.arange(1.0, n + 1))
    found = largest_pairs(lambda B: A @ B, n, 1, rng=np.random.default_rng(0))
    assert_allclose(found.x[0], [n])


def test_zero_matrix():
    found = largest_pairs(np.zeros_like, 20, 2, rng=np.random.default_rng(0))
    assert_allclose(found.x[0], 0)


@pytest.mark.parametrize("k", [1, 3, 8])
def test_dense_pairs(k):
    A = RNG.normal(size=(8, 8))
    A = A + A.T
    values, vectors = dense_pairs(A, k)
    assert_allclose(values, np.linalg.eigvalsh(A)[::-1][:k], rtol=1e-10)
    assert_allclose(A @ vectors, vectors * values, atol=1e-10)
