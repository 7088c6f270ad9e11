"""Centred tables against the dense ones."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from margin.decomposition.linear._centred_table import centred_table, mean_of

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 5)) + np.arange(5)
WEIGHT = RNG.uniform(0.1, 2, 30)


@pytest.mark.parametrize("weight", [None, WEIGHT])
@pytest.mark.parametrize(("sparse", "shift"), [(False, 0.0), (True, 0.0), (False, 1e7)])
def test_products(weight, sparse, shift):
    rows = X + shift
    table = centred_table(csr_array(rows) if sparse else rows, weight)
    held = np.ones(30) if weight is None else weight
    mean = held @ X / held.sum()
    dense = np.sqrt(held)[:, None] * (X - mean)
    A, B = RNG.normal(size=(5, 3)), RNG.normal(size=(30, 2))
    tolerance = {"rtol": 1e-6, "atol": 1e-6} if shift else {"rtol": 1e-11, "atol": 1e-11}
    assert_allclose(mean_of(table), mean + shift, rtol=1e-12)
    assert_allclose(table.product(A), dense @ A, **tolerance)
    assert_allclose(table.transposed_product(B), dense.T @ B, **tolerance)
    assert_allclose(table.dense(), dense, **tolerance)
    assert_allclose(table.total(), np.sum(dense**2), rtol=1e-7)
    if not sparse:
        assert_allclose(table.row_products(), dense @ dense.T, **tolerance)


def test_not_centred():
    table = centred_table(X, None, centre=False)
    assert_allclose(table.dense(), X)
    assert not mean_of(table).any()
