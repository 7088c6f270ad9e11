"""Tables at the border of a kernel of vectors."""

import numpy as np
import pytest
from scipy import sparse

from margin.kernels import RBF, Linear, Periodic
from margin.kernels.vectors._vectors import dot, rows, squared_norms


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ([1.0, 2.0], "a 2-D array"),
        (np.zeros((2, 2, 2)), "a 2-D array"),
        ([[np.nan]], "finite everywhere"),
        ([[np.inf]], "finite everywhere"),
        ([["a"]], "a table of numbers"),
        (None, "a"),
    ],
)
def test_bad_tables_are_refused(bad, words):
    for kernel in (RBF(), Linear(), Periodic()):
        with pytest.raises(ValueError, match=f"{type(kernel).__name__}: X must be {words}"):
            kernel(bad)
        with pytest.raises(ValueError, match="X must be"):
            kernel.diag(bad)
        if bad is not None:
            with pytest.raises(ValueError, match=f"Z must be {words}"):
                kernel([[1.0]], bad)


def test_columns_must_match():
    with pytest.raises(ValueError, match="RBF: Z must be of 2 columns as X is, got 3"):
        RBF()(np.zeros((2, 2)), np.zeros((2, 3)))


def test_sparse_tables_where_the_mathematics_allows():
    table = sparse.csr_array(np.eye(3))
    assert RBF()(table).shape == (3, 3)
    with pytest.raises(ValueError, match="Periodic: X must be a dense array"):
        Periodic()(table)
    with pytest.raises(ValueError, match="RBF: X must be finite everywhere"):
        RBF()(sparse.csr_array(np.array([[np.nan]])))


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (3, 0), (1, 1)])
def test_degenerate_tables(shape):
    X = np.zeros(shape)
    for kernel in (RBF(), Linear(), Periodic()):
        assert kernel(X).shape == (shape[0], shape[0])
        assert kernel(X, np.zeros((2, shape[1]))).shape == (shape[0], 2)
        assert kernel.diag(X).shape == (shape[0],)


def test_numbers_are_converted_and_precision_kept():
    assert rows("k", [[1, 2]]).dtype == np.float64
    assert rows("k", np.array([[True]])).dtype == np.float64
    assert rows("k", np.ones((2, 2), dtype=np.float32)).dtype == np.float32
    assert rows("k", np.ones((4, 4))[::2, ::2]).flags.c_contiguous
    mixed = RBF()(np.ones((2, 2), dtype=np.float32), np.ones((2, 2)))
    assert mixed.dtype == np.float64


def test_products_and_norms():
    X = np.random.default_rng(0).normal(size=(5, 3))
    for table in (X, sparse.csr_array(X)):
        np.testing.assert_allclose(dot(table, None), X @ X.T, rtol=1e-13)
        np.testing.assert_allclose(squared_norms(table), (X**2).sum(axis=1), rtol=1e-13)
