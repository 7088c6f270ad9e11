from xml.etree import ElementTree as ET

import numpy as np
import pytest

from margin.report import _regression


def circles(drawing):
    return list(ET.fromstring(drawing).iter("circle"))


def test_residuals_have_one_point_per_row_up_to_the_limit(regression):
    assert len(circles(_regression.residuals(regression.y_test, regression.y_pred))) == 133
    many = np.random.default_rng(0).normal(size=(2, 5000))
    assert len(circles(_regression.residuals(*many))) == _regression.MOST_POINTS


def test_histogram_holds_every_residual(regression):
    root = ET.fromstring(_regression.distribution(regression.y_test - regression.y_pred))
    counts = [int(t.text.split(": ")[1].split()[0]) for t in root.iter("title")]
    assert sum(counts) == 133


def test_coverage_counts_and_marks_the_misses():
    truth = np.arange(20.0)
    interval = np.column_stack([truth - 1, truth + 1])
    interval[3] += 10
    drawing, words = _regression.coverage(truth, truth, interval)
    assert words.startswith("19 of 20 true values lie inside")
    misses = [c for c in circles(drawing) if "miss" in c.attrib["class"]]
    assert len(misses) == 1


@pytest.mark.parametrize("residual", [np.zeros(12), np.array([1.0, 2.0]), np.array([5.0])])
def test_degenerate_residuals_can_be_drawn(residual):
    for drawing in (_regression.distribution(residual), _regression.quantiles(residual)):
        assert "nan" not in drawing
        ET.fromstring(drawing)
    truth = np.full(len(residual), 3.0)
    assert "nan" not in _regression.residuals(truth + residual, truth)
    interval = np.column_stack([truth, truth])
    assert "nan" not in _regression.coverage(truth, truth, interval)[0]
