import numpy as np
import pytest

from margin.core import missing

nan = np.nan


def test_observed_is_where_there_is_a_number():
    X = np.array([[1.0, nan], [np.inf, 0.0]])
    assert missing.observed(X).tolist() == [[True, False], [True, True]]


@pytest.mark.parametrize("n_columns", [1, 3, 8, 9, 17])
def test_patterns_partition_the_rows_as_brute_force_does(n_columns):
    rng = np.random.default_rng(n_columns)
    X = rng.normal(size=(60, n_columns))
    X[rng.random(X.shape) < 0.4] = nan
    wanted = {}
    for i, row in enumerate(X):
        wanted.setdefault(tuple(np.flatnonzero(~np.isnan(row))), []).append(i)
    found = {tuple(p.columns): p.rows.tolist() for p in missing.patterns(X)}
    assert found == wanted


def test_a_complete_table_is_one_pattern():
    (pattern,) = missing.patterns(np.ones((4, 2)))
    assert pattern.rows.tolist() == [0, 1, 2, 3]
    assert pattern.columns.tolist() == [0, 1]


def test_rows_with_nothing_observed_are_a_pattern_of_their_own():
    X = np.array([[nan, nan], [1.0, nan], [nan, nan]])
    found = {tuple(p.columns): p.rows.tolist() for p in missing.patterns(X)}
    assert found == {(): [0, 2], (0,): [1]}


def test_no_rows_no_patterns():
    assert list(missing.patterns(np.empty((0, 3)))) == []


def test_no_columns_one_pattern():
    (pattern,) = missing.patterns(np.empty((3, 0)))
    assert (pattern.rows.tolist(), pattern.columns.tolist()) == ([0, 1, 2], [])


def test_only_a_table_has_patterns():
    with pytest.raises(ValueError, match=r"patterns: X must be two-dimensional, got shape \(3,\)"):
        list(missing.patterns(np.ones(3)))
