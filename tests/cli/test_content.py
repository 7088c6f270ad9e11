"""The JSON of a comparison."""

import json
import math

from margin.cli import _content


def test_numbers_that_do_not_exist_are_null():
    assert _content._number(math.nan) is None
    assert _content._number(math.inf) is None
    assert _content._value(math.nan) is None
    assert _content._value((1, 2)) == "(1, 2)"


def test_the_best_has_no_p_value(classified):
    content = json.loads(classified.json.read_text())
    assert content["results"][0]["p_value"] is None
    assert content["against"] is None
    assert content["calibration"] in ("none", "sigmoid")
