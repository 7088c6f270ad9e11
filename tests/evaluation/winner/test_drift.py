"""New rows against training rows."""

import numpy as np
import pandas as pd
import pytest

from margin.evaluation import describe_columns, drift, profile

TRAIN = pd.DataFrame(
    {
        "x": np.linspace(0.0, 1.0, 60),
        "gap": [None, 2.5] * 30,
        "kind": ["a", "b", "c"] * 20,
        "size": ["low", "High", "medium"] * 20,
        "code": [1, 2, 1] * 20,
        "day": pd.date_range("2024-01-01", periods=60).strftime("%d.%m.%Y"),
        "id": [f"r{i}" for i in range(60)],
    }
)
KNOWN = profile(TRAIN, describe_columns(TRAIN))


def told(**changed):
    new = TRAIN.head(3).astype(object).copy()
    for name, value in changed.items():
        new.loc[0, name] = value
    return drift(new, KNOWN)


def test_training_rows_do_not_drift():
    assert drift(TRAIN, KNOWN) == []
    assert told(x=1.005, gap=None, size="LOW", code=1.0, id="new") == []


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"x": 7.0}, "column 'x': 1 of 3 rows is above 1, the largest in training"),
        ({"x": -2.0}, "column 'x': 1 of 3 rows is below 0, the smallest in training"),
        ({"x": None}, "column 'x': 1 of 3 rows is missing, never so in training"),
        ({"x": "much"}, "column 'x': 1 of 3 rows is not a number, such as 'much'"),
        ({"kind": "z"}, "column 'kind': 1 of 3 rows is of a level unknown in training: 'z'"),
        ({"size": "huge"}, "column 'size': 1 of 3 rows is of a level unknown in training: 'huge'"),
        ({"code": 3}, "column 'code': 1 of 3 rows is of a level unknown in training: '3'"),
        ({"day": "soon"}, "column 'day': 1 of 3 rows is not a date, such as 'soon'"),
        (
            {"day": "01.06.2025"},
            "column 'day': 1 of 3 rows is after 2024-02-29, the last in training",
        ),
        (
            {"day": "01.06.2021"},
            "column 'day': 1 of 3 rows is before 2024-01-01, the first in training",
        ),
    ],
)
def test_what_is_new_is_counted(changed, words):
    assert told(**changed) == [words]


def test_many_at_once():
    new = pd.DataFrame({"x": [5.0, None, 6.0], "kind": ["q", "r", "q"]})
    assert drift(new, KNOWN) == [
        "column 'x': 1 of 3 rows is missing, never so in training",
        "column 'x': 2 of 3 rows are above 1, the largest in training",
        "column 'kind': 3 of 3 rows are of a level unknown in training: 'q', 'r'",
    ]
    assert drift(pd.DataFrame({"x": [9.0]}), KNOWN)[0].startswith("column 'x': 1 of 1 row is above")


def test_very_many_levels_and_no_values_are_not_judged():
    frame = pd.DataFrame({"kind": [f"k{i % 1500}" for i in range(4000)]})
    facts = profile(frame, describe_columns(frame))
    assert facts[0]["levels"] == []
    assert drift(pd.DataFrame({"kind": ["new"]}), facts) == []
