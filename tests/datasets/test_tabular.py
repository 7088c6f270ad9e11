import numpy as np
import pandas as pd

from margin.datasets._tabular import tabular

DATA = np.array([[0, 1.5], [1, 2.5], [0, 3.5]])
TARGET = np.array([1, 0, 1])
FIELDS = {
    "feature_names": ["kind", "size"],
    "target_name": "good",
    "labels": {"kind": ["a", "b"]},
    "target_names": ["no", "yes"],
}


def test_arrays_stay_codes():
    table = tabular(DATA, TARGET, **FIELDS, secret=7)
    assert table.frame is None
    assert table.data is DATA
    assert table.target is TARGET
    assert table.secret == 7


def test_frame_shows_words():
    table = tabular(DATA, TARGET, **FIELDS, as_frame=True)
    expected = pd.DataFrame(
        {"kind": ["a", "b", "a"], "size": [1.5, 2.5, 3.5], "good": ["yes", "no", "yes"]}
    )
    pd.testing.assert_frame_equal(table.frame, expected)
    assert list(table.data.columns) == ["kind", "size"]
    assert table.target.name == "good"


def test_target_without_names_is_kept():
    fields = {**FIELDS, "target_names": None}
    table = tabular(DATA, TARGET + 0.5, **fields, as_frame=True)
    assert table.target.tolist() == [1.5, 0.5, 1.5]
