"""Smooth functions of graphs: every way to them against a full decomposition."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh
from scipy.sparse import csr_array, diags_array

from margin.linalg import graph_functions, n_parts
from margin.linalg.iterative import _graph_functions
from margin.linalg.iterative._graph_functions import _by_inverse, _by_products, _normalised

RNG = np.random.default_rng


def weights(n=60):
    rng = RNG(0)
    A = rng.random((n, n))
    A = A + A.T
    np.fill_diagonal(A, 0.0)
    return A


def chain(n=300):
    return csr_array(diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[1, -1]))


@pytest.mark.parametrize("make", [np.asarray, csr_array])
@pytest.mark.parametrize("solver", [None, "lobpcg"])
@pytest.mark.parametrize("limit", [400, 10])
def test_generalised_eigenvectors(make, solver, limit, monkeypatch):
    """A f = lambda D f, the first one constant, few or all computed."""
    monkeypatch.setattr(_graph_functions, "_DENSE", limit)
    A = weights()
    degree = A.sum(axis=1)
    smooth = graph_functions(make(A), 3, rng=RNG(0), tol=1e-9, solver=solver)
    F = smooth.functions
    assert_allclose(A @ F, degree[:, None] * F * smooth.values, atol=1e-5)
    assert_allclose(F.T * degree @ F, np.eye(3), atol=1e-6)
    assert smooth.values[0] == pytest.approx(1.0)
    assert (np.diff(smooth.values) <= 1e-12).all()
    assert np.ptp(F[:, 0]) < 1e-5
    assert smooth.residual < 1e-5
    assert (F[np.abs(F).argmax(axis=0), np.arange(3)] > 0).all()


@pytest.mark.parametrize("make", [np.asarray, csr_array])
@pytest.mark.parametrize("limit", [400, 10])
def test_weights_of_a_row_to_itself_do_not_count(make, limit, monkeypatch):
    monkeypatch.setattr(_graph_functions, "_DENSE", limit)
    with_loops = graph_functions(make(weights() + 7 * np.eye(60)), 3, rng=RNG(0))
    without = graph_functions(make(weights()), 3, rng=RNG(0))
    assert_allclose(with_loops.functions, without.functions, atol=1e-9)


@pytest.mark.parametrize("engine", [_by_products, _by_inverse])
@pytest.mark.parametrize("restarts", [0, 300])
def test_both_searches_of_a_dense_graph(engine, restarts, monkeypatch):
    monkeypatch.setattr(_graph_functions, "_TRIED", 40)
    monkeypatch.setattr(_graph_functions, "_RESTARTS", max(restarts, 1))
    rng = RNG(1)
    X = np.vstack([rng.normal(size=(40, 2)), rng.normal(size=(45, 2)) + 5])
    A = np.exp(-0.2 * ((X[:, None] - X) ** 2).sum(axis=2))
    S, degree = _normalised(A)
    unit = np.sqrt(degree) / np.sqrt(degree.sum())
    values, vectors = engine(S, unit, 3, RNG(0), 1e-11)
    expected = eigh(S, eigvals_only=True)[-4:-1]
    assert_allclose(np.sort(values), expected, atol=1e-10)
    assert_allclose(S @ vectors, vectors * values, atol=1e-9)
    assert_allclose(unit @ vectors, 0.0, atol=1e-9)


@pytest.mark.parametrize("make", [csr_array, csr_array.toarray])
def test_a_spectrum_that_hardly_decays(make, monkeypatch):
    """A long chain: the values next to 1 are all but 1."""
    graph = make(chain())
    full = graph_functions(graph, 4, rng=RNG(0))
    monkeypatch.setattr(_graph_functions, "_DENSE", 10)
    few = graph_functions(graph, 4, rng=RNG(0))
    assert_allclose(few.values, full.values, atol=1e-9)
    assert_allclose(few.values, np.cos(np.pi * np.arange(4) / 299), atol=1e-9)
    assert_allclose(np.abs(few.functions), np.abs(full.functions), atol=1e-5)


@pytest.mark.parametrize("make", [np.asarray, csr_array])
@pytest.mark.parametrize("limit", [400, 10])
def test_values_all_but_equal(make, limit, monkeypatch):
    """Pairs of rows far from all others: half of all values are 1, and search still ends."""
    monkeypatch.setattr(_graph_functions, "_DENSE", limit)
    monkeypatch.setattr(_graph_functions, "_RESTARTS", 1)
    A = np.kron(np.eye(40), [[0.0, 1.0], [1.0, 0.0]]) + 1e-40 * (1 - np.eye(80))
    smooth = graph_functions(make(A), 5, rng=RNG(0))
    F = smooth.functions
    assert_allclose(F.T @ F, np.eye(5), atol=1e-6)
    assert_allclose(A @ F, F, atol=1e-6)


@pytest.mark.parametrize("make", [np.asarray, csr_array])
@pytest.mark.parametrize("limit", [400, 10])
def test_a_row_without_neighbours_is_a_part(make, limit, monkeypatch):
    monkeypatch.setattr(_graph_functions, "_DENSE", limit)
    A = weights(50)
    A[7] = A[:, 7] = 0.0
    smooth = graph_functions(make(A), 3, rng=RNG(0))
    assert_allclose(smooth.values[:2], 1.0)
    assert smooth.values[2] < 0.9
    alone = np.abs(smooth.functions[7, :2]).max()
    assert alone == pytest.approx(1.0, abs=1e-6) or np.ptp(smooth.functions[:, 0]) > 0
    assert n_parts(make(A)) == 2


@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_parts_are_counted(make):
    rng = RNG(3)
    label = rng.integers(5, size=70)
    A = (label[:, None] == label) & (rng.random((70, 70)) < 0.9)
    A = (A | A.T).astype(float)
    assert n_parts(make(A)) == len(np.unique(label))
    assert n_parts(make(chain(50).toarray())) == 1
    assert n_parts(make(np.zeros((4, 4)))) == 4


def test_graphs_without_edges_and_of_one_row():
    nothing = graph_functions(np.zeros((30, 30)), 2, rng=RNG(0))
    assert_allclose(nothing.values, 1.0)
    assert_allclose(graph_functions(np.zeros((1, 1)), 1, rng=RNG(0)).functions, [[1.0]])
