"""Measurements and categories."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from margin.search import continuous_columns, floating_columns, is_continuous


@pytest.mark.parametrize(
    ("column", "answer"),
    [
        ([0.5, 1.0], True),
        (np.array([0.5, 1.0], dtype=np.float32), True),
        (pd.Series([0.25, None]), True),
        (pd.Series([0.25, None], dtype="Float64"), True),
        (pl.Series([0.25, None]), True),
        (np.array([0.5, None, 1], dtype=object), True),
        (pd.Series([0.0, 1.0, None]), False),
        (pd.Series([0.25, 0.5], dtype="category"), False),
        (pd.Series([1, 2]), False),
        (np.array([0.5, "a"], dtype=object), False),
        (["0.5", "1.5"], False),
        ([True, False], False),
        (np.array([None, None], dtype=object), False),
        (np.array([np.nan]), False),
        (np.array([np.inf, 1.0]), False),
    ],
)
def test_kinds(column, answer):
    assert is_continuous(column) is answer


def test_columns_of_frames_and_arrays():
    frame = {"x": [0.5, 1.5], "y": [0, 1], "z": ["a", "b"]}
    assert continuous_columns(pd.DataFrame(frame)) == ("x",)
    assert continuous_columns(pl.DataFrame(frame)) == ("x",)
    assert continuous_columns(np.array([[0.5, 1.0], [1.5, 2.0]])) == (0,)
    assert continuous_columns([[0.5, "a"], [1.5, "b"]]) == (0,)
    assert continuous_columns([1.5, 2.5]) == ()
    twice = pd.DataFrame([[0.5, 1.5]], columns=["x", "x"])
    assert continuous_columns(twice) == ()


def test_floats_whole_or_not():
    frame = pd.DataFrame({"x": [0.5, 1.5], "y": [0.0, 1.0], "z": ["a", "b"], "k": [1, 2]})
    assert floating_columns(frame) == (("x", "y"), ("x", "y", "z", "k"))
    assert floating_columns(pl.from_pandas(frame))[0] == ("x", "y")
    assert floating_columns(frame[["x", "y"]].to_numpy())[0] == (0, 1)
    assert floating_columns([[0.5, 1], [None, 2]])[0] == (0,)


def test_what_pandas_writes_for_unknown_values():
    frame = pd.DataFrame({"x": [0.5, 1.5], "k": pd.array(["a", pd.NA], dtype="string")})
    assert floating_columns(frame)[0] == ("x",)
    numbers = frame.assign(k=pd.Series([0.5, pd.NA], dtype=object))
    assert floating_columns(numbers)[0] == ("x", "k")
    assert continuous_columns(numbers) == ("x", "k")
