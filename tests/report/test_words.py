import dataclasses
import math

import pytest

from margin.evaluation import Baseline
from margin.report import _words


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.0, "0 µs"), (0.00996, "10 ms"), (0.9996, "1.0 s"), (59.94, "59.9 s"), (3600, "60 min 0 s")],
)
def test_durations_at_the_borders_of_units(seconds, expected):
    assert _words.duration(seconds) == expected
    assert _words.duration(math.nan) == "–"


def test_large_scores_are_not_printed_in_full():
    assert _words.score(-123456789.0) == "−1.23e+08"


def test_headline_of_a_clear_winner(classification):
    expected = "LogisticRegression predicts diagnosis with an accuracy of 0.965"
    assert _words.headline(classification) == expected


def test_headline_when_the_interval_reaches_the_baseline(classification):
    close = dataclasses.replace(classification, baseline=Baseline("MajorityClass", 0.95))
    assert "is not clearly better than the baseline" in _words.headline(close)
    worse = dataclasses.replace(classification, baseline=Baseline("MajorityClass", 0.97))
    assert "is no better than the baseline" in _words.headline(worse)


def test_headline_when_the_baseline_wins(classification):
    same = dataclasses.replace(classification, winner="MajorityClass")
    assert _words.headline(same) == "No model beats the baseline on diagnosis"


def test_headline_when_only_baselines_were_finished(classification):
    few = dataclasses.replace(classification, results=classification.results[3:5])
    assert _words.headline(few) == "Only the baselines were finished on diagnosis"


def test_headline_when_a_baseline_was_taken_for_lack_of_time(classification):
    limits = dataclasses.replace(classification.limits, only_baselines=True)
    late = dataclasses.replace(classification, limits=limits)
    assert _words.headline(late) == "Only the baselines were finished on diagnosis"


def test_undefined_p_value():
    assert _words.p_value(math.nan) == "p –"
