"""What is known about a column, and the words for scales and tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scale = Literal["nominal", "ordinal", "numeric", "date", "text", "identifier", "constant", "empty"]
TaskName = Literal["classification", "regression"]


@dataclass(frozen=True)
class Histogram:
    """Counts of a column: between edges for numbers and dates, per level for the rest.

    Parameters
    ----------
    counts : tuple of int
        Rows per bar.
    edges : tuple of float
        Ends of the bars, one more than there are bars; days since 1970 for dates. Empty for levels.
    levels : tuple of str
        Names of the bars, the most frequent first; empty for numbers.
    n_rest : int
        Rows with levels that are not among the bars.
    """

    counts: tuple[int, ...]
    edges: tuple[float, ...] = ()
    levels: tuple[str, ...] = ()
    n_rest: int = 0


@dataclass(frozen=True)
class ColumnInfo:
    """One column of the table: its scale, why, and whether it is used."""

    name: str
    scale: Scale
    reason: str
    n_distinct: int
    n_missing: int
    used: bool
    summary: str = ""
    histogram: Histogram | None = None
