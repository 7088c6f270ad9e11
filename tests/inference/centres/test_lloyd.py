"""The alternation against one written out, and its bounds against none."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.core import Status
from margin.inference.centres._lloyd import Lloyd, means
from margin.inference.centres._rows import rows_of


def by_hand(X, centres, weight, n_iter):
    """Labels and means in turn, as a book has them."""
    trace = []
    for _ in range(n_iter):
        D = ((X[:, None] - centres) ** 2).sum(axis=2)
        label = D.argmin(axis=1)
        trace.append(float(weight @ D.min(axis=1)))
        centres = np.stack([np.average(X[label == c], axis=0, weights=weight[label == c])
                            for c in range(len(centres))])  # fmt: skip
    return centres, trace


@pytest.mark.parametrize("algorithm", ["lloyd", "hamerly", "elkan"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_path_of_the_textbook(algorithm, dtype):
    """cluster.01: every iterate, with weights, whatever the bounds."""
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(400, 3)).astype(dtype), rng.random(400) + 0.5
    start = X[:7].astype(float)
    for n_iter in (1, 2, 9):
        wanted, trace = by_hand(X.astype(float), start, weight, n_iter)
        solution = Lloyd(0.0, n_iter, algorithm)(rows_of(X, weight, 1), start)
        assert_allclose(solution.x, wanted, rtol=1e-9, atol=1e-9)
        assert_allclose(solution.trace["objective"][:-1], trace[:-1], rtol=1e-9)


@pytest.mark.parametrize("algorithm", ["lloyd", "hamerly", "elkan"])
def test_the_sum_never_rises_and_rests(algorithm):
    """cluster.01: the smallest fall over a whole search is not below zero."""
    X = np.random.default_rng(1).normal(size=(600, 2))
    solution = Lloyd(0.0, 500, algorithm)(rows_of(X, None, 1), X[:20].copy())
    assert solution.status is Status.CONVERGED
    assert np.diff(solution.trace["objective"]).max() <= 1e-9
    again = Lloyd(0.0, 500, algorithm)(rows_of(X, None, 1), solution.x)
    assert again.n_iter == 1
    assert_array_equal(again.x, solution.x)
    if algorithm == "hamerly":
        assert solution.trace["searched"][-2] < 300


def test_as_many_centres_as_rows():
    """cluster.01: N = k gives zero."""
    X = np.random.default_rng(2).normal(size=(9, 2))
    assert Lloyd(0.0, 9)(rows_of(X, None, 1), X.copy()).objective == 0.0


def test_empty_cluster_gets_the_farthest_row():
    """cluster.01: the rule is recorded, and a row of no weight is not taken."""
    X = np.array([[0.0], [1.0], [2.0], [9.0], [50.0]])
    weight = np.array([1.0, 1.0, 1.0, 1.0, 0.0])
    rows = rows_of(X, weight, 1)
    start = np.array([[1.0], [1000.0]])
    new, mended = means(rows(start), start, rows)
    assert_allclose(new.ravel(), [1.0, 9.0])
    assert mended == ("empty cluster 1 restarted at row 3",)
    solution = Lloyd(0.0, 50)(rows, start)
    assert solution.repairs == mended
    assert solution.objective == pytest.approx(2.0)


def test_equal_rows_leave_a_centre_where_it_is():
    rows = rows_of(np.ones((4, 2)), None, 1)
    start = np.array([[1.0, 1.0], [5.0, 5.0]])
    new, mended = means(rows(start), start, rows)
    assert_array_equal(new, start)
    assert mended == ()


@pytest.mark.parametrize("algorithm", ["lloyd", "hamerly", "elkan"])
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_repeated_rows_come_to_rest(algorithm, offset):
    """cluster.01: the mean of equal rows is off by rounding, for which no centre is moved."""
    distinct = np.array([[0.1, 0.7], [2.3, -1.1], [0.3, 5.7]]) / 3 + offset
    X = np.repeat(distinct, 13, axis=0)
    solution = Lloyd(0.0, 50, algorithm)(rows_of(X, None, 1), X[:6].copy())
    assert solution.status is Status.CONVERGED
    assert solution.n_iter < 10
    assert solution.objective < 1e-20 * max(1.0, offset**2)
