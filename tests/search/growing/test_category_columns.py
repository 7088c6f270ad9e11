import numpy as np
import pandas as pd
import polars as pl
import pytest

from margin.search import CategoryColumns


def test_types_of_a_frame():
    frame = pd.DataFrame({"n": [1.0, 2.0, np.nan], "c": pd.Categorical(["b", None, "a"])})
    columns = CategoryColumns.of("Model", frame, "from_dtype")
    np.testing.assert_array_equal(columns.mask, [False, True])
    coded = columns.encode(frame)
    assert list(coded.columns) == ["n", "c"]
    np.testing.assert_array_equal(coded["c"], [1.0, np.nan, 0.0])
    new = pd.DataFrame({"n": [0.0], "c": ["z"]})
    assert np.isnan(columns.encode(new)["c"][0])


def test_polars():
    frame = pl.DataFrame({"n": [1.0, 2.0], "c": ["b", "a"]}).with_columns(
        pl.col("c").cast(pl.Categorical)
    )
    columns = CategoryColumns.of("Model", frame, "from_dtype")
    np.testing.assert_array_equal(columns.encode(frame)["c"], [1.0, 0.0])


def test_nothing_to_do():
    assert CategoryColumns.of("Model", np.zeros((2, 2)), None) is None
    assert CategoryColumns.of("Model", np.zeros((2, 2)), "from_dtype") is None
    assert CategoryColumns.of("Model", np.zeros((2, 2)), [False, False]) is None
    assert CategoryColumns.of("Model", pd.DataFrame({"a": [1.0]}), "from_dtype") is None


@pytest.mark.parametrize("chosen", [[1], [False, True], np.array([1])])
def test_numbers_and_masks(chosen):
    X = np.array([[0.5, 7.0], [0.1, 3.0], [0.2, np.nan]])
    columns = CategoryColumns.of("Model", X, chosen)
    np.testing.assert_array_equal(columns.encode(X), [[0.5, 1.0], [0.1, 0.0], [0.2, np.nan]])
    np.testing.assert_array_equal(columns.encode(np.array([[1.0, 4.0]])), [[1.0, np.nan]])


def test_mixed_objects():
    X = np.array([[1, "a"], [2, "b"], [3, None], [4, 5]], dtype=object)
    columns = CategoryColumns.of("Model", X, [1])
    coded = columns.encode(X)
    assert coded.dtype == np.float64
    np.testing.assert_array_equal(coded[:, 1], [1.0, 2.0, np.nan, 0.0])


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("other", "must be None, 'from_dtype'"),
        ([5], "numbers of columns from 0 to 1"),
        ([True], "a mask of 2 columns"),
        (["a"], "numbers where X has no names"),
        ([[0]], "must be None, 'from_dtype'"),
    ],
)
def test_refusals(chosen, message):
    with pytest.raises(ValueError, match=f"Model: categorical_features .*{message}"):
        CategoryColumns.of("Model", np.zeros((2, 2)), chosen)


def test_a_value_of_another_type_changes_no_other_row():
    columns = CategoryColumns.of("Model", np.array([[1], [2], [3]], dtype=object), [0])
    asked = np.array([[1], [2], ["a"], ["3"], [2.0], [None]], dtype=object)
    np.testing.assert_array_equal(columns.encode(asked).ravel(), [0, 1, np.nan, 2, 1, np.nan])
    mixed = CategoryColumns.of("Model", np.array([[1], ["a"]], dtype=object), [0])
    np.testing.assert_array_equal(mixed.encode(np.array([[1], [1]])).ravel(), [0, 0])
    np.testing.assert_array_equal(mixed.encode(np.array([["a"], ["1"]])).ravel(), [1, 0])
    np.testing.assert_array_equal(mixed.encode(np.array([[1.0], [7.0]])).ravel(), [0, np.nan])


def test_numbers_of_two_types_keep_their_order():
    columns = CategoryColumns.of("Model", np.array([[10], [2.0], [True]], dtype=object), [0])
    asked = np.array([[1], [2], [10.0]], dtype=object)
    np.testing.assert_array_equal(columns.encode(asked).ravel(), [0, 1, 2])
