from xml.etree import ElementTree as ET

import numpy as np
import pytest

from margin.report import _classification


def test_binary_calibration_is_about_the_second_class(classification):
    c = classification
    drawing, words = _classification.calibration(c.y_test, c.y_proba, c.classes)
    text = "".join(ET.fromstring(drawing).itertext())
    assert "predicted probability of “malignant”" in text
    assert words.startswith("Expected calibration error 0.0")


def test_calibration_of_many_classes_is_about_the_predicted_one():
    truth = np.array([0, 1, 2] * 20)
    sure = np.eye(3)[truth]
    drawing, words = _classification.calibration(truth, sure, (0, 1, 2))
    assert "probability of the predicted class" in drawing
    assert words.startswith("Expected calibration error 0.000")


def test_confusion_cells_hold_the_counts(classification):
    c = classification
    root = ET.fromstring(_classification.confusion(c.y_test, c.y_pred, c.classes))
    counts = [int(t.text) for t in root.iter("text") if t.attrib["class"].startswith("count")]
    assert sum(counts) == len(c.y_test)
    assert counts[0] == int(((c.y_test == "benign") & (c.y_pred == "benign")).sum())


@pytest.mark.parametrize("n", [3, 10, 20])
def test_confusion_of_more_classes_stays_inside_the_drawing(n):
    labels = [f"a long class name {i}" for i in range(n)]
    truth = np.array(labels * 3)
    root = ET.fromstring(_classification.confusion(truth, truth, labels))
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    for cell in root.iter("rect"):
        assert float(cell.attrib["x"]) + float(cell.attrib["width"]) <= width
        assert float(cell.attrib["y"]) + float(cell.attrib["height"]) <= height


def test_worst_pairs_are_the_frequent_mistakes():
    truth = np.array(["a", "a", "a", "b", "c"])
    guess = np.array(["b", "b", "a", "c", "c"])
    found = _classification.worst_pairs(truth, guess, ("a", "b", "c"))
    assert found == [("a", "b", 2), ("b", "c", 1)]
