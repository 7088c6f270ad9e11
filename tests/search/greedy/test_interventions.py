"""Targets of experiments, row by row."""

import numpy as np
import pytest

from margin.search import Interventions


def test_rows_of_experiments():
    plan = Interventions.of("Test", ("a", ("b", 1), "c"), ["a", (), None, ("b", 1), ["c", "a"]], 5)
    assert plan.rows.tolist() == [0, 1, 1, 2, 3]
    assert plan.targets.tolist() == [
        [True, False, False],
        [False, False, False],
        [False, True, False],
        [True, False, True],
    ]
    assert plan.free_rows(0).tolist() == [False, True, True, True, False]
    np.testing.assert_array_equal(plan.separated, 1 - np.eye(3))


def test_pairs_set_together_are_not_separated():
    plan = Interventions.of("Test", "abc", [("a", "b"), ()], 2)
    assert plan.separated.tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    assert not Interventions.of("Test", "abc", None, 4).separated.any()


@pytest.mark.parametrize("targets", [[("a", "d"), ()], ["ab", ()], [[["a"]], ()], [3, ()]])
def test_unknown_columns(targets):
    with pytest.raises(ValueError, match="Test: targets must be sets of columns of the table"):
        Interventions.of("Test", "abc", targets, 2)
