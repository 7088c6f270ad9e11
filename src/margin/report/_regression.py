"""Pictures of a regression on the test set: residuals, their distribution, interval coverage."""

from __future__ import annotations

import math

import numpy as np

from margin.core.types import Floats
from margin.evaluation import wilson_interval
from margin.report import _statistics
from margin.report._axes import Axis, fitted, minus
from margin.report._charts import (
    HEIGHT,
    WIDTH,
    columns,
    dots,
    figure,
    frame,
    label,
    line,
    rule,
)
from margin.report._markup import Markup, join
from margin.report._words import percent

MOST_POINTS = 900
MOST_INTERVALS = 70
LEVEL = 0.9


def residuals(truth: Floats, guess: Floats) -> Markup:
    """Residual against prediction, with the mean in bins: a good model leaves no pattern."""
    residual = truth - guess
    x = fitted(guess, 58, WIDTH - 12, label="predicted", pad=0.04)
    y = fitted([*residual, 0.0], HEIGHT - 50, 40, label="true − predicted")
    shown = _statistics.thinned(len(guess), MOST_POINTS)
    middle, mean = _statistics.trend(guess, residual)
    return figure(
        "Residuals against predictions",
        frame(x, y),
        rule(x.start, y(0), x.stop, y(0), "ideal"),
        dots(x, y, guess[shown], residual[shown], radius=2.6, css="point one"),
        line(x, y, middle, mean, "line two"),
        label(x.stop, 28, "mean in bins", anchor="end", css="key two"),
    )


def distribution(residual: Floats) -> Markup:
    """Histogram of the residuals with the normal density of the same mean and spread."""
    bins = int(np.clip(math.sqrt(len(residual)) * 1.5, 8, 30))
    counts, edges = np.histogram(residual, bins=bins)
    mean, spread = float(residual.mean()), float(residual.std()) or 1.0
    grid = np.linspace(edges[0], edges[-1], 80)
    density = np.exp(-0.5 * ((grid - mean) / spread) ** 2) / (spread * math.sqrt(2 * math.pi))
    normal = density * len(residual) * (edges[1] - edges[0])
    x = fitted(edges, 46, WIDTH - 12, label="true − predicted", pad=0.02)
    y = fitted(
        [0.0, counts.max(), normal.max()], HEIGHT - 50, 40, label="rows", within=(0, math.inf)
    )
    tips = [
        minus(f"{a:.4g}") + " to " + minus(f"{b:.4g}") + f": {n} rows"
        for a, b, n in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    return figure(
        "Distribution of the residuals",
        frame(x, y),
        columns(x, y, edges.tolist(), counts.tolist(), "bar soft", tips),
        line(x, y, grid, normal, "line two"),
        label(x.stop, 28, "normal", anchor="end", css="key two"),
    )


def quantiles(residual: Floats) -> Markup:
    """Standardised residuals against normal quantiles; normal residuals lie on the line."""
    expected, observed = _statistics.normal_quantiles(residual)
    ends = [float(expected[0]), float(expected[-1])]
    x = fitted(ends, 46, WIDTH - 12, label="normal quantile")
    y = fitted([*ends, observed[0], observed[-1]], HEIGHT - 50, 40, label="residual, standardised")
    kept = _statistics.thinned(len(observed), MOST_POINTS)
    low, high = max(x.low, y.low), min(x.high, y.high)
    return figure(
        "Normal quantile plot of the residuals",
        frame(x, y),
        rule(x(low), y(low), x(high), y(high), "ideal"),
        dots(x, y, expected[kept], observed[kept], radius=2.6, css="point one"),
    )


def coverage(truth: Floats, guess: Floats, interval: Floats) -> tuple[Markup, str]:
    """Prediction intervals in order of the prediction, and how many hold the truth."""
    hits, inside = _statistics.coverage(truth, interval)
    low, high = wilson_interval(hits, len(truth), level=LEVEL)
    order = np.argsort(guess, kind="stable")
    order = order[_statistics.thinned(len(order), MOST_INTERVALS)]
    x = Axis(0.0, len(order) - 1.0 or 1.0, 62.0, WIDTH - 16.0)
    y = fitted([*interval[order].ravel(), *truth[order]], HEIGHT - 26, 40, label="target")
    marks = [frame(x, y)]
    for place, row in enumerate(order):
        css = "" if inside[row] else " miss"
        tip = f"true {truth[row]:.4g}, interval {interval[row, 0]:.4g} to {interval[row, 1]:.4g}"
        ends = (x(place), y(interval[row, 0]), x(place), y(interval[row, 1]))
        marks.append(rule(*ends, f"interval{css}", tip))
        marks.append(dots(x, y, [place], [truth[row]], radius=2.4, css=f"point ink{css}"))
    marks.append(label((x.start + x.stop) / 2, HEIGHT - 6, "rows, by prediction", css="axis"))
    words = (
        f"{hits} of {len(truth)} true values lie inside their {percent(LEVEL)} prediction "
        f"interval: {percent(hits / len(truth))}, with sampling error {percent(low)} to "
        f"{percent(high)}."
    )
    return figure("Prediction intervals and true values", join(marks)), words
