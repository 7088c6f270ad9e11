"""Costs of wrong answers."""

import numpy as np
import pytest

from margin.evaluation.table._costs import cost_matrix

Y = np.repeat(["fraud", "ok"], [3, 20])


def test_a_pair_is_about_the_rarer_class():
    assert cost_matrix(Y, (1, 50)) == ((0.0, 50.0), (1.0, 0.0))
    assert cost_matrix(np.repeat([0, 1], [20, 3]), (1, 50)) == ((0.0, 1.0), (50.0, 0.0))


def test_a_matrix_and_named_costs():
    assert cost_matrix(Y, [[0, 7], [2, 0]]) == ((0.0, 7.0), (2.0, 0.0))
    assert cost_matrix(Y, {("fraud", "ok"): 7}) == ((0.0, 7.0), (1.0, 0.0))


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ((1, 2, 3), "two costs .* or a matrix of 2 by 2"),
        ("much", "a matrix of 2 by 2"),
        ([[0, np.nan], [1, 0]], "finite"),
        ([[1, 0], [0, 1]], "lowest for the right answer"),
        ([[0, 0], [0, 0]], "lowest for the right answer"),
        ({("fraud", "good"): 2}, "about the classes fraud, ok, got 'good'"),
    ],
)
def test_costs_that_make_no_sense(cost, words):
    with pytest.raises(ValueError, match=words):
        cost_matrix(Y, cost)


def test_a_pair_says_nothing_about_three_classes():
    words = r"cost must be named by class where there are 3, TRUE>ANSWER=COST or .*got \(1, 10\)"
    with pytest.raises(ValueError, match=words):
        cost_matrix(np.array(["a", "b", "c"]), (1, 10))
