"""Many classes by machines for two."""

from itertools import combinations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from margin.svm.kernel import _multiclass as multiclass

SCORES = np.random.default_rng(0).normal(size=(200, 10))


def brute_votes(row, n):
    won = np.zeros(n)
    for value, (i, j) in zip(row, combinations(range(n), 2), strict=True):
        won[i if value > 0 else j] += 1
    return won


def test_votes_by_brute_force():
    expected = np.array([brute_votes(row, 5) for row in SCORES])
    assert_array_equal(multiclass.winner_by_votes(SCORES, 5), expected.argmax(axis=1))
    values = multiclass.class_scores(SCORES, 5)
    assert np.abs(values - expected).max() < 1 / 3


def test_elimination_by_brute_force_and_agreement_with_a_clear_winner():
    pairs = list(combinations(range(5), 2))
    for row, winner in zip(SCORES, multiclass.winner_by_elimination(SCORES, 5), strict=True):
        standing = list(range(5))
        while len(standing) > 1:
            first, last = standing[0], standing[-1]
            standing.remove(last if row[pairs.index((first, last))] > 0 else first)
        assert standing == [winner]
        won = brute_votes(row, 5)
        if won.max() == 4:
            assert winner == won.argmax()


def test_members_and_duels():
    codes = np.array([0, 1, 2, 1])
    rows, sign = multiclass.members(codes, (0, 1))
    assert rows.tolist() == [0, 1, 3]
    assert sign.tolist() == [1, -1, -1]
    rows, sign = multiclass.members(codes, (2, -1))
    assert rows.tolist() == [0, 1, 2, 3]
    assert sign.tolist() == [-1, -1, 1, -1]
    assert len(multiclass.duels(5, "dag")) == 10
    assert len(multiclass.duels(5, "ovr")) == 5


def test_arrangement_by_opponent():
    coef = np.array([[1.0, 2.0, 0.0], [-3.0, 0.0, 4.0], [0.0, -5.0, -6.0]])
    assert_allclose(multiclass.by_opponent(coef, np.array([0, 1, 2]), 3), [[1, -3, -5], [2, 4, -6]])
