"""Sums over all pairs without the pairs (distributions.19)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from margin.distributions.dependence._pair_distances import Blocks, Lines, pair_distances


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 65, 200])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("dims", [(1, 1), (3, 1), (2, 2)])
def test_against_all_pairs(n, ties, dims):
    """distributions.19: any size, with and without ties, far from the origin."""
    rng = np.random.default_rng(n)
    x, y = (rng.normal(size=(n, d)) + 1e3 for d in dims)
    if ties:
        x, y = np.round(x), np.round(y * 2)
    pair = pair_distances(x, y)
    assert isinstance(pair, Lines if dims == (1, 1) else Blocks)
    A, B = cdist(x, x), cdist(y, y)
    for alone, D in ((pair.first, A), (pair.second, B)):
        sums = D.sum(axis=1)
        exact = n, D.sum(), sums @ sums, np.sum(D**2)
        actual = alone.n_rows, alone.total, alone.along, alone.squares
        assert_allclose(actual, exact, rtol=1e-9, atol=1e-9)
        C = np.eye(n) - 1 / n
        assert_allclose(alone.variance, np.sum((C @ D @ C) ** 2) / n**2, rtol=1e-9, atol=1e-9)
    for order in (None, rng.permutation(n)):
        turned = B if order is None else B[np.ix_(order, order)]
        exact = np.sum(A * turned), A.sum(axis=1) @ turned.sum(axis=1)
        assert_allclose(pair.together(order), exact, rtol=1e-9, atol=1e-9)
        assert_allclose(pair.strength(order), exact[0] - 2 * exact[1] / n, rtol=1e-9, atol=1e-9)
    assert_allclose(pair.covariance(), np.sum(C @ A @ C * B) / n**2, rtol=1e-9, atol=1e-9)


def test_both_ways_agree_on_columns():
    x, y = np.random.default_rng(0).normal(size=(2, 1500, 1))
    lines, blocks = Lines(x[:, 0], y[:, 0]), Blocks(x, y)
    assert_allclose(lines.covariance(), blocks.covariance(), rtol=1e-11)
    assert_allclose(lines.first.variance, blocks.first.variance, rtol=1e-11)
