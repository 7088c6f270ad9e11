import math
from xml.etree import ElementTree as ET

import pytest

from margin.report._axes import Axis
from margin.report._charts import (
    band,
    columns,
    dots,
    figure,
    frame,
    line,
    shorten,
    whiskers,
)

X = Axis(0.0, 10.0, 0.0, 100.0, (0.0, 5.0, 10.0), "time")
Y = Axis(0.0, 1.0, 50.0, 0.0, (0.0, 1.0), "share")


def parsed(*marks):
    return ET.fromstring(figure("A & B", *marks))


def test_figure_is_well_formed_and_named():
    root = parsed(frame(X, Y))
    assert root.attrib["aria-label"] == "A & B"
    assert root.attrib["role"] == "img"
    assert {t.text for t in root.iter("text")} == {"0", "5", "10", "1", "time", "share"}


def test_line_goes_through_the_points_and_leaves_out_what_is_not_finite():
    root = parsed(line(X, Y, [0, 5, math.nan, 10], [0, 0.5, 0.7, math.inf]))
    assert root[0].attrib["points"] == "0.0,50.0 50.0,25.0"


def test_band_goes_there_on_top_and_back_below():
    root = parsed(band(X, Y, [0, 10], [0.0, 0.2], [0.4, 1.0]))
    assert root[0].attrib["d"] == "M0.0 30.0 L100.0 0.0 L100.0 40.0 L0.0 50.0Z"
    assert band(X, Y, [], [], []) == ""


def test_dots_carry_escaped_tips():
    root = parsed(dots(X, Y, [5.0, math.nan], [1.0, 1.0], tips=["<5>", "lost"]))
    assert [c.attrib["cx"] for c in root] == ["50"]
    assert root[0][0].text == "<5>"


def test_whiskers_are_vertical():
    mark = parsed(whiskers(X, Y, [5.0, 6.0], [0.2, math.nan], [0.6, 1.0]))[0]
    assert mark.attrib["x1"] == mark.attrib["x2"] == "50"
    assert (mark.attrib["y1"], mark.attrib["y2"]) == ("40", "20")


def test_columns_stand_on_the_axis_and_are_as_high_as_their_count():
    marks = list(parsed(columns(X, Y, [0, 5, 10], [1.0, 0.5])))
    heights = [float(m.attrib["height"]) for m in marks]
    feet = [float(m.attrib["y"]) + float(m.attrib["height"]) for m in marks]
    assert heights == [50, 25]
    assert feet == [50, 50]


@pytest.mark.parametrize("length", [8, 9, 14, 20])
def test_shortened_words_keep_both_ends_and_the_length(length):
    words = "concave points of the worst nucleus"
    short = shorten(words, length)
    assert len(short) <= length
    assert short[0] == "c"
    assert short[-1] == "s"


def test_short_words_and_white_space():
    assert shorten("a\n  b", 10) == "a b"
