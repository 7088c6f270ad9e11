"""What a comparison looks like in a terminal of 80 columns."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from margin.evaluation import ColumnInfo, Comparison, ModelResult

MOST_ROWS = 30
# columns of the terminal for the status of a model, and between two columns of a table
STATUS, GAP = 10, 2
STYLES = {"converged": "green", "ok": "green", "failed": "red"}


def console(*, quiet: bool = False, stderr: bool = False) -> Console:
    """A console that keeps to plain text when it does not write to a terminal."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else 80
    return Console(file=stream, quiet=quiet, width=width, highlight=False, soft_wrap=False)


def table(*columns: tuple[str, dict[str, Any]]) -> Table:
    """An empty table in the house style: a rule under the head, no boxes."""
    rows = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, header_style="dim")
    for name, options in columns:
        rows.add_column(name, **options)
    return rows


def columns(described: Sequence[ColumnInfo], target: str) -> Table:
    """What every column is taken for, and why; the first of many."""
    rows = table(
        ("Column", {"overflow": "fold", "max_width": 34}),
        ("Scale", {"no_wrap": True}),
        ("Missing", {"justify": "right", "no_wrap": True}),
        ("Why", {"overflow": "fold", "style": "dim"}),
    )
    groups = runs(sorted(described, key=lambda c: c.name != target), target)
    for group in groups[:MOST_ROWS]:
        first = group[0]
        style = "bold" if first.name == target else "" if first.used else "dim strike"
        scale = "target" if first.name == target else first.scale
        missing = str(first.n_missing) if first.n_missing else "–"
        name, why = Text(first.name, style), first.reason
        if len(group) > 1:
            name = Text.assemble((first.name, style), " … ", (group[-1].name, style))
            why = f"{len(group)} columns: {why}"
        rows.add_row(name, scale, missing, escape(why))
    rest = sum(map(len, groups[MOST_ROWS:]))
    if rest:
        rows.add_row(Text(f"… {rest} more", "dim"), "", "", "")
    return rows


def runs(described: Sequence[ColumnInfo], target: str) -> list[list[ColumnInfo]]:
    """Neighbouring columns of which the same is to be said, where there are more than three."""
    groups: list[list[ColumnInfo]] = []
    for _, same in groupby(described, lambda c: (c.name == target, c.scale, c.reason, c.n_missing)):
        group = list(same)
        groups += [group] if len(group) > 3 else [[column] for column in group]
    return groups


def leaderboard(comparison: Comparison, width: int = 80) -> Table:
    """Models, best first: score, distance to the best, times, status; ``width`` columns wide."""
    best = comparison.results[0].model
    rows = [
        (
            _score(result),
            "best" if result.model == best else _behind(result),
            seconds(result.fit_seconds),
            seconds(result.predict_seconds),
        )
        for result in comparison.results
    ]
    heads = (comparison.metric, "behind best", "fit", "predict")
    # the names get what the figures leave, and the words of the status may wrap
    taken = sum(max(map(len, column)) + GAP for column in zip(heads, *rows, strict=True))
    room = max(width - taken - STATUS - GAP, 16)
    board = table(
        ("Model", {"no_wrap": True}),
        *((head, {"justify": "right", "no_wrap": True}) for head in heads),
        ("status", {"overflow": "fold"}),
    )
    for result, figures in zip(comparison.results, rows, strict=True):
        winner = result.model == comparison.winner
        style = "bold" if winner else "dim" if result.is_baseline else ""
        words = result.status.replace("_", " ")
        status = Text(words, STYLES.get(words, "yellow"))
        board.add_row(Text(folded(result.model, room), style), *figures, status)
    return board


def folded(name: str, width: int) -> str:
    r"""A name on lines of at most ``width`` characters, broken before a capital or a space.

    Examples
    --------
    >>> folded("QuadraticDiscriminantAnalysis", 24)
    'QuadraticDiscriminant\n  Analysis'
    """
    lines = [""]
    for part in re.findall(r"\s?[A-Z]?[^A-Z\s]*", name):
        if lines[-1].strip() and len(lines[-1]) + len(part) > width:
            lines.append("  ")
            part = part.lstrip()
        lines[-1] += part
    return "\n".join(lines)


def not_run(skipped: Sequence[tuple[str, str]]) -> list[str]:
    """Models that were not run, a line per reason.

    Examples
    --------
    >>> not_run([("SVC", "no time left"), ("NuSVC", "needs y"), ("Ridge", "no time left")])
    ['not run, no time left: SVC, Ridge', 'not run, needs y: NuSVC']
    """
    reasons = dict.fromkeys(why for _, why in skipped)
    return [
        f"not run, {reason}: {', '.join(name for name, why in skipped if why == reason)}"
        for reason in reasons
    ]


def number(value: float) -> str:
    """A score with three decimals; a dash when there is none.

    Examples
    --------
    >>> number(0.97812), number(-0.0001), number(float("nan"))
    ('0.978', '0.000', '–')
    """
    if not math.isfinite(value):
        return "–"
    if abs(value) < 0.0005:
        return "0.000"
    return f"{value:.3f}" if abs(value) < 1e5 else f"{value:.3g}"


def seconds(value: float) -> str:
    """Seconds in at most seven characters.

    Examples
    --------
    >>> seconds(0.0004), seconds(0.25), seconds(12.34), seconds(600)
    ('0.4 ms', '250 ms', '12.3 s', '10.0 m')
    """
    if not math.isfinite(value):
        return "–"
    if value < 0.00995:
        return f"{value * 1e3:.1f} ms"
    if value < 0.9995:
        return f"{value * 1e3:.0f} ms"
    return f"{value:.1f} s" if value < 99.95 else f"{value / 60:.1f} m"


def _score(result: ModelResult) -> str:
    if not math.isfinite(result.score_se):
        return number(result.score)
    return f"{number(result.score)} ±{number(result.score_se).removeprefix('0')}"


def _behind(result: ModelResult) -> str:
    if not math.isfinite(result.difference):
        return "–"
    if not math.isfinite(result.p_value):
        return number(result.difference)
    return f"{number(result.difference)} {chance(result.p_value)}"


def chance(p: float) -> str:
    """A p-value in six characters, with as many digits as it deserves.

    Examples
    --------
    >>> chance(0.0002), chance(0.0012), chance(0.034), chance(0.4), chance(1.0)
    ('p<.001', 'p=.001', 'p=.03', 'p=.40', 'p=1.00')
    """
    if p < 0.001:
        return "p<.001"
    digits = 3 if p < 0.0095 else 2
    return f"p={p:.{digits}f}".replace("=0.", "=.")
