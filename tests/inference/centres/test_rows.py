"""Sums over blocks of rows are the sums of all; sparse rows as dense ones."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from margin.inference.centres._rows import nearest_labels, rows_of


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
