"""Sums over blocks of rows are the sums of all; sparse rows as dense ones."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from margin.inference.centres._rows import nearest_labels, pass_over, rows_of


@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_as_dense(weighted):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((200, 6)) < 0.6, 0.0, rng.normal(size=(200, 6)))
    weight = rng.random(200) if weighted else None
    C = rng.normal(size=(8, 6))
    dense, sparse = rows_of(X, weight, 1)(C), rows_of(csr_array(X), weight, 1)(C)
    assert_array_equal(dense.label, sparse.label)
    for name in ("square", "sums", "mass", "inertia"):
        assert_allclose(getattr(dense, name), getattr(sparse, name), rtol=1e-9, atol=1e-9)
    for table in (X, csr_array(X)):
        assert_array_equal(nearest_labels(table, C, 1), dense.label)
        once = pass_over(table, weight, C, 1)
        assert_array_equal(once.label, dense.label)
        assert_allclose(once.sums, dense.sums, rtol=1e-9, atol=1e-9)


def test_statistics_of_blocks_add_up():
    """Batch and blocks are the same computation: sums, weights and errors are a monoid."""
    rng = np.random.default_rng(1)
    X, C = rng.normal(size=(300, 4)), rng.normal(size=(5, 4))
    whole = rows_of(X, None, 1)(C)
    parts = [rows_of(np.ascontiguousarray(part), None, 1)(C) for part in np.array_split(X, 7)]
    assert_allclose(sum(p.sums for p in parts), whole.sums)
    assert_allclose(sum(p.mass for p in parts), whole.mass)
    assert sum(p.inertia for p in parts) == pytest.approx(whole.inertia)
    assert_array_equal(np.concatenate([p.label for p in parts]), whole.label)


@pytest.mark.parametrize("away", [0.0, 1e5, 1e300])
def test_one_pass_wherever_rows_lie(away):
    """The centres alone set the frame of single precision."""
    rng = np.random.default_rng(2)
    X, C = rng.normal(size=(90, 3)), rng.normal(size=(4, 3))
    X[::2] *= 1.0 + away
    with np.errstate(over="ignore"):
        label = ((X[:, None] - C) ** 2).sum(axis=2).argmin(axis=1)
        assert_array_equal(pass_over(X, None, C, 1).label, label)
