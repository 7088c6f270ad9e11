"""Metrics by way of other distances."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import haversine_distances

from margin.neighbors.search._metric import Metric, great_circle, pair_rows


def rows(n=20, p=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, p))


@pytest.mark.parametrize(
    ("form", "name"), [("angles", "cosine"), ("centred angles", "correlation")]
)
def test_angles_are_chords(form, name):
    metric = Metric(name, form=form)
    X, Q = rows(), rows(8, seed=1)
    chord = cdist(metric.mapped(Q, queries=True), metric.mapped(X))
    assert_allclose(metric.outer(chord, Q, X), cdist(Q, X, name), atol=1e-14)


def test_rows_of_zeros_are_orthogonal_to_all():
    metric = Metric("cosine", form="angles")
    X = np.array([[0.0, 0.0], [1.0, 2.0]])
    chord = cdist(metric.mapped(X, queries=True), metric.mapped(X))
    assert_allclose(metric.outer(chord, X, X), [[1.0, 1.0], [1.0, 0.0]], atol=1e-15)


def test_great_circles():
    X, Q = rows(p=2), rows(20, 2, seed=1)
    assert_allclose(great_circle(Q, X), np.diag(haversine_distances(Q, X)), rtol=1e-12)


@pytest.mark.parametrize("form", ["squares", "angles", "sphere"])
def test_the_search_is_never_too_narrow(form):
    """What is within the radius is within the radius of the mapped rows."""
    metric = Metric("any", form=form)
    X, Q = rows(60, 2), rows(60, 2, seed=1)
    inner = np.linalg.norm(metric.mapped(Q, queries=True) - metric.mapped(X), axis=1)
    outer = metric.outer(inner, Q, X)
    assert (inner <= metric.inner_radius(outer)).all()
    assert_array_equal(metric.inside(outer, outer), True)
    assert (metric.inner_radius(np.array([-1.0])) < 0).all()


def test_what_bounds_a_metric():
    assert Metric("euclidean").boxed
    assert not Metric("minkowski", measure="minkowski", power=0.5).boxed
    assert not Metric("canberra", measure="canberra").boxed
    assert Metric("canberra", measure="canberra").balled
    assert not Metric("braycurtis", measure="braycurtis", triangle=False).balled


def test_pairs_of_a_matrix():
    queries, points = pair_rows(np.array([[3, 1], [0, 2]]))
    assert_array_equal(queries, [0, 0, 1, 1])
    assert_array_equal(points, [3, 1, 0, 2])
