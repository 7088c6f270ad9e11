"""Pictures that every comparison has: learning curve and permutation importance."""

from __future__ import annotations

from collections.abc import Sequence

from margin.evaluation import Importance, LearningCurve
from margin.report import _words
from margin.report._axes import fitted
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

TOP_FEATURES = 15


def learning_curve(curve: LearningCurve, metric: str) -> Markup:
    """Score on training and held-out folds against the number of training rows."""
    series = {
        "training": (curve.train_mean, curve.train_se, "two"),
        "held out": (curve.test_mean, curve.test_se, "one"),
    }
    extremes = [
        m + sign * s
        for mean, se, _ in series.values()
        for sign in (-1, 1)
        for m, s in zip(mean, se, strict=True)
    ]
    ceiling = 1.0 if bounded(metric) else float("inf")
    y = fitted(extremes, HEIGHT - 50, 40, label=metric, within=(-float("inf"), ceiling))
    x = fitted(curve.sizes, 52, WIDTH - 74, label="training rows", count=4, pad=0.03)
    marks = [frame(x, y)]
    ends = _apart([y(mean[-1]) for mean, _, _ in series.values()], 16)
    for (name, (mean, se, colour)), end in zip(series.items(), ends, strict=True):
        low = [max(m - s, y.low) for m, s in zip(mean, se, strict=True)]
        high = [min(m + s, y.high) for m, s in zip(mean, se, strict=True)]
        tips = [
            f"{name}, {n} rows: {m:.3f} ± {s:.3f}"
            for n, m, s in zip(curve.sizes, mean, se, strict=True)
        ]
        marks += [
            band(x, y, curve.sizes, low, high, f"band {colour}"),
            line(x, y, curve.sizes, mean, f"line {colour}"),
            dots(x, y, curve.sizes, mean, css=f"dot {colour}", tips=tips),
            label(x(curve.sizes[-1]) + 10, end + 4, name, anchor="start", css=f"key {colour}"),
        ]
    return figure(f"Learning curve: {metric} against training rows", *marks)


def importance(items: Sequence[Importance], metric: str) -> Markup:
    """Bars of the loss of score when one column is shuffled, largest first."""
    shown = sorted(items, key=lambda item: -item.mean)[:TOP_FEATURES]
    left, right, step, top = 180.0, WIDTH - 62.0, 24.0, 30.0
    reach = [v for item in shown for v in (0.0, item.mean - item.std, item.mean + item.std)]
    x = fitted(reach, left, right, pad=0.02)
    marks: list[Markup] = []
    for i, item in enumerate(shown):
        middle = top + step * i
        start, end = sorted((x(0.0), x(item.mean)))
        tip = tag("title", f"{item.feature}: {item.mean:.4f} ± {item.std:.4f}")
        marks += [
            label(left - 10, middle + 4, shorten(item.feature, 26), anchor="end", css="name"),
            tag(
                "rect",
                tip,
                x=start,
                y=middle - 6.5,
                width=max(end - start, 1.0),
                height=13,
                rx=1.5,
                class_="bar one",
            ),
            rule(x(item.mean - item.std), middle, x(item.mean + item.std), middle, "whisker ink"),
            label(WIDTH - 4, middle + 4, _words.score(item.mean), anchor="end", css="value"),
        ]
    bottom = top + step * len(shown) - 8
    marks.append(rule(x(0.0), top - 14, x(0.0), bottom, "base"))
    marks.append(label(left, 10, f"loss of {metric} when shuffled", anchor="start", css="axis"))
    return figure("Permutation importance of the columns", join(marks), height=bottom + 8)


def bounded(metric: str) -> bool:
    """Whether no score of this metric exceeds 1."""
    words = metric.lower()
    return any(word in words for word in ("accuracy", "r²", "r2", "auc", "f1"))


def _apart(places: Sequence[float], distance: float) -> list[float]:
    """Two label places pushed apart until they are ``distance`` from each other."""
    first, second = places
    gap = distance - abs(first - second)
    if gap <= 0:
        return [first, second]
    direction = 1 if first > second else -1
    return [first + direction * gap / 2, second - direction * gap / 2]
