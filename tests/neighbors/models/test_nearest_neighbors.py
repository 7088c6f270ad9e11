"""Search without targets (neighbors.01)."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.utils.estimator_checks import parametrize_with_checks

from margin.neighbors import NearestNeighbors


def test_the_answer_does_not_depend_on_the_search():
    """neighbors.01: all searches, threads and leaf sizes agree bit by bit, ties included."""
    X = np.random.default_rng(0).integers(0, 6, size=(700, 3)).astype(float)
    expected = NearestNeighbors(algorithm="brute").fit(X).kneighbors(X, 12)
    for algorithm in ("auto", "kd_tree", "ball_tree"):
        for leaf_size, n_jobs in ((1, 1), (30, 2), (1000, None)):
            model = NearestNeighbors(algorithm=algorithm, leaf_size=leaf_size, n_jobs=n_jobs)
            for a, b in zip(model.fit(X).kneighbors(X, 12), expected, strict=True):
                assert_array_equal(a, b)


@parametrize_with_checks([NearestNeighbors()])
def test_contract_of_scikit_learn(estimator, check):
    check(estimator)


def test_reasons():
    X = np.random.default_rng(0).normal(size=(1000, 3))
    model = NearestNeighbors().fit(X)
    assert model.search_method_ == "kd_tree"
    assert model.search_reason_ == "3 columns, few enough for boxes to rule out most rows"
    assert NearestNeighbors(algorithm="brute").fit(X).search_reason_ == "asked for"


def test_constant_columns_and_equal_rows():
    X = np.ones((50, 2))
    for algorithm in ("brute", "kd_tree", "ball_tree"):
        distance, number = NearestNeighbors(algorithm=algorithm).fit(X).kneighbors([[1.0, 1.0]])
        assert_array_equal(distance, np.zeros((1, 5)))
        assert_array_equal(number, [[0, 1, 2, 3, 4]])


@pytest.mark.parametrize("metric", ["euclidean", "mahalanobis", "dice", "cosine"])
def test_saved_and_loaded(metric):
    X = np.random.default_rng(0).normal(size=(60, 3))
    model = NearestNeighbors(metric=metric).fit(X)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.kneighbors(X)[1], model.kneighbors(X)[1])


def test_a_failed_fit_keeps_the_old_rows():
    model = NearestNeighbors(n_neighbors=1).fit([[0.0], [1.0]])
    with pytest.raises(ValueError, match="NaN"):
        model.fit([[np.nan]])
    assert model.n_samples_fit_ == 2
