"""What is common to conditional distributions: sizes and sums."""

import numpy as np
import pytest

from margin.graphical.cpds._cpd import check_rows, named, parent_codes, refuse_large


def test_forty_parents_are_refused_with_the_size():
    with pytest.raises(ValueError, match=r"got 2199023255552 \(40 parents\)"):
        refuse_large("Net: table of 'y'", 2, [2] * 40)
    refuse_large("Net: table of 'y'", 2, [2] * 20)


def test_the_wrong_column_is_named():
    table = np.full((2, 3, 2), 0.5)
    table[1, 2] = [0.5, 0.3]
    states = {"a": ["no", "yes"], "b": [0, 1, 2]}
    with pytest.raises(
        ValueError, match=r"column of 'x' given a='yes', b=2 must sum to 1, got 0\.8"
    ):
        check_rows("Net", "x", table, ["a", "b"], states)
    with pytest.raises(ValueError, match="given parent 0=1, parent 1=2 must sum to 1"):
        check_rows("Net", "x", table)
    table[1, 2] = [-0.5, 1.5]
    with pytest.raises(ValueError, match=r"given a='yes', b=2 must be at least 0, got -0.5"):
        check_rows("Net", "x", table, ["a", "b"], states)
    table[1, 2] = [np.nan, 1.0]
    with pytest.raises(ValueError, match=r"given a='yes', b=2 must be finite, got nan"):
        check_rows("Net", "x", table, ["a", "b"], states)


def test_configurations_count_like_the_tables():
    assert parent_codes([]).shape == (1, 0)
    assert parent_codes([2, 3]).tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]


def test_parents_as_tuple():
    assert named(None) is None
    assert named("a") == ("a",)
    assert named(["a", "b"]) == ("a", "b")
