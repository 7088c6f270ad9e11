"""Names of variables and states."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from margin.graphical._domain import Domain, factorise, is_missing, shorten

DOMAIN = Domain("Net", {"a": ("no", "yes"), "n": (0, 1, 2), "t": ("0", "1"), "one": ("x",)})


def test_codes_and_names():
    assert DOMAIN.names == ("a", "n", "t", "one")
    assert DOMAIN.cardinalities == (2, 3, 2, 1)
    assert DOMAIN.positions(["n", "a"]) == (1, 0)
    assert DOMAIN.positions("t") == (2,)
    assert DOMAIN.code("n", np.int64(2)) == 2
    assert DOMAIN.code("n", 2.0) == 2  # a column with gaps holds floats
    assert DOMAIN.code("t", 1) == 1  # numbers for states called "0" and "1"
    for gap in (None, float("nan"), np.nan, pd.NA, pd.NaT):
        assert DOMAIN.code("a", gap) == -1


@pytest.mark.parametrize(
    ("name", "state", "message"),
    [
        ("a", "maybe", "Net: state of 'a' must be one of 'no', 'yes', got 'maybe'"),
        ("n", 3, "Net: state of 'n' must be one of 0, 1, 2, got 3"),
        ("n", [1], r"Net: state of 'n' must be one of 0, 1, 2, got \[1\]"),
        ("z", "no", "Net: variable must be one of 'a', 'n', 't', 'one', got 'z'"),
    ],
)
def test_unknown_words_are_refused(name, state, message):
    with pytest.raises(ValueError, match=message):
        DOMAIN.code(name, state)


def test_twice_the_same_is_refused():
    with pytest.raises(ValueError, match="states of 'a' must differ, got 'x' twice"):
        Domain("Net", {"a": ("x", "y", "x")})
    with pytest.raises(ValueError, match="'a' must have at least one state"):
        Domain("Net", {"a": ()})
    with pytest.raises(ValueError, match="variables must differ"):
        DOMAIN.positions(["a", "a"])


@pytest.mark.parametrize(
    "column",
    [
        ["yes", None, "no", "yes"],
        np.array(["yes", None, "no", "yes"], dtype=object),
        pd.Series(["yes", None, "no", "yes"]),
        pd.Series(["yes", np.nan, "no", "yes"], dtype=object),
        pd.Series(["yes", None, "no", "yes"], dtype="category"),
        pl.Series(["yes", None, "no", "yes"]),
    ],
)
def test_columns_of_words(column):
    assert_array_equal(DOMAIN.encode("a", column), [1, -1, 0, 1])


@pytest.mark.parametrize(
    "column",
    [
        [2.0, np.nan, 0.0],
        pd.Series([2, None, 0], dtype="Int64"),
        pd.Series([2.0, np.nan, 0.0]),
        pl.Series([2, None, 0]),
    ],
)
def test_columns_of_numbers(column):
    assert_array_equal(DOMAIN.encode("n", column), [2, -1, 0])


def test_empty_column():
    assert DOMAIN.encode("a", []).shape == (0,)


def test_decoding_inverts_encoding():
    codes = np.array([0, 1, 1, 0])
    for name in ("a", "t", "n"):
        assert_array_equal(DOMAIN.encode(name, DOMAIN.decode(name, codes)), codes)
    mixed = Domain("Net", {"m": ("a", 1, None)})
    assert mixed.decode("m", [1, 0]).tolist() == [1, "a"]


def test_distinct_values_and_messages():
    codes, distinct = factorise(np.array([3, 1, 3]))
    assert [distinct[c] for c in codes] == [3, 1, 3]
    assert is_missing(pd.NA)
    assert not is_missing(np.array([1, 2]))
    assert shorten([1]) == "1"
