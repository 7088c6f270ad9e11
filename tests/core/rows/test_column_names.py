import numpy as np
import pandas as pd
import polars as pl
import pytest

from margin.core import check
from margin.core.rows._column_names import repeated_name


def test_a_name_that_columns_share_is_found():
    frame = pd.DataFrame(np.eye(4), columns=["a", "b", "b", "b"])
    assert repeated_name(frame) == ("b", 3)
    assert repeated_name(frame[["a"]]) is None
    assert repeated_name(pl.DataFrame({"a": [1], "b": [2]})) is None


@pytest.mark.parametrize("X", [np.eye(2), [[1, 2]], [], "text", None, 3.0])
def test_what_has_no_columns_has_no_names(X):
    assert repeated_name(X) is None


def test_names_may_be_of_any_kind():
    assert repeated_name(pd.DataFrame(np.eye(2), columns=[0, 0])) == (0, 2)
    twice = pd.MultiIndex.from_tuples([("a", 1), ("a", 1)])
    assert repeated_name(pd.DataFrame(np.eye(2), columns=twice)) == (("a", 1), 2)


def test_the_error_names_owner_and_column():
    frame = pd.DataFrame(np.eye(2), columns=["age", "age"])
    with pytest.raises(ValueError, match=r"^Ridge: X must be a frame with a name of its own"):
        check.distinct_names("Ridge", frame)
    with pytest.raises(ValueError, match="got 'age' 2 times"):
        check.structure("Ridge", frame)
