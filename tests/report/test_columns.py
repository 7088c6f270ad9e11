import dataclasses

import pytest

from margin.evaluation import ColumnInfo, Histogram
from margin.report import _columns


def test_data_table_says_what_is_not_used_and_cuts_very_wide_tables(classification):
    page = _columns.data(classification)
    assert "5 of them used to predict diagnosis" in page
    assert '<tr class="unused"><td><span>patient id</span>' in page
    column = ColumnInfo("x", "numeric", "numbers", 9, 0, True)
    wide = dataclasses.replace(classification, columns=(column,) * 1000)
    page = _columns.data(wide)
    assert page.count("<tr") == _columns.MOST_COLUMNS + 1
    assert "700 more columns are not listed" in page


def column(histogram, scale="numeric"):
    return ColumnInfo("<x>", scale, "why", 3, 0, True, "", histogram)


def test_bars_of_numbers_have_areas_by_count():
    drawn = _columns.spread(column(Histogram((2, 4), (0.0, 1.0, 3.0))))
    assert drawn.count("<rect") == 2
    assert "0 to 1: 2 rows" in drawn
    # four rows over twice the width stand as high as two over one
    heights = {part.split('"')[0] for part in drawn.split(' height="')[1:]}
    assert len(heights) == 1


def test_bars_of_levels_and_of_the_rest():
    drawn = _columns.spread(column(Histogram((5, 2), (), ("a & b", "c"), 3), "nominal"))
    assert drawn.count("<rect") == 3
    assert "a &amp; b: 5 rows" in drawn
    assert "other levels: 3 rows" in drawn
    assert "Spread of &lt;x&gt;" in drawn


def test_bars_of_days_are_dated():
    assert "2020-01-01 to 2020-01-02" in _columns.spread(
        column(Histogram((1, 1), (18262.0, 18263.0, 18264.0)), "date")
    )


@pytest.mark.parametrize("bars", [None, Histogram(())])
def test_nothing_to_draw(bars):
    assert _columns.spread(column(bars)) is None
