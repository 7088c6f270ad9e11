import dataclasses

import numpy as np
import pandas as pd
import pytest

from margin import report
from margin.evaluation import Effect
from margin.inspection import Explanation
from margin.report import _effects


def along(**changes):
    mean = np.array([0.1, 0.3, 0.2])
    parts = {
        "feature": "<age>", "numeric": True, "values": (1.0, 2.0, 3.0), "mean": mean,
        "low": mean - 0.05, "high": mean + 0.5, "outcome": "probability of y = yes",
    }  # fmt: skip
    return Effect(**{**parts, **changes})


@pytest.fixture
def explained(classification):
    values = np.array([[[0.2], [-0.01]], [[-0.4], [0.0]]])
    data = np.array([[3.5, "a & b"], [np.nan, "c"]], dtype=object)
    shown = Explanation(values, np.array([0.3]), data, ("dose", "ward"))
    return dataclasses.replace(
        classification, effects=(along(),), explanation=shown, explained_rows=(4, 7)
    )


def test_numbers_get_a_line_and_a_band():
    drawn = _effects.effect(along())
    assert drawn.count("<polyline") == drawn.count("<path") == 1
    assert drawn.count("<circle") == 3
    assert "&lt;age&gt;" in drawn


def test_levels_and_days_get_a_row_each():
    days = (pd.Timestamp("2024-01-06"), "b & c", True)
    drawn = _effects.effect(along(numeric=False, values=days))
    assert drawn.count("<circle") == 3
    for name in ("2024-01-06<", "b &amp; c", "True"):
        assert name in drawn


def test_every_bar_is_inside(explained):
    drawn = _effects._reasons(explained.explanation, 1, 0.4)
    for part in drawn.split("<rect")[1:]:
        x, width = (float(part.split(f' {k}="')[1].split('"')[0]) for k in ("x", "width"))
        assert 220 <= x <= x + width <= 398


def test_rows_are_taken_apart(explained):
    page = _effects.depends(explained)
    assert "From 0.100 at 1 to 0.300 at 2: a swing of 0.200." in page
    assert "Test row 5: 0.49" in page
    assert "dose = 3.5" in page
    assert "dose = not known" in page
    assert "ward = a &amp; b" in page
    assert "+0.200" in page
    assert f"The truth is {explained.y_test[4]}." in page


def test_what_is_not_there_is_said_with_the_reason(classification, explained):
    told = (("effects", "no time & no room"), ("explanation", "with 99 columns it takes too long"))
    empty = _effects.depends(dataclasses.replace(classification, missing=told))
    assert "What the answer depends on" in empty
    assert "No effects of columns: no time &amp; no room." in empty
    assert "No single rows taken apart: with 99 columns it takes too long." in empty
    whole = _effects.depends(explained)
    assert "No effects" not in whole
    assert "No single rows" not in whole
    for comparison in (classification, explained):
        assert 'href="#effects"' in report.render(comparison)


def test_one_part_may_be_missing(explained):
    alone = _effects.depends(dataclasses.replace(explained, explanation=None))
    assert "a swing of 0.2" in alone
    assert "No single rows taken apart: " in alone
