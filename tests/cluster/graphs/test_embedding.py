"""Eigenvectors of graphs, and labels from them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from margin.cluster.graphs import _embedding
from margin.cluster.graphs._embedding import (
    embedding,
    labels_by_qr,
    labels_by_rotation,
    warn_of_pieces,
)

RNG = np.random.default_rng


def graph(n=30):
    rng = np.random.default_rng(0)
    A = rng.random((n, n))
    A = A + A.T
    np.fill_diagonal(A, 0.0)
    return A


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("solver", [None, "arpack", "lobpcg"])
def test_generalised_eigenvectors(sparse, solver, monkeypatch):
    """A v = lambda D v, the first one constant, few or all computed."""
    A = graph()
    for limit in (600, 10):
        monkeypatch.setattr(_embedding, "_DENSE", limit)
        V = embedding(csr_array(A) if sparse else A, 3, np.random.default_rng(0), solver=solver,
                      tol=1e-10)  # fmt: skip
        degree = A.sum(axis=1)
        values = (V * (A @ V)).sum(axis=0) / (V * (degree[:, None] * V)).sum(axis=0)
        assert_allclose(A @ V, degree[:, None] * V * values, atol=1e-4)
        assert values[0] == pytest.approx(1.0)
        assert (np.diff(values) <= 1e-8).all()
        assert np.ptp(V[:, 0]) < 1e-5


@pytest.mark.parametrize("sparse", [False, True])
def test_similarities_to_itself_do_not_count(sparse):
    A = graph()
    make = csr_array if sparse else np.asarray
    with_loops = embedding(make(A + 7 * np.eye(30)), 3, RNG(0), solver=None, tol=0.0)
    assert_allclose(with_loops, embedding(make(A), 3, RNG(0), solver=None, tol=0.0))


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("limit", [600, 10])
def test_values_all_but_equal(sparse, limit, monkeypatch):
    """Pairs of rows far from all others: half of all values are 1, and search still ends."""
    monkeypatch.setattr(_embedding, "_DENSE", limit)
    monkeypatch.setattr(_embedding, "_RESTARTS", 3)
    A = np.kron(np.eye(40), [[0.0, 1.0], [1.0, 0.0]]) + 1e-40 * (1 - np.eye(80))
    V = embedding(csr_array(A) if sparse else A, 5, RNG(0), solver=None, tol=0.0)
    assert V.shape == (80, 5)
    assert_allclose(V.T @ V, np.eye(5), atol=1e-6)
    assert_allclose(A @ V, V, atol=1e-6)


def test_labels_from_noisy_indicators():
    rng = np.random.default_rng(1)
    truth = rng.integers(4, size=90)
    rotation = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    V = (np.eye(4)[truth] + 0.05 * rng.normal(size=(90, 4))) @ rotation
    assert adjusted_rand_score(truth, labels_by_qr(V)) == 1.0
    assert adjusted_rand_score(truth, labels_by_rotation(V, rng)) == 1.0


def test_pieces_are_told():
    with pytest.warns(UserWarning, match="not fully connected"):
        warn_of_pieces(np.eye(2), "SpectralClustering")
