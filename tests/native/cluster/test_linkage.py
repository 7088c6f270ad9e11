"""Merges against SciPy's, and by brute force."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import linkage as reference
from scipy.spatial.distance import cdist

from margin.native.cluster import linkage

SQUARED = ("centroid", "median", "ward")


@pytest.mark.parametrize("name", linkage.LINKAGES)
@pytest.mark.parametrize("n", [1, 2, 3, 60, 150])
def test_same_tree_as_scipy(name, n):
    X = np.random.default_rng(n).normal(size=(n, 3))
    children, height, count = linkage.agglomerate(
        cdist(X, X, "sqeuclidean" if name in SQUARED else "euclidean"), name
    )
    if n == 1:
        assert children.shape == (0, 2)
        return
    Z = reference(X, name)
    assert_allclose(np.sqrt(height) if name in SQUARED else height, Z[:, 2], rtol=1e-9)
    assert_array_equal(children, np.sort(Z[:, :2], axis=1))
    assert_array_equal(count, Z[:, 3])


@pytest.mark.parametrize("name", linkage.LINKAGES)
def test_equal_distances_end(name):
    """Points on a grid, many of them the same: every row is merged once."""
    X = np.random.default_rng(0).integers(0, 3, size=(50, 2)).astype(float)
    children, height, count = linkage.agglomerate(cdist(X, X, "sqeuclidean"), name)
    assert_array_equal(np.sort(children.ravel()), np.arange(98))
    assert count[-1] == 50
    assert np.isfinite(height).all()


def test_bad_merges_are_refused():
    with pytest.raises(ValueError, match="with itself"):
        linkage.numbered(np.array([[0, 1], [0, 1]]))
    with pytest.raises(ValueError, match="out of range"):
        linkage.numbered(np.array([[0, 5]]))
    with pytest.raises(ValueError, match="shape"):
        linkage.agglomerate(np.zeros((2, 3)), "single")


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize(("n", "p"), [(1, 1), (40, 3), (1100, 2)])
def test_distances_of_all_pairs(n, p, squared):
    X = 1e6 + np.random.default_rng(0).normal(size=(n, p))
    for n_threads in (1, 3):
        D = linkage.pair_distances(X, squared=squared, n_threads=n_threads)
        assert_allclose(D, cdist(X, X, "sqeuclidean" if squared else "euclidean"), rtol=1e-12)
        assert_array_equal(D, D.T)
