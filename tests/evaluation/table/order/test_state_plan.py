"""Plans that were asked for."""

import numpy as np
import pandas as pd
import pytest

from margin.evaluation.table._columns import describe
from margin.evaluation.table.order._state_plan import state_plan

FRAME = pd.DataFrame(
    {
        "sold": pd.date_range("2024-01-01", periods=40).strftime("%d.%m.%Y")[::-1],
        "shop": [*["a", "b", "c", "d"] * 9, None, None, "a", "b"],
        "x": np.arange(40.0) ** 1.5,
        "y": np.arange(40) % 2,
    }
)
COLUMNS = describe(FRAME, {})


def plan(**options):
    return state_plan(FRAME, COLUMNS, "y", **options)


def test_random_unless_asked():
    assert plan().kind == "random"


def test_time_by_the_date_column():
    by_date = plan(split="time")
    assert (by_date.kind, by_date.name) == ("time", "sold")
    assert (np.diff(by_date.order) == -1).all()
    assert plan(split="time:x").order[1] == 1.0


def test_time_by_the_rows_where_there_is_no_date():
    rows = state_plan(FRAME[["x", "y"]], describe(FRAME[["x", "y"]], {}), "y", split="time")
    assert (rows.order == np.arange(40)).all()
    assert rows.name == ""


def test_rows_without_a_group_stand_for_themselves():
    groups = plan(group="shop").groups
    assert len(np.unique(groups)) == 6
    assert plan(split="time", group="shop").kind == "time"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"split": "sorted"}, "split must be 'random', 'time' or 'time:COLUMN', got 'sorted'"),
        ({"split": "time:sol"}, "no column 'sol' in the table; did you mean 'sold'"),
        ({"split": "time:y"}, "split must be another column than the target"),
        ({"split": "time:shop"}, "split must be a column of dates or numbers"),
        ({"group": "shp"}, "no column 'shp' in the table; did you mean 'shop'"),
        ({"group": "y"}, "group must be another column than the target"),
    ],
)
def test_what_cannot_be_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        plan(**options)


def test_two_date_columns_leave_a_choice():
    frame = FRAME.assign(paid=FRAME["sold"])
    with pytest.raises(ValueError, match="'time:COLUMN' with one of sold, paid"):
        state_plan(frame, describe(frame, {}), "y", split="time")


def test_too_few_groups():
    frame = FRAME.assign(shop=np.arange(40) % 3)
    with pytest.raises(ValueError, match="at least 4 groups, got \"'shop' with 3\""):
        state_plan(frame, describe(frame, {}), "y", group="shop")
