"""Pictures of a classifier on the test set: calibration and confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from margin.core.types import Array, Floats
from margin.report import _statistics
from margin.report._axes import Axis
from margin.report._charts import (
    WIDTH,
    columns,
    dots,
    figure,
    frame,
    label,
    line,
    rule,
    shorten,
    whiskers,
)
from margin.report._markup import Markup, tag
from margin.report._words import percent

MOST_CLASSES = 20
FOOT = 290.0
UNIT = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def calibration(truth: Array, probability: Floats, classes: Sequence[Any]) -> tuple[Markup, str]:
    """Reliability diagram and a sentence about it.

    With two classes the probability of the second one is held against its frequency, with more the
    probability of the predicted class against how often it is right.
    """
    labels = np.asarray(classes)
    if len(classes) == 2:
        forecast, happened = probability[:, 1], truth == labels[1]
        what = f"predicted probability of “{shorten(str(classes[1]), 24)}”"
    else:
        top = probability.argmax(axis=1)
        forecast, happened = probability[np.arange(len(top)), top], truth == labels[top]
        what = "probability of the predicted class"
    reliable = _statistics.reliability(forecast, happened)
    words = f"Expected calibration error {reliable.error:.3f}."
    return _reliability(reliable, forecast, what), words


def _reliability(reliable: _statistics.Reliability, forecast: Floats, what: str) -> Markup:
    x = Axis(0.0, 1.0, 46.0, WIDTH - 12.0, UNIT, what)
    y = Axis(0.0, 1.0, FOOT, 40.0, UNIT, "observed frequency")
    tips = [
        f"predicted {p:.2f}, observed {o:.2f}, {n} rows"
        for p, o, n in zip(reliable.predicted, reliable.observed, reliable.count, strict=True)
    ]
    counts, edges = np.histogram(forecast, bins=20, range=(0.0, 1.0))
    rug = Axis(0.0, max(float(counts.max()), 1.0), FOOT, FOOT - 40.0)
    return figure(
        "Calibration: predicted probability against observed frequency",
        columns(x, rug, edges.tolist(), counts.tolist(), "bar faint"),
        frame(x, y),
        rule(x(0), y(0), x(1), y(1), "ideal"),
        whiskers(x, y, reliable.predicted, reliable.low, reliable.high),
        line(x, y, reliable.predicted, reliable.observed),
        dots(x, y, reliable.predicted, reliable.observed, radius=4, tips=tips),
        height=FOOT + 50,
    )


def confusion(truth: Array, guess: Array, classes: Sequence[Any]) -> Markup:
    """Heat map of true against predicted classes; the shade is the share of the true class."""
    counts = _statistics.confusion(truth, guess, classes)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    names = [shorten(str(c), 14) for c in classes]
    left = max(40.0, 14 + 6.6 * max(map(len, names)))
    side = min((WIDTH - left - 12) / len(names), 104.0)
    top = 32.0
    marks = [label(left - 10, top - 12, "true", anchor="end", css="axis")]
    for i, row in enumerate(names):
        middle = top + side * (i + 0.5)
        marks.append(label(left - 10, middle + 4, row, anchor="end", css="name"))
        for j, column in enumerate(names):
            tip = (
                f"true {row}, predicted {column}: {counts[i, j]} ({percent(shares[i, j])} of {row})"
            )
            marks.append(_cell(left + side * j, top + side * i, side, shares[i, j], tip))
            if side >= 22 and (counts[i, j] or len(names) <= 6):
                strong = " strong" if shares[i, j] > 0.55 else ""
                place = left + side * (j + 0.5)
                marks.append(label(place, middle + 5, counts[i, j], css=f"count{strong}"))
    bottom = top + side * len(names)
    flat = max(map(len, names)) * 6.8 <= side - 4
    marks += [
        _column_name(left + side * (j + 0.5), bottom, name, flat) for j, name in enumerate(names)
    ]
    foot = bottom + (38 if flat else 30 + 4.6 * max(map(len, names)))
    marks.append(label(left, foot, "predicted", anchor="start", css="axis"))
    return figure("Confusion matrix on the test set", *marks, height=foot + 8)


def worst_pairs(
    truth: Array, guess: Array, classes: Sequence[Any], most: int = 12
) -> list[tuple[str, str, int]]:
    """The most frequent mistakes as (true, predicted, count), for tables of many classes."""
    counts = _statistics.confusion(truth, guess, classes)
    np.fill_diagonal(counts, 0)
    order = np.argsort(-counts, axis=None, kind="stable")[:most]
    pairs = [divmod(int(k), len(classes)) for k in order if counts.flat[k]]
    return [(str(classes[i]), str(classes[j]), int(counts[i, j])) for i, j in pairs]


def _cell(x: float, y: float, side: float, share: float, tip: str) -> Markup:
    return tag(
        "rect",
        tag("title", tip),
        x=x + 1,
        y=y + 1,
        width=side - 2,
        height=side - 2,
        rx=2,
        class_="cell",
        style=f"fill-opacity:{0.05 + 0.87 * share:.3f}",
    )


def _column_name(x: float, bottom: float, name: str, flat: bool) -> Markup:
    if flat:
        return label(x, bottom + 18, name, css="name")
    turn = f"rotate(-42 {x:.1f} {bottom + 14:.1f})"
    return label(x, bottom + 14, name, anchor="end", css="name", transform=turn)
