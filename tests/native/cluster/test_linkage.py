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


@pytest.mark.parametrize("name", [n for n in linkage.LINKAGES if n not in ("centroid", "median")])
@pytest.mark.parametrize(("n", "p"), [(1, 2), (2, 1), (3, 3), (150, 3), (700, 5)])
def test_rows_need_no_matrix(name, n, p):
    """The tree of SciPy's distances; 700 rows are dropped from the matrix several times."""
    X = np.random.default_rng(n).normal(size=(n, p))
    trees = [linkage.agglomerate_rows(X, name, n_threads=k) for k in (1, 2)]
    trees += [linkage.agglomerate_rows(X, name, by_means=True)] if name == "ward" else []
    for children, height, count in trees:
        if n == 1:
            assert children.shape == (0, 2)
            continue
        Z = reference(X, name)
        assert_allclose(np.sqrt(height) if name == "ward" else height, Z[:, 2], rtol=1e-9)
        assert_array_equal(children, np.sort(Z[:, :2], axis=1))
        assert_array_equal(count, Z[:, 3])


@pytest.mark.parametrize("name", ["average", "complete", "weighted", "ward"])
def test_a_path_through_all_rows(name):
    """Gaps that shrink along a line: every row is on the path before the first merge."""
    X = np.cumsum(1.01 ** -np.arange(400.0))[:, None]
    Z = reference(X, name)
    trees = [linkage.agglomerate_rows(X, name)]
    trees += [linkage.agglomerate_rows(X, name, by_means=True)] if name == "ward" else []
    for _, height, count in trees:
        assert_allclose(np.sqrt(height) if name == "ward" else height, Z[:, 2], rtol=1e-8)
        assert_array_equal(count, Z[:, 3])


def test_a_matrix_is_left_as_it_was_by_chains():
    X = np.random.default_rng(0).normal(size=(90, 2))
    D = cdist(X, X)
    before = D.copy()
    linkage.agglomerate(D, "average")
    assert_array_equal(D, before)


def test_linkages_that_need_the_matrix_are_refused():
    with pytest.raises(ValueError, match="needs the matrix"):
        linkage.agglomerate_rows(np.zeros((3, 2)), "centroid")
    with pytest.raises(ValueError, match="needs the matrix"):
        linkage.agglomerate_rows(np.zeros((3, 2)), "average", by_means=True)


@pytest.mark.parametrize("name", linkage.LINKAGES)
def test_equal_distances_end(name):
    """Points on a grid, many of them the same: every row is merged once."""
    X = np.random.default_rng(0).integers(0, 3, size=(50, 2)).astype(float)
    children, height, count = linkage.agglomerate(cdist(X, X, "sqeuclidean"), name)
    assert_array_equal(np.sort(children.ravel()), np.arange(98))
    assert count[-1] == 50
    assert np.isfinite(height).all()
    if name not in ("centroid", "median"):
        for by_means in {False, name == "ward"}:
            children, height, count = linkage.agglomerate_rows(X, name, by_means=by_means)
            assert_array_equal(np.sort(children.ravel()), np.arange(98))
            assert (count[-1], np.isfinite(height).all()) == (50, True)


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
