import math
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from margin.report._axes import Axis, fitted, minus, tick_labels, ticks

FLOATS = st.floats(-1e12, 1e12)


@given(FLOATS, FLOATS, st.integers(2, 8))
def test_ticks_are_round_inside_and_evenly_spaced(a, b, count):
    low, high = sorted((a, b))
    assume(high - low > 1e-6 * max(abs(low), abs(high), 1e-3))
    found = ticks(low, high, count)
    step = max((high - low) * 1e-6, 1e-300)
    assert 1 <= len(found) <= 1.6 * count + 1
    assert all(low - step <= v <= high + step for v in found)
    gaps = [b - a for a, b in pairwise(found)]
    assert all(gap == pytest.approx(gaps[0], rel=1e-6) for gap in gaps)
    if gaps:
        mantissa = gaps[0] / 10 ** math.floor(math.log10(gaps[0]) + 1e-9)
        assert min(abs(mantissa - m) for m in (1, 2, 5)) < 1e-3


@given(st.lists(FLOATS, min_size=1, max_size=8))
def test_fitted_axis_shows_every_value_between_its_ends(values):
    axis = fitted(values, 10, 110)
    slack = 1e-6 * 100
    assert all(10 - slack <= axis(v) <= 110 + slack for v in values)
    assert axis.low < axis.high


@pytest.mark.parametrize("values", [[], [math.nan], [3.0], [0.0, 0.0], [math.inf, 1.0]])
def test_degenerate_values_still_give_an_axis(values):
    axis = fitted(values, 0, 1)
    assert axis.low < axis.high
    assert all(math.isfinite(axis(v)) for v in axis.ticks)


def test_padding_stops_at_the_limits_but_values_beyond_them_are_shown():
    assert fitted([0.5, 1.0], 0, 1, within=(-math.inf, 1.0)).high == 1.0
    assert fitted([0.5, 1.5], 0, 1, within=(-math.inf, 1.0)).high > 1.5


def test_axis_may_run_backwards():
    axis = Axis(0.0, 10.0, 200.0, 100.0)
    assert (axis(0), axis(10), axis(5)) == (200.0, 100.0, 150.0)


@given(FLOATS, FLOATS)
def test_labels_tell_ticks_apart(a, b):
    low, high = sorted((a, b))
    assume(high - low > 1e-2 * max(abs(low), abs(high), 1e-3))
    found = ticks(low, high)
    names = tick_labels(found)
    assert len(set(names)) == len(names)


def test_labels_have_no_negative_zero_and_a_true_minus_sign():
    assert tick_labels(ticks(-0.5, 0.5)) == ["−0.4", "−0.2", "0.0", "0.2", "0.4"]
    assert tick_labels(ticks(-3000, 3000, 3)) == ["−2k", "0", "2k"]
    assert minus("1e-5") == "1e-5"
