"""Marks of a chart as inline SVG; colours come from the page's CSS variables.

Every mark is a function of axes and values that returns markup; :func:`figure` puts marks into one
drawing that scales with the page and has a title for screen readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from margin.core.types import Floats
from margin.report._axes import Axis
from margin.report._markup import Markup, join, tag

WIDTH, HEIGHT = 460, 300
Values = Sequence[float] | Floats


def figure(title: str, *marks: Any, width: float = WIDTH, height: float = HEIGHT) -> Markup:
    """A drawing of the given size with an accessible title.

    Examples
    --------
    >>> figure("Empty", width=10, height=10)
    '<svg class="chart" viewBox="0 0 10 10" role="img" aria-label="Empty"></svg>'
    """
    return tag(
        "svg",
        *marks,
        class_="chart",
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=title,
    )


def label(
    x: float, y: float, words: Any, *, anchor: str = "middle", css: str = "tick", **more: Any
) -> Markup:
    """Text at a place; ``anchor`` is ``"start"``, ``"middle"`` or ``"end"``."""
    return tag("text", words, x=float(x), y=float(y), class_=css, text_anchor=anchor, **more)


def frame(x: Axis, y: Axis, *, grid: str = "y") -> Markup:
    """Grid lines, tick labels and axis titles; ``grid`` names the axes that get grid lines."""
    left, right = sorted((x.start, x.stop))
    top, bottom = sorted((y.start, y.stop))
    marks = []
    for value, name in zip(x.ticks, x.names(), strict=True):
        if "x" in grid:
            marks.append(rule(x(value), top, x(value), bottom))
        marks.append(label(x(value), bottom + 17, name))
    for value, name in zip(y.ticks, y.names(), strict=True):
        if "y" in grid:
            marks.append(rule(left, y(value), right, y(value)))
        marks.append(label(left - 8, y(value) + 4, name, anchor="end"))
    if "x" not in grid:
        marks.append(rule(left, bottom, right, bottom, "base"))
    if x.label:
        marks.append(label((left + right) / 2, bottom + 37, x.label, css="axis"))
    if y.label:
        marks.append(label(left, top - 12, y.label, anchor="start", css="axis"))
    return join(marks)


def rule(x1: float, y1: float, x2: float, y2: float, css: str = "grid", tip: str = "") -> Markup:
    """A straight line between two places on the page."""
    place = {"x1": float(x1), "y1": float(y1), "x2": float(x2), "y2": float(y2)}
    return tag("line", *_tip(tip), class_=css, **place)


def line(x: Axis, y: Axis, xs: Values, ys: Values, css: str = "line one") -> Markup:
    """A line through points; points that are not finite are left out."""
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in _places(x, y, xs, ys))
    return tag("polyline", points=points, class_=css)


def band(x: Axis, y: Axis, xs: Values, low: Values, high: Values, css: str = "band one") -> Markup:
    """The area between two lines over the same ``xs``."""
    there, back = _places(x, y, xs, high), _places(x, y, xs, low)[::-1]
    if not there:
        return Markup("")
    path = " L".join(f"{px:.1f} {py:.1f}" for px, py in there + back)
    return tag("path", d=f"M{path}Z", class_=css)


def dots(
    x: Axis,
    y: Axis,
    xs: Values,
    ys: Values,
    *,
    radius: float = 3.5,
    css: str = "dot one",
    tips: Sequence[str] = (),
) -> Markup:
    """One circle per point, with a tooltip each where ``tips`` are given."""
    marks = []
    for i, (value, height) in enumerate(zip(xs, ys, strict=True)):
        place = _places(x, y, [value], [height])
        if place:
            px, py = place[0]
            tip = _tip(tips[i]) if tips else ()
            marks.append(tag("circle", *tip, cx=px, cy=py, r=float(radius), class_=css))
    return join(marks)


def whiskers(
    x: Axis, y: Axis, xs: Values, low: Values, high: Values, css: str = "whisker one"
) -> Markup:
    """Vertical intervals, one per value."""
    return join(
        [
            rule(x(v), y(a), x(v), y(b), css)
            for v, a, b in zip(xs, low, high, strict=True)
            if _finite(v, a, b)
        ]
    )


def columns(
    x: Axis, y: Axis, edges: Values, heights: Values, css: str = "bar one", tips: Sequence[str] = ()
) -> Markup:
    """Histogram columns between consecutive ``edges``, standing on the low end of ``y``."""
    marks = []
    for i, height in enumerate(heights):
        left, right = x(edges[i]), x(edges[i + 1])
        top = y(height)
        place = {
            "x": left + 0.75,
            "y": top,
            "width": max(right - left - 1.5, 0.5),
            "height": max(y(y.low) - top, 0.0),
        }
        marks.append(tag("rect", *(_tip(tips[i]) if tips else ()), class_=css, **place))
    return join(marks)


def shorten(words: str, length: int) -> str:
    """``words``, cut in the middle where they are longer than ``length``.

    Examples
    --------
    >>> shorten("a very long column name indeed", 15)
    'a very … indeed'
    """
    words = " ".join(words.split())
    if len(words) <= length:
        return words
    head = (length - 3) // 2
    return f"{words[:head].rstrip()} … {words[head - length + 3 :].lstrip()}"


def _tip(words: str) -> tuple[Markup, ...]:
    return (tag("title", words),) if words else ()


def _places(x: Axis, y: Axis, xs: Values, ys: Values) -> list[tuple[float, float]]:
    return [(x(a), y(b)) for a, b in zip(xs, ys, strict=True) if _finite(a, b)]


def _finite(*values: float) -> bool:
    return all(abs(float(v)) < float("inf") for v in values)
