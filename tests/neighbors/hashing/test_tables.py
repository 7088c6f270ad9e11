"""Codes and tables."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.neighbors.hashing._tables import Hashes, Tables, collision_probability


@pytest.mark.parametrize("angle", [0.2, 1.0, np.pi / 2, 2.5])
def test_signs_collide_with_probability_one_less_angle_over_pi(angle):
    """neighbors.02: over 40 000 directions, within four standard deviations."""
    n = 40_000
    hashes = Hashes(np.random.default_rng(0).standard_normal((3, n)), 1, n)
    x, z = np.array([[1.0, 0.0, 0.0]]), np.array([[np.cos(angle), np.sin(angle), 0.0]])
    agree = np.mean((hashes.projections(x) >= 0) == (hashes.projections(z) >= 0))
    p = 1.0 - angle / np.pi
    assert abs(agree - p) < 4 * np.sqrt(p * (1 - p) / n)
    assert_allclose(collision_probability(angle), p)


def test_codes_and_probes():
    hashes = Hashes(np.array([[1.0, 0.0, 1.0, -1.0], [0.0, 1.0, 1.0, -1.0]]), 2, 2)
    X = np.array([[3.0, 1.0]])
    assert_array_equal(hashes.codes(hashes.projections(X) >= 0), [[0b11, 0b01]])
    # The second direction of the first table is the most doubtful.
    assert_array_equal(hashes.probes(X, 3)[0], [[0b11, 0b01, 0b10], [0b01, 0b00, 0b11]])


def test_candidates_are_pairs_that_share_a_code():
    rng = np.random.default_rng(0)
    codes, probes = rng.integers(0, 5, size=(30, 3)), rng.integers(0, 5, size=(8, 3, 2))
    queries, rows = Tables.of(codes).candidates(probes)
    expected = [
        (q, r) for q in range(8) for r in range(30) if (codes[r][:, None] == probes[q]).any()
    ]
    assert list(zip(queries.tolist(), rows.tolist(), strict=True)) == expected
