import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose

from margin.causal.tables._columns import column, design, is_unknown, is_words, levels, numbers


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame])
def test_columns_of_any_frame(kind):
    frame = kind({"x": [1, 2], "w": ["a", "b"]})
    assert_allclose(numbers("Model", frame, "x"), [1, 2])
    assert levels("Model", frame, "w")[0] == ("a", "b")
    with pytest.raises(ValueError, match="Model: frame must be with a column 'q'"):
        column("Model", frame, "q")
    with pytest.raises(ValueError, match="Model: column 'w' must be numbers"):
        numbers("Model", frame, "w")


def test_arrays_have_numbered_columns():
    assert_allclose(column("Model", np.eye(2), 1), [0, 1])
    with pytest.raises(ValueError, match="with a column 5"):
        column("Model", np.eye(2), 5)


def test_unknown_values_are_refused_with_their_rows():
    with pytest.raises(ValueError, match=r"column 'x' must be finite everywhere, got 'rows \[1\]'"):
        numbers("Model", {"x": [1.0, np.nan]}, "x")
    with pytest.raises(ValueError, match=r"column 'x' must be known everywhere, got 'rows \[0\]'"):
        levels("Model", {"x": np.array([None, "a"], dtype=object)}, "x")


def test_what_is_not_known_and_what_has_no_order():
    """Every frame has its own word for nothing; words and numbers may share a column."""
    objects = np.array([None, float("nan"), pd.NA, pd.NaT, "a", 0, False], dtype=object)
    assert is_unknown(objects).tolist() == [True] * 4 + [False] * 3
    for frame in (
        pd.DataFrame({"x": pd.array([1, None], dtype="Int64"), "w": ["a", None]}),
        pl.DataFrame({"x": [1, None], "w": ["a", None]}),
    ):
        with pytest.raises(ValueError, match=r"column 'x' must be finite .* 'rows \[1\]'"):
            numbers("Model", frame, "x")
        with pytest.raises(ValueError, match=r"column 'w' must be known .* 'rows \[1\]'"):
            levels("Model", frame, "w")
    mixed = np.array(["b", 2, "a", 1, 2], dtype=object)
    held, codes = levels("Model", {"x": mixed}, "x")
    assert held == (1, 2, "a", "b")
    assert codes.tolist() == [3, 1, 2, 0, 1]
    assert is_words(mixed)
    assert not is_words(np.array([1, None], dtype=object))


def test_designs_are_standardised_and_independent():
    rng = np.random.default_rng(0)
    a, b = rng.normal(5, 3, 50), rng.normal(size=50)
    frame = {"a": a, "b": b, "sum": a + 2 * b, "one": np.ones(50), "w": list("abcab" * 10)}
    found = design("Model", frame, frame, 50)
    assert found.columns == ("a", "b", "w=b", "w=c")
    assert found.left_out == ("sum", "one")
    assert_allclose(found.X.mean(axis=0), 0, atol=1e-12)
    assert_allclose(found.X.std(axis=0), 1)
    with pytest.raises(ValueError, match="frame must be of 9 rows"):
        design("Model", frame, ["a"], 9)
