"""Searches as values: all of them give the same answers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.neighbors import RadiusNeighborsRegressor
from margin.neighbors.search._build import index_of
from margin.neighbors.search._choice import Choice
from margin.neighbors.search._indexes import Matrices, Products, within_matrix
from margin.neighbors.search._names import Asked, metric_of


def index(X, metric="euclidean", method="brute"):
    chosen = metric_of("Model", Asked(metric, {}), X, sparse.issparse(X))
    return index_of(X, chosen, Choice(method, ""), 30, 1)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine", "haversine"])
def test_radius_is_that_of_the_metric(metric):
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(200, 2)), rng.normal(size=(30, 2))
    full, _ = index(X, metric).nearest(Q, 200, 1)
    radius = np.median(full, axis=1)
    for method in ("brute", "kd_tree", "ball_tree"):
        near = index(X, metric, method).within(Q, radius, 1)
        # An even number of points: half of them are within the median.
        assert_array_equal(near.counts, 100)
        assert_allclose(near.distance.reshape(30, 100), full[:, :100], rtol=1e-12)


def test_doubtful_and_far_queries_are_searched_again():
    """Tight clusters far apart and queries beyond single precision, exact all the same."""
    rng = np.random.default_rng(0)
    X = np.repeat([[0.0] * 3, [1e9] * 3], 6000, axis=0) + rng.random((12000, 3))
    Q = np.vstack([X[:4], [[1e40, 0.0, 0.0]]])
    products = index(X)
    assert isinstance(products, Products)
    tree = index(X, method="kd_tree")
    for a, b in zip(products.nearest(Q, 3, 1), tree.nearest(Q, 3, 1), strict=True):
        assert_array_equal(a, b)
    radius = np.array([0.2, 0.2, 0.2, 0.2, 1.0])
    assert_array_equal(products.within(Q, radius, 1).number, tree.within(Q, radius, 1).number)


def test_sparse_rows_far_from_zero_keep_their_digits():
    rng = np.random.default_rng(0)
    X = rng.random((50, 3)) + 1e6
    answer = index(sparse.csr_array(X)).nearest(sparse.csr_array(X[:5]), 3, 1)
    for a, b in zip(answer, index(X).nearest(X[:5], 3, 1), strict=True):
        assert_allclose(a, b, rtol=1e-9)


def test_matrices_by_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    X, Q = rng.random((40, 3)), rng.random((33, 3))
    whole = index(X, lambda a, b: np.abs(a - b).sum())
    assert isinstance(whole, Matrices)
    expected = whole.nearest(Q, 4, 1), whole.within(Q, np.full(33, 0.5), 1)
    monkeypatch.setattr("margin.neighbors.search._indexes._BLOCK", 100)
    assert_array_equal(whole.nearest(Q, 4, 1)[1], expected[0][1])
    assert_array_equal(whole.within(Q, np.full(33, 0.5), 1).number, expected[1].number)
    none = whole.nearest(Q[:0], 4, 1)
    assert none[0].shape == none[1].shape == (0, 4)
    assert len(whole.within(Q[:0], np.empty(0), 1).offsets) == 1


def test_entries_within_a_radius():
    near = within_matrix(np.array([[0.3, 0.1, 0.9], [2.0, 2.0, 2.0]]), np.array([0.3, 1.0]))
    assert_array_equal(near.number, [1, 0])
    assert_array_equal(near.offsets, [0, 2, 2])


def test_rows_are_packed_by_the_first_query():
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(300, 12)), rng.normal(size=(9, 12))
    products = index(X)
    assert isinstance(products, Products)
    assert not {"panels", "_slow"} & vars(products).keys()
    first = products.nearest(Q, 4, 1)
    assert "panels" in vars(products)
    for a, b in zip(first, products.nearest(Q, 4, 1), strict=True):
        assert_array_equal(a, b)


@pytest.mark.parametrize("k", [1, 3, 17, 200])
def test_products_find_what_distances_say(k):
    """For more neighbours than the first candidates, fewer, and ties."""
    rng = np.random.default_rng(k)
    X, Q = rng.integers(0, 4, size=(700, 11)).astype(float), rng.normal(size=(50, 11))
    distance, number = index(X).nearest(Q, k, 1)
    square = ((Q[:, None] - X) ** 2).sum(axis=2)
    order = np.lexsort((np.broadcast_to(np.arange(700), square.shape), square), axis=1)[:, :k]
    assert_allclose(distance, np.sqrt(np.take_along_axis(square, order, 1)), rtol=1e-12)
    assert_allclose(np.take_along_axis(square, number, 1), distance**2, rtol=1e-12)


def test_the_smallest_numbers_are_no_obstacle():
    X = 1e-320 * np.arange(40.0)[:, None] * np.ones(12)
    distance, _ = index(X).nearest(X[[3, 20]], 1, 1)  # whose squares are zero
    assert_array_equal(distance[:, 0], 0.0)


def test_sparse_rows_beyond_squares_are_their_own_neighbours():
    X = sparse.csr_array(1e300 * np.random.default_rng(0).normal(size=(3, 7)))
    model = RadiusNeighborsRegressor().fit(X, [1.0, 2.0, 3.0])
    assert_array_equal(model.predict(X), [1.0, 2.0, 3.0])
