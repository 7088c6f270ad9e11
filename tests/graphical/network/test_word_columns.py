"""Words in a table."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from margin.graphical.network._word_columns import WordColumns

FRAME = {"size": [1.5, 2.5, 3.5], "colour": ["red", "blue", None], "flag": [True, False, True]}


@pytest.mark.parametrize("library", [pd, pl])
def test_frames(library):
    frame = library.DataFrame(FRAME)
    words = WordColumns.learned(frame)
    assert words.places == (1,)
    assert words.levels == (("blue", "red"),)
    coded = words.encode(frame)
    assert list(coded.columns) == ["size", "colour", "flag"]
    assert_array_equal(np.asarray(coded["colour"]), [1.0, 0.0, np.nan])
    new = words.encode(library.DataFrame({**FRAME, "colour": ["green", "red", "red"]}))
    assert_array_equal(np.asarray(new["colour"]), [np.nan, 1.0, 1.0])


def test_categorical_types_and_arrays():
    frame = pd.DataFrame({"dose": pd.Categorical([0.5, 1.5, 0.5])})
    assert WordColumns.learned(frame).levels == ((0.5, 1.5),)
    rows = [["a", 1.0], ["b", 2.0]]
    for table in (rows, np.array(rows, dtype=object), np.array([["a", "x"], ["b", "y"]])):
        assert WordColumns.learned(table).levels[0] == ("a", "b")
    numbers = np.ones((2, 2))
    nothing = WordColumns.learned(numbers)
    assert nothing == WordColumns()
    assert nothing.encode(numbers) is numbers
    assert WordColumns.learned(np.ones((2, 2), dtype=object)) == WordColumns()
    assert WordColumns.learned(["a", "b"]) == WordColumns()
    assert WordColumns.learned([["a"], [1.0]]) == WordColumns()


def test_levels_that_occur():
    words = WordColumns((0,), (("a", "b", "c"),))
    kept, table = words.among(np.array([[2.0, 7.0], [0.0, 8.0], [np.nan, 9.0]]))
    assert kept.levels == (("a", "c"),)
    assert_array_equal(table, [[1.0, 7.0], [0.0, 8.0], [np.nan, 9.0]])
