"""The nearest few of every query."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import NearestNeighbors as Reference

from margin.neighbors import NearestNeighbors
from margin.neighbors.models._k_neighbors import check_mode

RNG = np.random.default_rng(0)
X, Q = RNG.normal(size=(500, 4)), RNG.normal(size=(70, 4))


@pytest.mark.parametrize("algorithm", ["auto", "brute", "kd_tree", "ball_tree"])
def test_against_scikit_learn(algorithm):
    ours, theirs = NearestNeighbors(algorithm=algorithm).fit(X), Reference().fit(X)
    for query in (Q, None):
        for a, b in zip(ours.kneighbors(query, 7), theirs.kneighbors(query, 7), strict=True):
            assert_allclose(a, b, rtol=1e-12)
    for mode in ("connectivity", "distance"):
        a, b = ours.kneighbors_graph(Q, mode=mode), theirs.kneighbors_graph(Q, mode=mode)
        assert_allclose(a.toarray(), b.toarray(), rtol=1e-12)
    assert_array_equal(ours.kneighbors(Q, return_distance=False), ours.kneighbors(Q)[1])


def test_too_many_and_bad_numbers():
    model = NearestNeighbors(n_neighbors=3).fit(X[:3])
    assert model.kneighbors(X[:1])[1].shape == (1, 3)
    with pytest.raises(ValueError, match="Expected n_neighbors < n_samples_fit"):
        model.kneighbors()
    with pytest.raises(ValueError, match="Expected n_neighbors <= n_samples_fit"):
        model.kneighbors(X, 4)
    with pytest.raises(ValueError, match="Expected n_neighbors > 0"):
        model.kneighbors(X, 0)
    with pytest.raises(TypeError, match="does not take <class 'float'> value"):
        model.kneighbors(X, 2.0)


def test_one_row():
    model = NearestNeighbors(n_neighbors=1).fit([[1.0, 2.0]])
    assert_array_equal(model.kneighbors([[1.0, 3.0]])[0], [[1.0]])


def test_modes():
    check_mode("Model", "distance")
    with pytest.raises(ValueError, match="Model: Unsupported mode"):
        check_mode("Model", "other")
