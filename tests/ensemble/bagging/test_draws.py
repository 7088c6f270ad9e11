"""Draws of rows and features."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.ensemble.bagging._draws import Plan, feature_count, row_count


def test_a_row_is_missing_in_a_share_of_one_over_e():
    """tree.09: the share of rows out of a bootstrap draw."""
    plan = Plan(2000, 1, 2000, 1)
    left = [1 - len(np.unique(plan.draw(seed)[0])) / 2000 for seed in range(20)]
    assert np.mean(left) == pytest.approx(np.exp(-1), abs=0.01)


def test_draws_depend_on_the_seed_alone():
    plan = Plan(30, 9, 20, 4, replace_rows=False, replace_features=False)
    rows, features = plan.draw(3)
    assert len(np.unique(rows)) == 20
    assert len(np.unique(features)) == 4
    assert_array_equal(rows, plan.draw(3)[0])
    assert not np.array_equal(rows, plan.draw(4)[0])


def test_rows_are_drawn_by_share():
    plan = Plan(3, 2, 3000, 2, share=np.array([0.0, 0.25, 0.75]))
    rows, features = plan.draw(0)
    assert_array_equal(features, [0, 1])
    assert np.bincount(rows, minlength=3)[0] == 0
    assert np.mean(rows == 2) == pytest.approx(0.75, abs=0.03)


def test_counts():
    assert row_count("Owner", None, 50, None) == 50
    assert row_count("Owner", 70, 50, None) == 70
    assert row_count("Owner", 0.5, 50, np.full(50, 4.0)) == 100
    assert feature_count("Owner", 1e-9, 50) == 1
    with pytest.warns(UserWarning, match="low number"):
        assert row_count("Owner", 0.01, 50, None) == 1


@pytest.mark.parametrize("wrong", [0, -1, 1.5, 0.0, True, "all"])
def test_refusals(wrong):
    with pytest.raises(ValueError, match="Owner: max_samples must be None, an integer"):
        row_count("Owner", wrong, 10, None)
    with pytest.raises(ValueError, match="Owner: max_features must be"):
        feature_count("Owner", wrong, 10)
