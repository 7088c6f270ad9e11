"""Starts: rows of the table, far apart, by weight, the same for repeated rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from margin.cluster import KMeans, kmeans_plusplus
from margin.cluster.seeding._candidates import TableCandidates
from margin.cluster.seeding._starts import NAMES, plus_plus, starts


@pytest.fixture(name="X")
def rows():
    return np.random.default_rng(0).normal(size=(40, 3))


@pytest.mark.parametrize("init", NAMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_every_start_is_finite_and_of_the_right_shape(X, init, weighted):
    """cluster.02: first rows, random rows, random partition, k-means++, farthest first."""
    weight = np.arange(40.0) if weighted else None
    centres = starts("KMeans", X, 5, init, weight, np.random.default_rng(1))
    assert centres.shape == (5, 3)
    if init != "partition":
        rows = [int(np.flatnonzero((c == X).all(axis=1))[0]) for c in centres]
        assert len(set(rows)) == 5
        assert weight is None or init == "first" or 0 not in rows
    if init == "first":
        assert_array_equal(centres, X[:5])


def test_farthest_rows_by_brute_force(X):
    """cluster.02: each is the row with the largest distance to those before."""
    centres = starts("KMeans", X, 6, "farthest", None, np.random.default_rng(3))
    for c in range(1, 6):
        away = ((X[:, None] - centres[:c]) ** 2).sum(axis=2).min(axis=1)
        assert_array_equal(centres[c], X[away.argmax()])


def test_partition_means_average_to_the_mean(X):
    """cluster.02: with parts of equal size."""
    centres = starts("KMeans", X[:4], 4, "partition", None, np.random.default_rng(0))
    assert_allclose(centres.mean(axis=0), X[:4].mean(axis=0))


def test_probabilities_of_the_second_seed():
    """k-means++ with one draw: proportional to the squared distance to the first."""
    table = TableCandidates(np.array([[0.0], [1.0], [3.0]]), 1)
    rng, counts = np.random.default_rng(0), np.zeros(3)
    for _ in range(4000):
        first, second = plus_plus(table, 2, np.array([1.0, 0.0, 0.0]) + 1e-300, rng, 1)
        counts[second] += first == 0
    # Weights of the others are next to nothing: all that counts is their ratio.
    assert counts[1] / counts.sum() == pytest.approx(0.1, abs=0.02)


def test_equal_rows_are_taken_last():
    X = np.array([[0.0], [0.0], [0.0], [5.0]])
    for seed in range(20):
        centers, _ = kmeans_plusplus(X, 2, random_state=seed)
        assert_array_equal(np.sort(centers.ravel()), [0.0, 5.0])


def test_sparse_rows_give_the_same_seeds(X):
    X = np.where(np.abs(X) < 0.5, 0.0, X)
    for seed in range(5):
        dense = kmeans_plusplus(X, 6, random_state=seed)[1]
        assert_array_equal(kmeans_plusplus(csr_array(X), 6, random_state=seed)[1], dense)


def test_errors_name_what_is_wrong(X):
    with pytest.raises(ValueError, match="KMeans: init must be one of"):
        KMeans(init="best").fit(X)
    with pytest.raises(ValueError, match="KMeans: n_clusters must be at most the number of sampl"):
        KMeans(41).fit(X)
    with pytest.raises(ValueError, match="init must be finite"):
        KMeans(2, init=np.full((2, 3), np.nan)).fit(X)
    with pytest.raises(ValueError, match="n_samples=2 should be >= n_clusters=3"):
        kmeans_plusplus(X[:2], 3)
