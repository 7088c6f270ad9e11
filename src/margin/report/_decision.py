"""Pictures of a decision between two classes: what a threshold finds, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from margin.evaluation import DecisionCurves
from margin.report._axes import Axis
from margin.report._charts import WIDTH, dots, figure, frame, label, line, rule, shorten
from margin.report._markup import Markup
from margin.report._words import score

FOOT = 290.0
UNIT = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def roc(curves: DecisionCurves) -> tuple[Markup, str]:
    """ROC curve with the point of the answers given, and a sentence about its area."""
    x = Axis(0.0, 1.0, 46.0, WIDTH - 12.0, UNIT, "share of the others that raise an alarm")
    y = Axis(0.0, 1.0, FOOT, 40.0, UNIT, f"share of “{_name(curves)}” that is found")
    false_alarms, recall, _ = curves.chosen
    drawing = figure(
        "ROC curve on the test rows",
        frame(x, y),
        rule(x(0), y(0), x(1), y(1), "ideal"),
        line(x, y, curves.false_positive_rate, curves.true_positive_rate),
        _chosen(x, y, false_alarms, recall, curves),
        height=FOOT + 50,
    )
    words = (
        f"Area {curves.roc_auc:.3f}: the chance that a row of this class ranks above one of the "
        "other. The dotted line is guessing."
    )
    return drawing, words


def precision_recall(curves: DecisionCurves) -> tuple[Markup, str]:
    """Precision against recall with the point of the answers given, and what they mean."""
    x = Axis(0.0, 1.0, 46.0, WIDTH - 12.0, UNIT, f"recall: share of “{_name(curves)}” found")
    y = Axis(0.0, 1.0, FOOT, 40.0, UNIT, "precision: share of alarms that are right")
    _, recall, right = curves.chosen
    drawing = figure(
        "Precision and recall on the test rows",
        frame(x, y),
        rule(x(0), y(curves.share), x(1), y(curves.share), "ideal"),
        line(x, y, curves.recall, curves.precision),
        _chosen(x, y, recall, right, curves),
        height=FOOT + 50,
    )
    words = (
        f"{curves.text} Average precision {curves.average_precision:.3f}; guessing has "
        f"{curves.share:.3f}, the dotted line."
    )
    return drawing, words


def all_roc(several: Sequence[DecisionCurves]) -> tuple[Markup, str]:
    """ROC curves of every class against the rest, the lowest marked, and their areas."""
    x = Axis(0.0, 1.0, 46.0, WIDTH - 12.0, UNIT, "share of the others that rank as high")
    y = Axis(0.0, 1.0, FOOT, 40.0, UNIT, "share of a class that is found")
    drawing = figure(
        "ROC curves of the classes on the test rows",
        frame(x, y),
        rule(x(0), y(0), x(1), y(1), "ideal"),
        [
            line(x, y, one.false_positive_rate, one.true_positive_rate, css)
            for one, css in _marked(several, [one.roc_auc for one in several])
        ],
        height=FOOT + 50,
    )
    areas = _listed(several, [one.roc_auc for one in several])
    words = "Each class against the rest, by its probability; the lowest is marked. Area: "
    return drawing, f"{words}{areas}. The dotted line is guessing."


def all_precision_recall(several: Sequence[DecisionCurves]) -> tuple[Markup, str]:
    """Precision against recall of every class against the rest, the lowest marked."""
    x = Axis(0.0, 1.0, 46.0, WIDTH - 12.0, UNIT, "recall: share of a class found")
    y = Axis(0.0, 1.0, FOOT, 40.0, UNIT, "precision: share of what is found that is right")
    drawing = figure(
        "Precision and recall of the classes on the test rows",
        frame(x, y),
        [
            line(x, y, one.recall, one.precision, css)
            for one, css in _marked(several, [one.average_precision for one in several])
        ],
        height=FOOT + 50,
    )
    averages = _listed(several, [one.average_precision for one in several])
    return drawing, f"Average precision, each class against the rest: {averages}."


def _marked(
    several: Sequence[DecisionCurves], areas: Sequence[float]
) -> list[tuple[DecisionCurves, str]]:
    """Curves with their looks, the one with the smallest area last, so that it lies on top."""
    lowest = several[int(np.argmin(areas))]
    plain = [(one, "line one thin") for one in several if one is not lowest]
    return [*plain, (lowest, "line two")]


def _listed(several: Sequence[DecisionCurves], areas: Sequence[float]) -> str:
    """The classes from the smallest area on, each with its own."""
    order = np.argsort(areas, kind="stable")
    return ", ".join(f"{_name(several[i])} {score(areas[i])}" for i in order)


def _chosen(x: Axis, y: Axis, across: float, up: float, curves: DecisionCurves) -> list[Markup]:
    """The point of the answers given, with the threshold that gave them."""
    name = "answers" if curves.threshold is None else f"threshold {curves.threshold:.2g}"
    # the name stands inside the drawing, away from the nearer edge
    left = across > 0.7
    place = x(across) + (-11 if left else 11)
    height = y(up) + (18 if up > 0.5 else -10)
    return [
        dots(x, y, [across], [up], radius=5.5, css="dot two", tips=[curves.text]),
        label(place, height, name, anchor="end" if left else "start", css="key two"),
    ]


def _name(curves: DecisionCurves) -> str:
    return shorten(str(curves.positive), 20)
