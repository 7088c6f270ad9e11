"""The headline figure and the table of models, each row with its interval drawn in line."""

from __future__ import annotations

import math

from margin.evaluation import Comparison, ModelResult
from margin.report import _words
from margin.report._axes import Axis, fitted
from margin.report._charts import WIDTH, dots, figure, label, rule, shorten
from margin.report._figures import bounded
from margin.report._markup import Markup, join, tag

STRIP = 190.0
GOOD = {"converged", "ok", "closed form", "exact", "done"}
BAD = {"failed", "error", "timeout", "timed out"}


def verdict_chart(comparison: Comparison) -> Markup:
    """Test score of the winner with its interval, beside the score of the baseline."""
    low, high = comparison.test_interval
    values = [low, high, comparison.test_score, comparison.baseline.score]
    ceiling = 1.0 if bounded(comparison.metric) else math.inf
    x = fitted(values, 10, WIDTH - 10, count=4, pad=0.08, within=(-math.inf, ceiling))
    middle = 40.0
    marks = [rule(x.start, 64, x.stop, 64, "base")]
    for value, name in zip(x.ticks, x.names(), strict=True):
        marks += [rule(x(value), 64, x(value), 68, "base"), label(x(value), 82, name)]
    base, best = x(comparison.baseline.score), x(comparison.test_score)
    marks += [
        rule(base, middle, best, middle, "reach"),
        rule(x(low), middle, x(high), middle, "span one"),
        rule(base, middle - 9, base, middle + 9, "mark two"),
        tag("circle", cx=best, cy=middle, r=5.5, class_="dot one"),
    ]
    winner = shorten(comparison.winner, 28)
    if abs(base - best) > 45 + 3.5 * len(winner):
        marks.append(label(base, 20, "baseline", anchor=_side(base), css="key two"))
    marks.append(label(best, 20, winner, anchor=_side(best), css="key one"))
    title = f"Test {comparison.metric} of the winner and of the baseline"
    return figure(title, *marks, height=88)


def _side(place: float) -> str:
    """Anchor that keeps a label near ``place`` inside the drawing."""
    return "start" if place < 0.2 * WIDTH else "end" if place > 0.8 * WIDTH else "middle"


def table(comparison: Comparison) -> Markup:
    """All models, best first, with score, interval, difference to the best, times and status."""
    rows = comparison.results
    axis = _axis(rows, comparison.metric)
    head = tag(
        "tr",
        tag("th", "Model", scope="col"),
        tag("th", comparison.metric, class_="num", scope="col"),
        tag("th", _ruler(axis), class_="strip", scope="col", aria_label="score with interval"),
        tag("th", "Behind the best", class_="num", scope="col"),
        tag("th", "Fit", class_="num", scope="col"),
        tag("th", "Predict", class_="num", scope="col"),
        tag("th", "Status", scope="col"),
    )
    body = [_row(result, comparison, axis) for result in rows]
    return tag(
        "div",
        tag("table", tag("thead", head), tag("tbody", body), class_="board"),
        class_="scroll",
    )


def _row(result: ModelResult, comparison: Comparison, axis: Axis) -> Markup:
    name = [tag("strong" if result.model == comparison.winner else "span", result.model)]
    kind = "baseline" if result.is_baseline else result.family
    name.append(tag("span", kind, class_="family"))
    best = comparison.results[0].model == result.model
    return tag(
        "tr",
        tag("td", name, _parameters(result), class_="model"),
        tag("td", _score(result), class_="num"),
        tag("td", _interval(result, axis), class_="strip"),
        tag("td", "best" if best else _difference(result), class_="num"),
        tag("td", _words.duration(result.fit_seconds), class_="num quiet"),
        tag("td", _words.duration(result.predict_seconds), class_="num quiet"),
        tag("td", _status(result)),
        class_="winner" if result.model == comparison.winner else None,
    )


def _score(result: ModelResult) -> Markup:
    if not math.isfinite(result.score):
        return join("–")
    if not math.isfinite(result.score_se):
        return join(_words.score(result.score))
    error = tag("span", f"± {_words.score(result.score_se)}", class_="quiet")
    return join(_words.score(result.score), " ", error)


def _difference(result: ModelResult) -> Markup:
    if not math.isfinite(result.difference):
        return join("–")
    if len(result.scores) < 2 or not math.isfinite(result.p_value):
        return join(_words.score(result.difference))
    p = _words.p_value(result.p_value)
    return join(_words.score(result.difference), tag("span", p, class_="below"))


def _parameters(result: ModelResult) -> Markup | None:
    if not result.params and not result.note:
        return None
    chosen = ", ".join(f"{name} = {_value(v)}" for name, v in result.params.items())
    return tag("span", "; ".join(part for part in (chosen, result.note) if part), class_="below")


def _value(value: object) -> str:
    return _words.number(value) if isinstance(value, float) else str(value)


def _status(result: ModelResult) -> Markup:
    words = result.status.replace("_", " ")
    kind = "good" if words in GOOD else "bad" if words in BAD else "fair"
    return tag("span", words, class_=f"status {kind}", title=result.note or None)


def _axis(rows: tuple[ModelResult, ...], metric: str) -> Axis:
    """An axis on which the better half can be told apart; far worse models hit its left end."""
    scored = [r for r in rows if math.isfinite(r.score)]
    best = max((r.score for r in scored), default=1.0)
    floor = min((r.score for r in scored if r.is_baseline), default=-math.inf)
    shown = [r for r in scored if r.score >= floor - 0.15 * abs(best - floor)]
    # the whole bar of every model whose score is on the axis
    ends = [r.score + sign * 2 * _error(r) for r in shown for sign in (-1, 1)] or [0.0, 1.0]
    ceiling = 1.0 if bounded(metric) else math.inf
    return fitted(ends, 6, STRIP - 6, count=3, pad=0.04, within=(-math.inf, ceiling))


def _error(result: ModelResult) -> float:
    return result.score_se if math.isfinite(result.score_se) else 0.0


def _ruler(axis: Axis) -> Markup:
    marks = [
        join(rule(axis(v), 14, axis(v), 18, "base"), label(axis(v), 10, name))
        for v, name in zip(axis.ticks, axis.names(), strict=True)
    ]
    marks.append(rule(axis.start, 18, axis.stop, 18, "base"))
    return figure("scale", *marks, width=STRIP, height=19)


def _interval(result: ModelResult, axis: Axis) -> Markup | None:
    if not math.isfinite(result.score):
        return None
    line = Axis(0, 1, 0, 22)
    reach = 2 * _error(result)
    low, high = result.score - reach, result.score + reach
    colour = "two" if result.is_baseline else "one"
    grid = [rule(axis(v), 0, axis(v), 22) for v in axis.ticks]
    title = f"{result.model}: {result.score:.4f} ± {_error(result):.4f}"
    if result.score < axis.low:
        return figure(
            title, *grid, label(axis.start, 15, "‹", css=f"key {colour}"), width=STRIP, height=22
        )
    marks = [
        rule(axis(low), 11, axis(high), 11, f"span {colour}") if high > low else None,
        dots(axis, line, [result.score], [0.5], radius=4, css=f"dot {colour}", tips=[title]),
    ]
    return figure(title, *grid, *marks, width=STRIP, height=22)
