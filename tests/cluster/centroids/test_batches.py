"""Batches: a centre is the mean of all it was given."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.cluster.centroids._batches import Batches, Centres


def engine(**changes):
    usual = {"batch_size": 5, "n_steps": 20, "tol": 0.0, "max_no_improvement": 5}
    return Batches(**usual, reassignment_ratio=0.0, n_threads=1, **changes)


def test_centres_are_running_means():
    """One centre: after all batches it is the weighted mean of all rows."""
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(60, 3)), rng.random(60)
    at = Centres(np.zeros((1, 3)), np.zeros(1))
    for rows in np.array_split(np.arange(60), 7):
        at, _ = engine().step(X[rows], weight[rows], at, rng)
    assert_allclose(at.values[0], np.average(X, axis=0, weights=weight))
    assert_allclose(at.counts, weight.sum())


def test_poor_centres_are_given_up():
    X = np.random.default_rng(1).normal(size=(20, 2))
    method = Batches(20, 1, 0.0, None, 0.5, 1)
    start = Centres(np.array([[0.0, 0.0], [900.0, 900.0]]), np.zeros(2))
    at, _ = method.step(X, None, start, np.random.default_rng(0))
    assert (at.values[1] == X).all(axis=1).any()


def test_search_ends_for_want_of_progress():
    X = np.random.default_rng(2).normal(size=(100, 2))
    rng = np.random.default_rng(0)
    long = Batches(10, 1000, 0.0, 5, 0.0, 1)
    solution = long(X, None, Centres(X[:3].copy(), np.zeros(3)), rng)
    assert solution.status.ok
    assert solution.n_iter < 1000
    assert solution.objective == pytest.approx(solution.extras["assigned"].inertia)
