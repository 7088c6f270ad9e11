"""What is known about a column, and the words for scales and tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scale = Literal["nominal", "ordinal", "numeric", "date", "text", "identifier", "constant", "empty"]
TaskName = Literal["classification", "regression"]


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
