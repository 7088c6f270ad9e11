"""Trees and blocks against all distances written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from margin.native import _native
from margin.native.neighbors import trees

BOXED = ("euclidean", "manhattan", "chebyshev", "minkowski")
SIZES = [(1, 1), (1, 3), (15, 2), (16, 2), (17, 5), (300, 1), (400, 3), (333, 7)]


def distances(Q, X, measure):
    if measure == "minkowski":
        return cdist(Q, X, "minkowski", p=3.0)
    if measure == "jaccard":
        return cdist(Q != 0, X != 0, "jaccard")
    if measure == "nan_euclidean":
        return cdist(Q, X)
    return np.nan_to_num(cdist(Q, X, "cityblock" if measure == "manhattan" else measure))


def table(n, p, dtype=np.float64, seed=0):
    """With many equal distances, exactly equal: quarters."""
    values = np.random.default_rng(seed).normal(size=(n, p))
    return (np.round(4 * values) / 4).astype(dtype)


def kinds(X, measure, power):
    yield trees.plain_blocks(X, measure, power)
    if measure in BOXED:
        yield trees.tree(X, measure, power)
    if measure not in ("braycurtis", "nan_euclidean"):
        yield trees.tree(X, measure, power, boxes=False, leaf_size=40)


@pytest.fixture
def threads_at_once():
    before = _native.set_least_work(0.0)
    yield
    _native.set_least_work(before)


@pytest.mark.parametrize("measure", trees.MEASURES)
@pytest.mark.parametrize(("n", "p"), SIZES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_all_searches_agree_with_the_matrix(measure, n, p, dtype):
    """The same neighbours in the same order, equal distances by number, by every search."""
    X, Q = table(n, p, dtype), table(60, p, seed=1).astype(np.float64)
    Q[:10] = X[np.arange(10) % n]
    if measure == "braycurtis":  # the sum of all coordinates of two rows may be zero else
        X, Q = np.abs(X), np.abs(Q) + 0.25
    D = distances(Q, X.astype(np.float64), measure)
    k = min(n, 9)
    answers = [trees.nearest(tree, Q, k) for tree in kinds(X, measure, 3.0)]
    for distance, number in answers:
        assert_allclose(distance, np.sort(D, axis=1)[:, :k], rtol=1e-12, atol=1e-14)
        assert_array_equal(number, answers[0][1])
        assert_allclose(np.take_along_axis(D, number, 1), distance, rtol=1e-12, atol=1e-14)
    if measure == "minkowski":  # roots may agree where powers differ
        return
    ties = np.diff(answers[0][0], axis=1) == 0
    assert (np.diff(answers[0][1], axis=1)[ties] > 0).all()


@pytest.mark.parametrize("measure", trees.MEASURES)
def test_within_a_radius(measure):
    X, Q = table(300, 3), table(40, 3, seed=1)
    D = distances(Q, X, measure)
    radius = np.quantile(D, 0.1, axis=1) * (1 + 1e-9)
    radius[0], radius[1] = -1.0, 1e300
    for tree in kinds(X, measure, 3.0):
        offsets, distance, number = trees.within(tree, Q, radius)
        for i, row in enumerate(D):
            mine = slice(offsets[i], offsets[i + 1])
            assert_array_equal(np.sort(number[mine]), np.flatnonzero(row <= radius[i]))
            assert_allclose(distance[mine], row[number[mine]], rtol=1e-12, atol=1e-14)
            assert (np.diff(distance[mine]) >= 0).all()


@pytest.mark.parametrize("boxes", [True, False])
def test_threads_do_not_change_the_answer(boxes, threads_at_once):
    X, Q = table(3000, 3), table(700, 3, seed=1)
    one = trees.tree(X, "euclidean", boxes=boxes)
    two = trees.tree(X, "euclidean", boxes=boxes, n_threads=3)
    assert_array_equal(one.order, two.order)
    for a, b in zip(trees.nearest(one, Q, 5), trees.nearest(two, Q, 5, 3), strict=True):
        assert_array_equal(a, b)
    radius = np.full(len(Q), 0.5)
    for a, b in zip(trees.within(one, Q, radius), trees.within(two, Q, radius, 3), strict=True):
        assert_array_equal(a, b)


def test_many_neighbours():
    """More than are kept in order: a heap."""
    X, Q = table(200, 2), table(5, 2, seed=1)
    for k in (32, 33, 150, 200):
        distance, _ = trees.nearest(trees.tree(X, "euclidean"), Q, k)
        assert_allclose(distance, np.sort(cdist(Q, X), axis=1)[:, :k], rtol=1e-12, atol=1e-14)


def test_one_point_many_times():
    X = np.tile([[1.0, 2.0]], (100, 1))
    for tree in (trees.tree(X, "euclidean"), trees.tree(X, "manhattan", boxes=False)):
        distance, number = trees.nearest(tree, np.array([[1.0, 2.0]]), 4)
        assert_array_equal(distance, np.zeros((1, 4)))
        assert_array_equal(number, [[0, 1, 2, 3]])


def test_coordinates_that_are_missing():
    """Scaled up to all coordinates; infinite where none is shared."""
    X = np.array([[1.0, np.nan], [np.nan, np.nan], [0.0, 0.0]])
    blocks = trees.plain_blocks(X, "nan_euclidean")
    distance, number = trees.nearest(blocks, np.array([[0.0, 3.0]]), 3)
    assert_allclose(distance, [[np.sqrt(2.0), 3.0, np.inf]])
    assert_array_equal(number, [[0, 2, 1]])


def test_shapes_are_checked():
    tree = trees.tree(table(30, 3), "euclidean")
    with pytest.raises(ValueError, match="different shape"):
        trees.nearest(tree, np.zeros((2, 2)), 1)
    with pytest.raises(ValueError, match="different shape"):
        trees.within(tree, np.zeros((2, 3)), np.zeros(3))
    with pytest.raises(ValueError, match="different shape"):
        _native.grow_tree(
            np.zeros((3, 2)),
            np.zeros(2, np.int64),
            np.zeros((1, 2)),
            np.zeros((1, 2)),
            1,
            0,
            2.0,
            True,
            1,
        )
    with pytest.raises(ValueError, match="nodes of another shape"):
        _native.tree_nearest(
            tree.blocks,
            tree.order,
            tree.lower[:1],
            tree.upper,
            1,
            0,
            2.0,
            np.zeros((1, 3)),
            np.zeros((1, 1)),
            np.zeros((1, 1), np.int64),
            1,
        )
    with pytest.raises(ValueError, match="unknown measure"):
        _native.grow_tree(
            np.zeros((3, 2)),
            np.zeros(3, np.int64),
            np.zeros((1, 2)),
            np.zeros((1, 2)),
            1,
            99,
            2.0,
            True,
            1,
        )
