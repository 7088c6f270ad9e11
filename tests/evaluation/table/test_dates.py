"""Reading dates written as text."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest

from margin.evaluation.table import _dates


@pytest.mark.parametrize(
    ("texts", "layout"),
    [
        (["2024-01-31", "2023-12-01"], "ISO8601"),
        (["2024-01-31 12:30", "2023-12-01T00:00:05"], "ISO8601"),
        (["31/01/2024", "01/02/2024"], "%d/%m/%Y"),
        (["01/31/2024", "02/01/2024"], "%m/%d/%Y"),
        (["31.01.2024", "01.02.2024"], "%d.%m.%Y"),
        (["3 Mar 2024", "14 Feb 2023"], "%d %b %Y"),
        (["March 3, 2024", "May 14, 2023"], "%B %d, %Y"),
        (["2024-01-31", "tomorrow 1"], None),
        (["12", "2024"], None),
        (["A12", "B7"], None),
        (["north", "south"], None),
        ([], None),
    ],
)
def test_layout_is_the_first_that_reads_every_text(texts, layout):
    assert _dates.layout(pd.Series(texts, dtype=object)) == layout


def test_days_agree_with_the_calendar():
    texts = ["29.02.2024", "01.03.2024", None, "31.12.1969"]
    epoch = dt.date(1970, 1, 1)
    expected = [
        (dt.date(2024, 2, 29) - epoch).days,
        (dt.date(2024, 3, 1) - epoch).days,
        np.nan,
        -1,
    ]
    np.testing.assert_array_equal(_dates.days(pd.Series(texts), "%d.%m.%Y"), expected)


def test_days_are_the_same_for_every_way_to_hold_a_date():
    texts = pd.Series(["2024-01-01", "2024-06-15"])
    stamps = pd.to_datetime(texts)
    ways = [
        stamps,
        stamps.dt.tz_localize("UTC"),
        stamps.dt.to_period("D"),
        stamps.dt.date,
        texts.astype("category"),
    ]
    expected = _dates.days(texts, "ISO8601")
    for column in ways:
        np.testing.assert_array_equal(_dates.days(column, "ISO8601"), expected)


def test_text_that_cannot_be_read_is_missing():
    assert np.isnan(_dates.days(pd.Series(["2024-01-01", "soon"]), "ISO8601")).tolist() == [0, 1]


def test_text_without_a_known_layout_finds_its_own():
    texts = pd.Series(["03.01.1970", None])
    np.testing.assert_array_equal(_dates.days(texts, None), [2.0, np.nan])
    assert np.isnan(_dates.days(pd.Series(["soon"]), None)).all()
