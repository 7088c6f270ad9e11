"""What the winner's answers depend on: effects of columns, and single rows taken apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from margin.evaluation import Comparison, Effect
from margin.inspection import Explanation
from margin.report import _words
from margin.report._axes import fitted, minus
from margin.report._charts import (
    HEIGHT,
    WIDTH,
    band,
    dots,
    figure,
    frame,
    label,
    line,
    rule,
    shorten,
)
from margin.report._markup import Markup, join, tag
from margin.report._sections import picture, section, why_missing

MOST_REASONS = 6
Told = Callable[[float], str]
STEP, TOP, LEFT = 24.0, 34.0, 180.0


def depends(comparison: Comparison) -> Markup:
    """The section; what was not looked at is named with the reason."""
    told = _answer(comparison)
    drawn = [
        picture(one.feature, effect(one, told), _effect_words(one, told))
        for one in comparison.effects
    ]
    parts: list[Markup] = []
    if drawn:
        words = (
            "The answer with one column set to each of its values and all others as they are: the "
            "mean over test rows, and where eight of ten of them lie. An effect in the model, not "
            "a cause in the world."
        )
        parts += [tag("p", words, class_="quiet"), tag("div", drawn, class_="figures")]
    else:
        why = why_missing(comparison, "effects")
        parts.append(tag("p", f"No effects of columns: {why}.", class_="missing"))
    shown = comparison.explanation
    if shown is not None and len(shown.values):
        parts += [
            tag("h3", "Single rows", class_="apart"),
            tag("p", _row_words(comparison, shown), class_="quiet"),
            tag("div", _rows(comparison, shown), class_="figures"),
        ]
    else:
        why = why_missing(comparison, "explanation")
        parts.append(tag("p", f"No single rows taken apart: {why}.", class_="missing"))
    return section("effects", "What the answer depends on", *parts)


def effect(one: Effect, told: Told = _words.number) -> Markup:
    """Mean answer and its spread along a column: a line for numbers, a row per level otherwise.

    ``told`` says an answer in words.
    """
    return _along(one, told) if one.numeric else _by_level(one, told)


def _answer(comparison: Comparison) -> Told:
    """How an answer is said: classes are answered by a probability."""
    classes = comparison.task == "classification"
    return _words.probability if classes else _words.number


def _along(one: Effect, told: Told) -> Markup:
    at = [float(value) for value in one.values]
    x = fitted(at, 58, WIDTH - 12, label=shorten(one.feature, 40), pad=0.02)
    y = fitted([*one.low, *one.high], HEIGHT - 50, 40, label=shorten(one.outcome, 46))
    tips = [f"{_words.number(a)}: {told(m)}" for a, m in zip(at, one.mean, strict=True)]
    return figure(
        f"Effect of {one.feature}",
        frame(x, y),
        band(x, y, at, one.low, one.high),
        line(x, y, at, one.mean),
        dots(x, y, at, one.mean, radius=2.8, tips=tips),
    )


def _by_level(one: Effect, told: Told) -> Markup:
    x = fitted([*one.low, *one.high], LEFT, WIDTH - 62.0, pad=0.04)
    marks: list[Markup] = [label(LEFT, 12, shorten(one.outcome, 46), anchor="start", css="axis")]
    for i, value in enumerate(one.values):
        middle = TOP + STEP * i
        marks += [
            label(LEFT - 10, middle + 4, shorten(_shown(value), 26), anchor="end", css="name"),
            rule(x(one.low[i]), middle, x(one.high[i]), middle, "span one"),
            tag("circle", cx=x(one.mean[i]), cy=middle, r=4, class_="dot one"),
            label(WIDTH - 4, middle + 4, told(float(one.mean[i])), anchor="end", css="value"),
        ]
    bottom = TOP + STEP * len(one.values) - 8
    return figure(f"Effect of {one.feature}", join(marks), height=bottom + 6)


def _effect_words(one: Effect, told: Told) -> str:
    low, high = int(np.argmin(one.mean)), int(np.argmax(one.mean))
    ends = [shorten(_shown(one.values[i]), 30) for i in (low, high)]
    return (
        f"From {told(float(one.mean[low]))} at {ends[0]} to {told(float(one.mean[high]))} at "
        f"{ends[1]}: a swing of {told(float(one.swing))}."
    )


def _row_words(comparison: Comparison, shown: Explanation) -> str:
    of = f" ({comparison.effects[0].outcome})" if comparison.effects else ""
    return (
        f"Test rows from low to high answers{of}. Without knowing anything the answer is "
        f"{_answer(comparison)(float(shown.base[0]))}; each column moves it by its Shapley "
        "value, and together they give the answer of the row."
    )


def _rows(comparison: Comparison, shown: Explanation) -> list[Markup]:
    reach = float(np.abs(shown.values[:, :, 0]).max()) or 1.0
    pictures = []
    for i, answer in enumerate(shown.prediction[:, 0]):
        place = comparison.explained_rows[i] if i < len(comparison.explained_rows) else i
        truth = comparison.y_test[place] if place < len(comparison.y_test) else None
        title = f"Test row {_words.count(place + 1)}: {_answer(comparison)(float(answer))}"
        words = "" if truth is None else f"The truth is {_shown(truth)}."
        pictures.append(picture(title, _reasons(shown, i, reach), words))
    return pictures


def _reasons(shown: Explanation, row: int, reach: float) -> Markup:
    """Bars of the columns that move the answer of a row most."""
    values = shown.values[row, :, 0]
    order = np.argsort(-np.abs(values), kind="stable")[:MOST_REASONS]
    x = fitted([-reach, reach], 220.0, WIDTH - 62.0, pad=0.02)
    marks: list[Markup] = []
    for i, j in enumerate(order):
        middle = 16 + STEP * i
        start, end = sorted((x(0.0), x(values[j])))
        name = f"{shorten(shown.feature_names[j], 20)} = {shorten(_shown(shown.data[row, j]), 14)}"
        colour = "one" if values[j] >= 0 else "two"
        marks += [
            label(210, middle + 4, name, anchor="end", css="name"),
            tag("rect", x=start, y=middle - 6.5, width=max(end - start, 1.0), height=13, rx=1.5,
                class_=f"bar {colour}"),
            label(WIDTH - 4, middle + 4, _signed(values[j], reach), anchor="end", css="value"),
        ]  # fmt: skip
    bottom = 16 + STEP * len(order) - 8
    marks.append(rule(x(0.0), 4, x(0.0), bottom, "base"))
    return figure(f"Reasons for row {row + 1}", join(marks), height=bottom + 6)


def _signed(value: float, reach: float) -> str:
    """A change with as many decimals as the largest one has in three digits."""
    decimals = int(np.clip(2 - np.floor(np.log10(reach)), 0, 6))
    return minus(f"{float(value):+.{decimals}f}")


def _shown(value: object) -> str:
    if isinstance(value, float):
        return "not known" if np.isnan(value) else _words.number(value)
    return str(value).removesuffix(" 00:00:00")
