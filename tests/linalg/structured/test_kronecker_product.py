"""Products along the axes against numpy.kron."""

from functools import reduce

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linalg import kronecker_columns, kronecker_product, kronecker_rows

RNG = np.random.default_rng(0)
SHAPES = [[(3, 4)], [(2, 3), (4, 5)], [(2, 3), (1, 1), (4, 2), (3, 3)]]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("k", [1, 3])
def test_product(shapes, k):
    """linalg.11: rectangular terms, several columns."""
    terms = [RNG.normal(size=shape) for shape in shapes]
    dense = reduce(np.kron, terms)
    Y = RNG.normal(size=(dense.shape[1], k))
    assert_allclose(kronecker_product(terms, Y), dense @ Y, atol=1e-12)


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("count", [0, 1, 50])
def test_some_rows(shapes, count):
    """Few rows one after the other, many through the whole product: the same numbers."""
    terms = [RNG.normal(size=shape) for shape in shapes]
    dense = reduce(np.kron, terms)
    index = [RNG.integers(0, p, count) for p, _ in shapes]
    rows = dense[np.ravel_multi_index(tuple(index), [p for p, _ in shapes])]
    Y = RNG.normal(size=(dense.shape[1], 2))
    assert_allclose(kronecker_rows(terms, index, Y), rows @ Y, atol=1e-12)
    assert_allclose(kronecker_columns(terms, index), rows.T, atol=1e-14)


@pytest.mark.parametrize("block", [4, 100, 10_000])
def test_blocks_of_rows(monkeypatch, block):
    monkeypatch.setattr("margin.linalg.structured._kronecker_product._BLOCK", block)
    terms = [RNG.normal(size=(40, 3)), RNG.normal(size=(30, 2))]
    index = [RNG.integers(0, 40, 11), RNG.integers(0, 30, 11)]
    Y = RNG.normal(size=(6, 1))
    rows = np.kron(*terms)[index[0] * 30 + index[1]]
    assert_allclose(kronecker_rows(terms, index, Y), rows @ Y, atol=1e-12)
