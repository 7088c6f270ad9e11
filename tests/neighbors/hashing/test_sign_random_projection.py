"""Hashing by signs of random projections (neighbors.02)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.neighbors import NearestNeighbors, SignRandomProjection

X = np.random.default_rng(0).normal(size=(1000, 12))


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_neighbours_are_ranked_by_exact_distances(metric):
    """neighbors.02: what is given are true distances, and the recall is what is reported."""
    model = SignRandomProjection(metric=metric, n_neighbors=5).fit(X)
    distance, number = model.kneighbors(X[:200])
    exact, true = NearestNeighbors(metric=metric).fit(X).kneighbors(X[:200])
    assert (distance >= exact - 1e-12).all()
    assert (np.diff(distance, axis=1) >= 0).all()
    hits = np.mean([len(np.intersect1d(a, b)) / 5 for a, b in zip(number, true, strict=True)])
    assert abs(hits - model.recall_) < 0.1
    assert model.recall_ > 0.5
    assert model.candidates_ < 0.5


def test_more_tables_and_probes_find_more():
    few = SignRandomProjection(n_bits=5, n_tables=2, n_probes=1).fit(X)
    tables = SignRandomProjection(n_bits=5, n_tables=20, n_probes=1).fit(X)
    probes = SignRandomProjection(n_bits=5, n_tables=2, n_probes=6).fit(X)
    assert tables.recall_ > few.recall_ + 0.1
    assert probes.recall_ > few.recall_ + 0.05


def test_one_bit_in_one_table_with_both_buckets_is_the_exact_search():
    model = SignRandomProjection(n_bits=1, n_tables=1, n_probes=2).fit(X)
    assert model.recall_ == 1.0
    assert model.candidates_ == 1.0


def test_short_buckets_are_searched_exactly():
    model = SignRandomProjection(n_bits=40, n_tables=1, n_probes=1).fit(X)
    Q = np.random.default_rng(1).normal(size=(20, 12))
    expected = NearestNeighbors(metric="cosine").fit(X).kneighbors(Q, 50)
    for a, b in zip(model.kneighbors(Q, 50), expected, strict=True):
        assert_allclose(a, b, atol=1e-12)


def test_bits_are_angles():
    """Shares of equal bits estimate angles."""
    model = SignRandomProjection(n_bits=50, n_tables=100).fit(X)
    bits = model.transform(X[:2])
    angle = np.arccos(X[0] @ X[1] / np.linalg.norm(X[0]) / np.linalg.norm(X[1]))
    assert_allclose(np.pi * np.mean(bits[0] != bits[1]), angle, atol=0.08)
    assert_array_equal(np.unique(bits), [0.0, 1.0])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_bits": 63}, "n_bits must be at most 62"),
        ({"n_probes": 12}, "n_probes must be at most n_bits"),
        ({"metric": "manhattan"}, "metric must be one of"),
    ],
)
def test_refusals(params, message):
    with pytest.raises(ValueError, match=message):
        SignRandomProjection(**params).fit(X)
    with pytest.raises(ValueError, match="from 1 to n_samples_fit = 1000"):
        SignRandomProjection().fit(X).kneighbors(X, 1001)
