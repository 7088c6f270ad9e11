"""Products with all points against distances written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from margin.native import _native
from margin.native.neighbors import brute, trees


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("n", "p", "m"), [(1, 1, 1), (31, 2, 7), (33, 50, 9), (2000, 20, 130)])
def test_same_answers_as_blocks(n, p, m, dtype):
    """Bit by bit, ties included."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p)).round(1).astype(dtype)
    Q = rng.normal(size=(m, p)).round(1)
    k = min(n, 8)
    points, blocks = brute.panels(X), trees.plain_blocks(X, "euclidean")
    for n_threads in (1, 3):
        for a, b in zip(
            brute.nearest(points, Q, k, 10**6, n_threads), trees.nearest(blocks, Q, k), strict=True
        ):
            assert_array_equal(a, b)
        radius = np.quantile(cdist(Q, X), 0.2, axis=1)
        for a, b in zip(
            brute.within(points, Q, radius, n_threads), trees.within(blocks, Q, radius), strict=True
        ):
            assert_array_equal(a, b)


@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1.0, 1e9, 1e150])
@pytest.mark.parametrize("shift", [0.0, 1e3, 1e8])
def test_bounds_hold_at_any_scale(scale, shift):
    """No neighbour is lost to the rounding of products, wherever the points are."""
    rng = np.random.default_rng(1)
    X = scale * (rng.normal(size=(500, 4)) + shift * rng.integers(-1, 2, size=(500, 1)))
    points, blocks = brute.panels(X), trees.plain_blocks(X, "euclidean")
    for a, b in zip(
        brute.nearest(points, X[:50], 5, 10**6), trees.nearest(blocks, X[:50], 5), strict=True
    ):
        assert_array_equal(a, b)


def test_doubtful_queries_are_named():
    """Two tight clusters far apart: single precision cannot tell the points of one."""
    X = np.repeat([[0.0, 0.0], [1e9, 1e9]], 300, axis=0) + np.random.default_rng(0).random((600, 2))
    _, number = brute.nearest(brute.panels(X), X[:5], 3, 100)
    assert_array_equal(number[:, 0], -1)


def test_far_queries_are_named():
    points = brute.panels(np.random.default_rng(0).random((40, 3)))
    Q = np.array([[0.5, 0.5, 0.5], [1e30, 0.0, 0.0]])
    assert_array_equal(brute.near_enough(points, Q), [True, False])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_smallest_entries(dtype):
    D = np.random.default_rng(0).integers(0, 9, size=(20, 70)).astype(dtype)
    D[0, :60] = np.nan
    order = np.argsort(np.nan_to_num(D, nan=np.inf), axis=1, kind="stable")
    for k in (1, 5, 70):
        value, column = brute.smallest(D, k, n_threads=2)
        assert_array_equal(column, order[:, :k])
        assert_allclose(value, np.take_along_axis(np.nan_to_num(D, nan=np.inf), column, 1))


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="different shape"):
        brute.smallest(np.zeros((2, 3)), 4)
    with pytest.raises(ValueError, match="different shape"):
        brute.nearest(brute.panels(np.zeros((3, 2))), np.zeros((1, 2)), 4, 10)
    panels = brute.panels(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="another shape"):
        _native.brute_nearest(
            np.zeros((40, 2)),
            *panels.arguments()[1:],
            np.zeros((1, 2)),
            np.zeros((1, 2), np.float32),
            np.zeros(1, np.float32),
            np.zeros((1, 1)),
            np.zeros((1, 1), np.int64),
            10,
            1,
        )
