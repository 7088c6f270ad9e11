"""Sums over two tables, and tables of a few rows that stand for all."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition import CCA
from margin.decomposition.correlation._pair_blocks import PairMoments
from margin.decomposition.correlation._standard_table import standard_table

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)) * [1.0, 10.0, 0.1] + [0.0, 5.0, 1e3]
Y = X[:, :1] + RNG.normal(size=(60, 2))
WEIGHT = RNG.uniform(0, 2, 60)


def source(X, Y, weight):
    return [(X[p], Y[p], weight[p]) for p in (slice(0, 5), slice(5, 60))]


@pytest.mark.parametrize("scale", [False, True])
def test_tables_have_the_scalar_products_of_all_rows(scale):
    flat = X.copy()
    flat[:, 1] = 7.0
    x, t = PairMoments.of(CCA(), source(flat, Y, WEIGHT)).tables(scale)
    root = np.sqrt(WEIGHT)[:, None]
    for ours, rows in ((x, flat), (t, Y)):
        theirs = standard_table(rows, WEIGHT, scale)
        assert_allclose(ours.mean, theirs.mean)
        assert_allclose(ours.scale, theirs.scale)
    left, right = (standard_table(rows, WEIGHT, scale).rows * root for rows in (flat, Y))
    assert_allclose(x.rows.T @ t.rows, left.T @ right, atol=1e-9)
    assert_allclose(x.rows.T @ x.rows, left.T @ left, atol=1e-9)


def test_bad_blocks_are_refused():
    with pytest.raises(ValueError, match=r"CCA: blocks must be of tuples \(X, y\) or"):
        CCA(1).fit_blocks([X])
    with pytest.raises(ValueError, match="CCA: blocks must be of 2 targets in every block"):
        CCA(1).fit_blocks([(X, Y), (X, X)])
    with pytest.raises(ValueError, match="CCA: blocks must be at least one block"):
        CCA(1).fit_blocks([])
