import numpy as np
import pandas as pd
import polars as pl
import pytest

from margin.search import Categories

WORDS = {"a": ["x", None, "y", "x"], "b": [2, 1, 2, 2], "c": [True, False, True, True]}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_frames(make):
    table = Categories.of("Test", make(WORDS))
    assert table.names == ("a", "b", "c")
    assert table.states == (("x", "y"), (1, 2), (False, True))
    np.testing.assert_array_equal(table.codes, [[0, 2, 1, 0], [1, 0, 1, 1], [1, 0, 1, 1]])
    np.testing.assert_array_equal(table.incomplete, [True, False, False])
    np.testing.assert_array_equal(table.evidence()[1], [-1, 0, 0])


def test_pandas_categories_and_missing_numbers():
    frame = pd.DataFrame({"k": pd.Categorical(["b", "a", None]), "f": [1.5, np.nan, 0.5]})
    table = Categories.of("Test", frame)
    assert table.states == (("a", "b"), (0.5, 1.5))
    np.testing.assert_array_equal(table.codes, [[1, 0, 2], [1, 2, 0]])


def test_arrays_of_objects_and_numbers():
    table = Categories.of("Test", np.array([[1, "u"], ["1", None]], dtype=object))
    assert set(table.states[0]) == {1, "1"}
    assert Categories.of("Test", np.array([[3.0], [np.nan], [2.0]])).states == ((2.0, 3.0),)


def test_given_states_keep_their_order():
    table = Categories.of(
        "Test", pd.DataFrame({"a": ["lo", "hi"]}), states={"a": ["lo", "mid", "hi"]}
    )
    np.testing.assert_array_equal(table.codes, [[0, 2]])
    with pytest.raises(ValueError, match="Test: column 'a' must be in"):
        Categories.of("Test", pd.DataFrame({"a": ["odd"]}), states={"a": ["lo", "hi"]})
    with pytest.raises(ValueError, match="states must be about columns"):
        Categories.of("Test", pd.DataFrame({"a": ["odd"]}), states={"b": ["lo", "hi"]})


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (np.zeros(3), "two-dimensional"),
        (np.zeros((0, 2)), "at least one row"),
        (np.zeros((2, 0)), "at least one row"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "different column names"),
        (pd.DataFrame({"a": [None, None]}), "observed somewhere"),
        (np.arange(70_000)[:, None], "at most 65000 states"),
    ],
)
def test_bad_input(frame, message):
    with pytest.raises(ValueError, match=message):
        Categories.of("Test", frame)


@pytest.mark.parametrize("weighted", [False, True])
def test_compression_keeps_every_count(weighted):
    rng = np.random.default_rng(0)
    weight = rng.random(500) if weighted else None
    table = Categories.of("Test", rng.integers(0, 3, (500, 3)), sample_weight=weight)
    small = table.compressed()
    assert small.n_rows <= 27
    assert small.total == pytest.approx(table.total)
    np.testing.assert_allclose(small.counts([0, 2, 1]), table.counts([0, 2, 1]))
    one = Categories.of("Test", rng.integers(0, 100, (20, 5)))
    assert one.compressed() is one
