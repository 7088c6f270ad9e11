import dataclasses

import numpy as np
import pytest

from margin.evaluation import DecisionCurves
from margin.evaluation.winner._curves import decision_curves
from margin.report import _decision, _sections


@pytest.fixture
def curves():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.2
    value = 1 / (1 + np.exp(-(3 * y - 2 + rng.normal(size=300))))
    return decision_curves(y, value, value > 0.3, positive=True, threshold=0.3)


def test_curves_and_the_chosen_point(curves):
    for draw in (_decision.roc, _decision.precision_recall):
        drawing, words = draw(curves)
        assert drawing.count("<polyline") == 1
        assert drawing.count('class="dot two"') == 1
        assert "threshold 0.3" in drawing
        assert words.endswith(".")
    assert f"Area {curves.roc_auc:.3f}" in _decision.roc(curves)[1]
    assert curves.text in _decision.precision_recall(curves)[1]


@pytest.mark.parametrize("across", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("up", [0.0, 1.0])
def test_the_name_of_the_point_stays_inside(curves, across, up):
    corner = dataclasses.replace(curves, chosen=(across, up, up), threshold=None)
    drawing, _ = _decision.roc(corner)
    key = drawing.split('class="key two"')[0].rsplit("<text", 1)[1]
    place = {
        k: float(v) for k, v in (p.replace('"', "").split("=") for p in key.split() if p[0] in "xy")
    }
    assert 46 <= place["x"] <= 448
    assert 30 <= place["y"] <= 300
    assert "answers" in drawing


def test_names_of_classes_are_escaped(curves):
    assert "<b>" not in _decision.roc(dataclasses.replace(curves, positive="<b>"))[0]


def test_panels_of_two_classes_and_of_more(classification, curves):
    page = _sections.diagnostics(dataclasses.replace(classification, curves=curves))
    assert "Does it rank well?" in page
    assert "What does the threshold trade?" in page
    assert "No curves: " in _sections.diagnostics(classification)
    three = dataclasses.replace(classification, classes=("benign", "malignant", "other"))
    three = dataclasses.replace(three, y_proba=None)
    assert "threshold trade" not in _sections.diagnostics(three)
    assert isinstance(curves, DecisionCurves)
