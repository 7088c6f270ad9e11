"""Columns of a table."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from margin.inspection._columns import column_names, column_number, editable, set_column, table_of


def test_names_of_frames_are_kept():
    frame = pd.DataFrame({"age": [1], "city": [2]})
    assert column_names(frame, 2) == ("age", "city")
    assert column_names(frame, 2, ("a", "b")) == ("a", "b")
    assert column_names([[1, 2]], 2, ()) == ("x0", "x1")


def test_columns_by_number_and_name():
    assert column_number(("a", "b"), -1) == 1
    with pytest.raises(ValueError, match="feature must be one of a, b, got 'c'"):
        column_number(("a", "b"), "c")
    with pytest.raises(ValueError, match="feature must be a column below 2, got 5"):
        column_number(("a", "b"), 5)
    with pytest.raises(ValueError, match="feature_names must be 2 names, got 3"):
        column_names([[1, 2]], 2, ("a", "b", "c"))


@pytest.mark.parametrize("table", [np.zeros((2, 2)), pd.DataFrame(np.zeros((2, 2)))])
def test_copies_are_changed_and_the_table_is_not(table):
    copy = editable(table)
    set_column(copy, 1, [3.0, 4.0])
    assert np.asarray(copy)[:, 1].tolist() == [3.0, 4.0]
    assert np.asarray(table)[:, 1].tolist() == [0.0, 0.0]


def test_whole_numbers_take_the_values_of_a_grid():
    copy = editable(np.zeros((2, 2), dtype=int))
    set_column(copy, 0, 0.5)
    assert copy[:, 0].tolist() == [0.5, 0.5]


def test_anything_but_a_frame_becomes_an_array():
    frame = pd.DataFrame(np.zeros((2, 2)))
    assert table_of("test", frame) is frame
    for kind in ("csr", "bsr", "coo"):
        assert table_of("test", sparse.eye_array(3, format=kind)).tolist() == np.eye(3).tolist()
    with pytest.raises(ValueError, match=r"^test: X must be a table of rows and columns"):
        table_of("test", [1.0, 2.0])
