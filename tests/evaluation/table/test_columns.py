"""Description of a whole table, and the tables that are refused."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from margin.evaluation import describe_columns
from margin.evaluation.table._columns import as_frame, near


@pytest.fixture
def table():
    return pd.DataFrame(
        {
            "mass": [1.5, np.nan, 2.5, 4.0] * 6,
            "town": ["a", "b", None, "b"] * 6,
            "blank": np.nan,
            "when": pd.date_range("2024-01-01", periods=24),
        }
    )


def test_description_of_a_table(table):
    mass, town, blank, when = describe_columns(table)
    assert (mass.scale, mass.n_missing, mass.n_distinct, mass.used) == ("numeric", 6, 3, True)
    assert mass.summary == "1.5 to 4, median 2.5"
    assert (town.scale, town.n_missing, town.summary) == ("nominal", 6, "b 12, a 6")
    assert (blank.scale, blank.used, blank.summary) == ("empty", False, "")
    assert (when.scale, when.summary) == ("date", "2024-01-01 to 2024-01-24")


def test_overrides_win(table):
    columns = describe_columns(table, {"mass": "nominal", "town": "identifier"})
    assert [(c.scale, c.used) for c in columns[:2]] == [("nominal", True), ("identifier", False)]
    assert columns[0].reason == "as asked"


def test_an_override_lets_a_mixed_column_in():
    mixed = pd.DataFrame({"c": [1, "two", 3]})
    assert describe_columns(mixed, {"c": "nominal"})[0].scale == "nominal"


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"tow": "nominal"}, "no column 'tow'; did you mean 'town'"),
        ({"town": "colour"}, "scale of column 'town' must be one of nominal"),
        ({"town": "numeric"}, "'town' must hold numbers to be numeric, got 'a'"),
        ({"town": "date"}, "'town' must hold dates of one layout, got 'a'"),
    ],
)
def test_overrides_that_cannot_be(table, overrides, message):
    with pytest.raises(ValueError, match=message):
        describe_columns(table, overrides)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "different, got 'a' more than once"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "different, got '1' more than once"),
        (pd.DataFrame({"a": [1.0, np.inf, -np.inf]}), "'a' must be finite, got 2 infinite values"),
        (pd.DataFrame({"a": pd.array([np.inf, 1], dtype="Float64")}), "'a' must be finite"),
        (pd.DataFrame({"a": [1, "x"]}), "column 'a' mixes types"),
        (pd.DataFrame(), "no columns"),
        (pd.DataFrame({"a": []}), "no rows"),
        (np.zeros((3, 2)), "must be a data frame with named columns, got ndarray"),
    ],
)
def test_tables_that_are_refused(table, message):
    with pytest.raises(ValueError, match=message) as caught:
        describe_columns(table)
    assert "\n" not in str(caught.value)


def test_polars_frames_are_welcome(table):
    described = describe_columns(pl.from_pandas(table))
    assert [c.scale for c in described] == [c.scale for c in describe_columns(table)]


def test_the_table_of_the_caller_is_left_alone():
    table = pd.DataFrame({1: [1.0, 2.0]})
    assert list(as_frame(table).columns) == ["1"]
    assert list(table.columns) == [1]


def test_a_million_categories_are_an_identifier_not_a_million_columns():
    keys = pd.DataFrame({"key": np.char.add("k", np.arange(1_000_000).astype(str))})
    (column,) = describe_columns(keys)
    assert (column.scale, column.used, column.n_distinct) == ("identifier", False, 1_000_000)


def test_long_values_are_shortened_in_the_summary():
    sentences = pd.DataFrame({"note": [f"{i} word" * 30 for i in range(9)]})
    assert len(describe_columns(sentences)[0].summary) < 60


def test_near_names_the_first_where_none_is_near():
    assert near("price", ["a", "b"]) == "; there are 'a', 'b'"
    assert near("price", map(str, range(9))).endswith("'4', '5' and 3 more")
    assert near("price", []) == ""
