"""Levels of nominal columns as text."""

import numpy as np
import pandas as pd
import pytest

from margin.evaluation.table._levels import AsLevels


def levels(values, **options):
    frame = pd.DataFrame({"c": values})
    return AsLevels(**options).fit(frame).transform(frame).ravel().tolist()


@pytest.mark.parametrize(
    "values", [[1, 2], [1.0, 2.0], ["1", "2"], pd.array([1, 2], dtype="Int64")]
)
def test_numbers_are_the_same_levels_however_they_are_held(values):
    assert levels(values) == ["1", "2"]


def test_missing_is_a_level():
    assert levels(["a", None]) == ["a", "(missing)"]
    assert levels(pd.array([True, None], dtype="boolean")) == ["True", "(missing)"]


def test_only_the_most_frequent_levels_are_told_apart():
    values = ["a"] * 3 + ["b"] * 2 + ["c", "d"]
    assert levels(values, most=2) == ["a"] * 3 + ["b"] * 2 + ["(rare)"] * 2
    assert levels(values, most=4) == values


def test_levels_unseen_in_fit_are_rare_only_where_levels_were_cut():
    fitted = AsLevels(most=2).fit(pd.DataFrame({"c": list("aabbc")}))
    assert fitted.transform(pd.DataFrame({"c": ["z"]})).item() == "(rare)"
    fitted = AsLevels(most=5).fit(pd.DataFrame({"c": list("aabbc")}))
    assert fitted.transform(pd.DataFrame({"c": ["z"]})).item() == "z"


def test_long_levels_stay_different_and_short():
    first, second = levels(["x" * 500 + "a", "x" * 500 + "b"])
    assert first != second
    assert len(first) < 80


def test_columns_are_taken_by_name():
    frame = pd.DataFrame({"a": ["p"], "b": ["q"]})
    fitted = AsLevels().fit(frame)
    np.testing.assert_array_equal(fitted.transform(frame[["b", "a"]]), [["p", "q"]])
    assert fitted.get_feature_names_out().tolist() == ["a", "b"]
