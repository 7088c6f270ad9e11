import numpy as np
import pandas as pd
import polars as pl
import pytest

from margin.linear.naive_bayes._frame_levels import Levels


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_words_become_codes_and_numbers_stay(make):
    frame = make({"x": [1.5, 2.5, None], "w": ["b", "a", None]})
    levels = Levels.of(frame)
    assert levels.levels == {"w": ["a", "b"]}
    coded = levels.encode(frame)
    assert list(coded.columns) == ["x", "w"]
    np.testing.assert_array_equal(np.asarray(coded, dtype=float)[:, 1], [1.0, 0.0, np.nan])
    other = levels.encode(make({"x": [0.0], "w": ["never seen"]}))
    assert np.isnan(np.asarray(other, dtype=float)[0, 1])


def test_categories_of_numbers_are_levels_too():
    frame = pd.DataFrame({"c": pd.Categorical([10, 30, 10])})
    assert Levels.of(frame).levels == {"c": [10, 30]}
    assert Levels.of(frame).encode(frame)["c"].tolist() == [0.0, 1.0, 0.0]


def test_what_is_no_frame_passes():
    X = np.array([["a"]])
    assert Levels.of(X).levels == {}
    assert Levels({"w": ["a"]}).encode(X) is X
