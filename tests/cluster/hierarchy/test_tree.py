"""Cuts of a tree against SciPy's."""

import numpy as np
from numpy.testing import assert_array_equal
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.metrics import adjusted_rand_score

from margin.cluster.hierarchy._tree import MergeTree


def tree_of(n=30):
    Z = linkage(np.random.default_rng(0).normal(size=(n, 2)), "average")
    return Z, MergeTree(n, Z[:, :2].astype(np.int64), Z[:, 2], Z[:, 3].astype(np.int64))


def test_every_cut():
    """cluster.07: any number of clusters from one history."""
    Z, tree = tree_of()
    for k in range(1, 31):
        label = tree.cut(k)
        assert_array_equal(np.unique(label), np.arange(k))
        assert adjusted_rand_score(label, fcluster(Z, k, "maxclust")) == 1.0
    assert_array_equal(tree.linkage_matrix(), Z)


def test_merges_that_end_early():
    _, tree = tree_of()
    short = MergeTree(30, tree.children[:20], tree.height[:20], tree.count[:20])
    for k in (10, 15, 30):
        assert adjusted_rand_score(short.cut(k), tree.cut(k)) == 1.0
