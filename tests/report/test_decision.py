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
    page = _sections.diagnostics(three)
    assert "threshold trade" not in page
    assert "No curves: test rows of every class and probabilities are needed" in page
    many = (*three.classes, *map(str, range(27)))
    many = dataclasses.replace(three, classes=many)
    assert "No curves: there are 30 classes, more than 12." in _sections.diagnostics(many)
    assert isinstance(curves, DecisionCurves)


@pytest.fixture
def several():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 300)
    p = rng.dirichlet(np.ones(3), 300) + 0.4 * np.eye(3)[y] * (1 - 0.5 * np.arange(3))
    made = (decision_curves(y, p[:, k], p.argmax(axis=1), positive=k) for k in range(3))
    return tuple(made)


def test_several_classes_have_a_curve_each_and_the_lowest_is_marked(classification, several):
    for draw, area in (
        (_decision.all_roc, "roc_auc"),
        (_decision.all_precision_recall, "average_precision"),
    ):
        drawing, words = draw(several)
        assert drawing.count("<polyline") == 3
        assert drawing.count('class="line two"') == 1
        assert drawing.rindex("line two") > drawing.rindex("line one thin")
        areas = {one.positive: getattr(one, area) for one in several}
        lowest = min(areas, key=areas.get)
        listed = words.partition(": ")[2]
        assert listed.startswith(f"{lowest} {areas[lowest]:.3f}, ")
        assert all(f"{name} {value:.3f}" in listed for name, value in areas.items())
    three = dataclasses.replace(classification, class_curves=several, classes=(0, 1, 2))
    three = dataclasses.replace(three, y_test=np.arange(3), y_pred=np.arange(3), y_proba=None)
    page = _sections.diagnostics(three)
    assert "Does it rank well?" in page
    assert "How pure are the first rows?" in page
