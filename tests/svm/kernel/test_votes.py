"""One answer from several machines."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.svm.kernel._votes import Votes

RNG = np.random.default_rng(0)
PAIRS = RNG.normal(size=(50, 6))


def test_two_classes():
    scores = np.array([[-1.0], [0.0], [2.0]])
    assert Votes(2).codes(scores).tolist() == [0, 0, 1]
    assert_array_equal(Votes(2).decision(scores), scores[:, 0])
    p = Votes(2).probabilities(scores, "sigmoid", [(np.array([2.0]), np.array([0.5]))])
    assert_allclose(p[:, 1], 1 / (1 + np.exp(-(2 * scores[:, 0] + 0.5))))
    assert_allclose(p.sum(axis=1), 1)


@pytest.mark.parametrize("strategy", ["ovo", "dag"])
def test_a_class_that_wins_all_its_duels_wins(strategy):
    """By brute force: where there is such a class, voting and elimination both find it."""
    codes = Votes(4, strategy).codes(PAIRS)
    seen = 0
    for scores, code in zip(PAIRS, codes, strict=True):
        wins = np.zeros(4)
        for value, (i, j) in zip(scores, combinations(range(4), 2), strict=True):
            wins[i if value > 0 else j] += 1
        if wins.max() == 3:
            seen += 1
            assert code == wins.argmax()
    assert seen > 10


def test_shapes_of_decision_values():
    assert Votes(4).decision(PAIRS).shape == (50, 4)
    assert Votes(4, shape="ovo").decision(PAIRS) is PAIRS
    rest = PAIRS[:, :4]
    assert Votes(4, "ovr").decision(rest) is rest
    assert_array_equal(Votes(4, "ovr").codes(rest), rest.argmax(axis=1))


def test_ties_go_to_the_first_or_to_the_values():
    cycle = np.array([[1.0, -1.0, 5.0]])  # 0 beats 1, 2 beats 0, 1 beats 2 by far
    assert Votes(3, break_ties=False).codes(cycle).tolist() == [0]
    assert Votes(3).codes(cycle).tolist() == [1]


def test_probabilities_of_machines_that_say_nothing():
    silent = [(np.array([0.0]), np.array([-800.0]))] * 3
    p = Votes(3, "ovr").probabilities(np.zeros((2, 3)), "sigmoid", silent)
    assert_allclose(p, 1 / 3)
