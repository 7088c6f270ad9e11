"""Sums over all pairs without the pairs (distributions.19)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions.dependence._pair_products import (
    distance_products,
    distance_sums,
    squared_distances,
)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 65, 200])
@pytest.mark.parametrize("ties", [False, True])
def test_against_all_pairs(n, ties):
    """distributions.19: any size, with and without ties, far from the origin."""
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(2, n)) + 1e3
    if ties:
        x, y = np.round(x), np.round(y * 2)
    A, B = np.abs(x[:, None] - x), np.abs(y[:, None] - y)
    assert_allclose(distance_sums(x), A.sum(axis=1), atol=1e-9)
    assert_allclose(distance_products(x, y), np.sum(A * B), rtol=1e-9, atol=1e-9)
    assert_allclose(squared_distances(x), np.sum(A**2), atol=1e-9)
