"""Scores as a reader sees them."""

import pytest

from margin.evaluation.table._shown import shown, signed


@pytest.mark.parametrize("value", [0.0, -0.0, 1e-9, -1e-9, 0.00049, -0.00049])
def test_nothing_has_no_sign(value):
    assert shown(value) == signed(value) == "0.000"


@pytest.mark.parametrize(
    ("value", "words", "with_sign"),
    [(0.0006, "0.001", "+0.001"), (-0.0006, "-0.001", "-0.001"), (12.3456, "12.346", "+12.346")],
)
def test_what_is_there_is_rounded(value, words, with_sign):
    assert (shown(value), signed(value)) == (words, with_sign)


def test_what_is_not_known_is_a_dash():
    assert shown(float("nan")) == shown(float("inf")) == signed(float("nan")) == "–"
