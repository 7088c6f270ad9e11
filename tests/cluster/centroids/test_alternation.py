"""The alternation of labels and prototypes."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.cluster.centroids._alternation import Assigned, alternate, filled, seeding_weight
from margin.core import Status


def test_medians_of_a_line():
    """Absolute distances: the prototypes are medians."""
    x = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 40.0])

    def assign(at):
        D = np.abs(x[:, None] - at)
        return Assigned(D.argmin(axis=1), D.min(axis=1))

    def update(found, at):
        return np.array([np.median(x[found.label == c]) for c in range(2)]), ()

    solution = alternate(assign, update, np.array([0.0, 9.0]), None, max_iter=20, solver="medians")
    assert solution.status is Status.CONVERGED
    assert_array_equal(solution.x, [1.0, 11.0])
    assert solution.objective == pytest.approx(2 + 30)


def test_empty_clusters_get_the_dearest_row():
    found = Assigned(np.array([0, 0, 0]), np.array([1.0, 9.0, 4.0]))
    label, mended = filled(found, 2, None)
    assert_array_equal(label, [0, 1, 0])
    assert mended == ("empty cluster 1 restarted at row 1",)
    label, mended = filled(found, 2, np.array([1.0, 0.0, 1.0]))
    assert_array_equal(label, [0, 0, 1])


def test_a_rising_objective_is_told():
    def assign(at):
        return Assigned(np.array([at % 2]), np.array([float(at)]))

    solution = alternate(assign, lambda f, at: (at + 1, ()), 1, None, max_iter=9, solver="")
    assert solution.status is Status.STALLED
    assert "never should" in solution.message


def test_a_cluster_begins_at_a_row_that_says_something():
    seen = np.array([True, False, True])
    assert_array_equal(seeding_weight(None, seen), [1, 0, 1])
    assert_array_equal(seeding_weight(np.array([2.0, 1.0, 0.0]), seen), [2, 0, 0])
    assert seeding_weight(None, np.ones(3, bool)) is None
    assert seeding_weight(None, np.zeros(3, bool)) is None
