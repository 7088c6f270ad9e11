"""Counting (graphical.17, graphical.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.graphical.cpds._counts import family_counts, table_from_counts


def test_counts_by_a_loop():
    """graphical.17: the indicator is that of the state."""
    rng = np.random.default_rng(0)
    codes = rng.integers(-1, 3, size=(200, 4))
    weight = rng.random(200)
    expected = np.zeros((3, 3, 3))
    for row, w in zip(codes, weight, strict=True):
        if min(row[[2, 0, 3]]) >= 0:
            expected[row[2], row[0], row[3]] += w
    assert_allclose(family_counts(codes, [2, 0, 3], [3, 3, 3], weight), expected)


def test_no_rows():
    assert_array_equal(family_counts(np.zeros((0, 2), int), [0, 1], [2, 2]), np.zeros((2, 2)))


@pytest.mark.parametrize(
    ("counts", "alpha", "size", "expected"),
    [
        ([3, 0], 0, 0, [1, 0]),
        ([3, 0], 1, 0, [0.8, 0.2]),
        ([3, 0], 0, 2, [0.8, 0.2]),
        ([0, 0], 0, 0, [0.5, 0.5]),
        ([0, 0], 1, 0, [0.5, 0.5]),
        ([3, 1], 1e12, 0, [0.5, 0.5]),
    ],
)
def test_imaginary_observations(counts, alpha, size, expected):
    """graphical.18: N = (3, 0) with a = 1 gives (.8, .2)."""
    table, unseen = table_from_counts(np.array(counts, dtype=float), alpha, size)
    assert_allclose(table, expected, atol=1e-11)
    assert unseen == int(sum(counts) + alpha + size == 0)


def test_maximum_likelihood_beats_other_tables():
    """graphical.17"""
    rng = np.random.default_rng(1)
    counts = rng.integers(1, 9, size=(3, 4)).astype(float)
    best = np.sum(counts * np.log(table_from_counts(counts)[0]))
    for _ in range(20):
        other = rng.dirichlet(np.ones(4), size=3)
        assert np.sum(counts * np.log(other)) < best
