"""The section about the table: what each column is taken for, and how its values are spread."""

from __future__ import annotations

import numpy as np

from margin.evaluation import ColumnInfo, Comparison, Histogram
from margin.report import _words
from margin.report._axes import Axis, minus
from margin.report._charts import columns, figure, rule, shorten
from margin.report._markup import Markup, tag
from margin.report._sections import section

MOST_COLUMNS = 300
WIDTH, HEIGHT = 132.0, 30.0


def data(comparison: Comparison) -> Markup:
    """What each column is taken for, why, how it is spread, and whether it is used."""
    used = sum(column.used for column in comparison.columns)
    words = (
        f"{_words.count(comparison.n_rows)} rows, {len(comparison.columns)} columns, {used} of "
        f"them used to predict {comparison.target}. {_words.count(comparison.n_train)} rows for "
        f"training and choosing, {_words.count(comparison.n_test)} held out for the test score."
    )
    shown = comparison.columns[:MOST_COLUMNS]
    rows = [_column(column, comparison) for column in shown]
    names = ("Column", "Scale", "Why", "Distinct", "Missing", "Spread", "Values")
    head = [
        tag("th", name, class_="num" if name in ("Distinct", "Missing") else None, scope="col")
        for name in names
    ]
    table = tag("table", tag("thead", tag("tr", head)), tag("tbody", rows), class_="columns")
    rest = len(comparison.columns) - len(shown)
    more = tag("p", f"{rest} more columns are not listed.", class_="quiet") if rest else None
    return section("data", "The data", tag("p", words), tag("div", table, class_="scroll"), more)


def _column(column: ColumnInfo, comparison: Comparison) -> Markup:
    target = column.name == comparison.target
    role = "target" if target else "" if column.used else "not used"
    share = column.n_missing / max(comparison.n_rows, 1)
    missing = _words.percent(share, 1) if column.n_missing else "–"
    return tag(
        "tr",
        tag("td", tag("span", column.name), tag("span", role, class_="family") if role else None),
        tag("td", column.scale),
        tag("td", column.reason, class_="quiet"),
        tag("td", _words.count(column.n_distinct), class_="num"),
        tag("td", missing, class_="num", title=f"{column.n_missing} rows"),
        tag("td", spread(column), class_="spread"),
        tag("td", shorten(column.summary, 90), class_="quiet"),
        class_=None if column.used or target else "unused",
    )


def spread(column: ColumnInfo) -> Markup | None:
    """Bars of a column: its density where bars differ in width, its counts of levels otherwise."""
    bars = column.histogram
    if bars is None or not bars.counts:
        return None
    if bars.levels:
        counts = [*bars.counts, *([bars.n_rest] if bars.n_rest else [])]
        names = [*bars.levels, *(["other levels"] if bars.n_rest else [])]
        edges = [float(i) for i in range(len(counts) + 1)]
        heights = [float(n) for n in counts]
        tips = [f"{shorten(a, 40)}: {n} rows" for a, n in zip(names, counts, strict=True)]
    else:
        edges, heights = list(bars.edges), _densities(bars)
        tips = [
            f"{_value(a, column)} to {_value(b, column)}: {n} rows"
            for a, b, n in zip(bars.edges[:-1], bars.edges[1:], bars.counts, strict=True)
        ]
    x = Axis(edges[0], edges[-1], 0.0, WIDTH)
    y = Axis(0.0, max(heights) or 1.0, HEIGHT - 1, 1.0)
    drawn = columns(x, y, edges, heights, "bar soft", tips)
    base = rule(0, HEIGHT - 0.5, WIDTH, HEIGHT - 0.5, "base")
    return figure(f"Spread of {column.name}", drawn, base, width=WIDTH, height=HEIGHT)


def _densities(bars: Histogram) -> list[float]:
    """Heights such that areas are counts, in units of the narrowest bar."""
    widths = np.diff(bars.edges)
    return [float(v) for v in np.asarray(bars.counts) * widths.min() / widths]


def _value(value: float, column: ColumnInfo) -> str:
    if column.scale == "date":
        return str(np.datetime64(int(value), "D"))
    return minus(f"{value:.4g}")
