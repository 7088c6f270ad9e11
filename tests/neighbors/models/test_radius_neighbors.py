"""All rows within a radius."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import NearestNeighbors as Reference

from margin.neighbors import NearestNeighbors
from margin.neighbors.models._radius_neighbors import check_radius

RNG = np.random.default_rng(0)
X, Q = RNG.normal(size=(500, 4)), RNG.normal(size=(70, 4))


@pytest.mark.parametrize("algorithm", ["auto", "brute", "kd_tree", "ball_tree"])
def test_against_scikit_learn(algorithm):
    ours, theirs = NearestNeighbors(algorithm=algorithm).fit(X), Reference().fit(X)
    for query in (Q, None):
        mine, other = (m.radius_neighbors(query, sort_results=True) for m in (ours, theirs))
        for i in range(len(mine[0])):
            assert_allclose(mine[0][i], other[0][i], rtol=1e-12)
            assert_array_equal(mine[1][i], other[1][i])
    for mode in ("connectivity", "distance"):
        a, b = (m.radius_neighbors_graph(Q, mode=mode).toarray() for m in (ours, theirs))
        assert_allclose(a, b, rtol=1e-12)


def test_the_border_counts_and_empty_lists_are_lists():
    model = NearestNeighbors(radius=1.0).fit([[0.0], [1.0], [5.0]])
    distance, number = model.radius_neighbors([[0.0], [20.0]])
    assert_array_equal(number[0], [0, 1])
    assert len(number[1]) == len(distance[1]) == 0
    assert model.radius_neighbors([[0.0]], 0.0)[1][0].tolist() == [0]
    assert model.radius_neighbors_graph([[0.0], [20.0]]).nnz == 2


def test_order():
    model = NearestNeighbors(radius=9.0).fit([[3.0], [1.0], [2.0]])
    assert model.radius_neighbors([[0.0]])[1][0].tolist() == [0, 1, 2]
    assert model.radius_neighbors([[0.0]], sort_results=True)[1][0].tolist() == [1, 2, 0]
    with pytest.raises(ValueError, match="return_distance must be True"):
        model.radius_neighbors([[0.0]], return_distance=False, sort_results=True)


def test_a_radius_for_every_query():
    model = NearestNeighbors().fit([[0.0], [1.0], [2.0]])
    number = model.radius_neighbors([[0.0], [0.0]], np.array([0.5, 1.5]))[1]
    assert [n.tolist() for n in number] == [[0], [0, 1]]


@pytest.mark.parametrize("radius", [-1.0, "far", np.nan, True, np.array([1.0, -1.0])])
def test_bad_radius(radius):
    with pytest.raises(ValueError, match="Model: radius must be a number of at least 0"):
        check_radius("Model", radius)
