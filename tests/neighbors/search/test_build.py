"""From a table to a search."""

import numpy as np
from numpy.testing import assert_array_equal

from margin.neighbors.search._build import index_of
from margin.neighbors.search._choice import Choice
from margin.neighbors.search._indexes import Blocks, Products
from margin.neighbors.search._metric import Metric


def test_kinds():
    X = np.random.default_rng(0).random((100, 3)).astype(np.float32)
    brute = index_of(X, Metric("euclidean"), Choice("brute", ""), 30, 1)
    tree = index_of(X, Metric("euclidean"), Choice("kd_tree", ""), 30, 1)
    ball = index_of(X, Metric("euclidean"), Choice("ball_tree", ""), 30, 1)
    plain = index_of(X, Metric("canberra", measure="canberra"), Choice("brute", ""), 30, 1)
    assert isinstance(brute, Products)
    assert isinstance(tree, Blocks)
    assert tree.blocks.blocks.dtype == np.float32
    assert tree.blocks.leaf_blocks == 2
    assert ball.blocks.upper.ndim == 1
    assert plain.blocks.lower is None
    Q = X[:9].astype(np.float64)
    assert_array_equal(brute.nearest(Q, 3, 1)[1], tree.nearest(Q, 3, 1)[1])
    assert_array_equal(brute.nearest(Q, 3, 1)[1], ball.nearest(Q, 3, 1)[1])
