import numpy as np
import pandas as pd
import pytest

from margin.causal.tables._columns import column
from margin.causal.tables._missing import indicated, some_rows


def test_numbers_and_words_with_gaps():
    frame = pd.DataFrame({"z": [1.0, None, 3.0], "w": ["a", None, "b"], "full": [1, 2, 3]})
    held = {name: column("A", frame, name) for name in frame}
    found, names = indicated("A", held, ("w", "z", "full"))
    assert names == ("w", "z", "z missing", "full")
    assert found["w"].tolist() == ["a", "missing", "b"]
    assert found["z"].tolist() == [1, 2, 3]
    assert found["z missing"].tolist() == [0, 1, 0]
    assert found["full"] is held["full"]
    with pytest.raises(ValueError, match="A: column 'z' must be known in some row"):
        indicated("A", {"z": np.array([np.nan, np.nan])}, ("z",))


def test_some_rows_of_columns_of_one_length():
    used = np.array([True, False, True])
    assert some_rows("A", {"a": [1, 2, 3], "b": [0]}, ["a"], used)["a"].tolist() == [1, 3]
    with pytest.raises(ValueError, match="A: frame must be of 3 rows in every column, got 1"):
        some_rows("A", {"a": [1, 2, 3], "b": [0]}, ["a", "b"], used)
