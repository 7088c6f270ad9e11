"""The table on the page, and what is asked of it."""

import math
from collections.abc import Iterable
from typing import Any

from benchmarks.everywhere.pairs import COLUMNS
from benchmarks.verdict import Requirement

NAME = "no-slower-anywhere"
FIT_MEAN = 4.0
"""Geometric mean of the ratios of fits that is asked."""

DESCRIPTION = """\
Every estimator that scikit-learn has too, with the parameters both come with: {columns} columns,
two classes or a number, from a hundred rows to a hundred thousand; models whose cost grows faster
stop earlier, some at a size between, and some answer fewer rows than they learnt (named in the
cell). A cell says how many times as fast as
scikit-learn margin is, and margin's own time. Geometric mean of the fits: {fits}; of the answers:
{answers}. Cells below 1: {below} of {cells}."""


def ratio(cell: dict[str, Any]) -> float:
    """How many times as fast as scikit-learn we are in a cell."""
    return float(cell["theirs"] / cell["ours"])


def geometric_mean(values: Iterable[float]) -> float:
    """Geometric mean; 1 of nothing.

    >>> geometric_mean([1.0, 4.0])
    2.0
    """
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else 1.0


def requirements(stored: dict[str, Any]) -> list[Requirement]:
    """No cell below one, and the mean of the fits."""
    cells = stored["cells"]
    if not cells:
        return []
    worst = min(cells, key=ratio)
    where = f"{worst['model']}.{worst['work']} at {_count(worst['rows'])}"
    mean = geometric_mean(ratio(cell) for cell in cells if cell["work"] == "fit")
    return [
        Requirement("no cell below 1 ×", f"{ratio(worst):.2f} × ({where})", ratio(worst) >= 1.0),
        Requirement(
            f"geometric mean of fits at least {FIT_MEAN:g} ×", f"{mean:.2f} ×", mean >= FIT_MEAN
        ),
    ]


def section(stored: dict[str, Any]) -> tuple[str, list[str], list[list[str]]]:
    """Description, head and rows of the table."""
    cells = stored["cells"]
    fits = [ratio(cell) for cell in cells if cell["work"] == "fit"]
    answers = [ratio(cell) for cell in cells if cell["work"] != "fit"]
    text = DESCRIPTION.format(
        columns=COLUMNS,
        fits=f"{geometric_mean(fits):.2f} ×",
        answers=f"{geometric_mean(answers):.2f} ×",
        below=sum(value < 1.0 for value in fits + answers),
        cells=len(cells),
    )
    sizes = sorted({cell["column"] for cell in cells})
    lines: dict[tuple[str, str], dict[int, str]] = {}
    for cell in cells:
        key = (f"{cell['family']}.{cell['model']}", cell["work"])
        lines.setdefault(key, {})[cell["column"]] = _written(cell)
    rows = [
        [model, work, *(line.get(size, "—") for size in sizes)]
        for (model, work), line in lines.items()
    ]
    return text, ["model", "work", *map(_count, sizes)], rows


def _written(cell: dict[str, Any]) -> str:
    value = f"{ratio(cell):.2f} ×"
    value = f"**{value}**" if ratio(cell) < 1.0 else value
    at = "" if cell["rows"] == cell["column"] else f" at {_count(cell['rows'])}"
    return f"{value}{at} ({1000 * cell['ours']:.3g} ms)"


def _count(rows: int) -> str:
    return f"{rows:,}".replace(",", " ")
