"""From frames to what the search engines work on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Bytes
from margin.graphical._domain import shorten
from margin.search import Categories, Knowledge, Moments, continuous_columns, floating_columns

MODELS = ("auto", "categorical", "gaussian")


def read(owner: str, frame: Any, model: str, sample_weight: Any = None) -> Categories | Moments:
    """Columns of a frame as categories or as Gaussian moments.

    ``"auto"``: Gaussian for floating-point columns of which some hold numbers that are not whole,
    categories where there are no such numbers; the two together are refused.

    Examples
    --------
    >>> read("HillClimb", [["a", 1], ["b", 2]], "auto").states
    (('a', 'b'), (1, 2))
    >>> type(read("HillClimb", [[0.5, 1.0], [2.0, 2.5]], "auto")).__name__
    'Moments'
    """
    if model == "auto":
        model = _kind(owner, frame)
    if model == "gaussian":
        return Moments.of(owner, frame, sample_weight=sample_weight)
    return Categories.of(owner, frame, sample_weight=sample_weight)


def categories(owner: str, frame: Any, sample_weight: Any = None) -> Categories:
    """Columns of a frame as categories; refuses measurements."""
    refuse_numbers(owner, continuous_columns(frame))
    return Categories.of(owner, frame, sample_weight=sample_weight)


def refuse_numbers(owner: str, columns: Iterable[Any]) -> None:
    """Refuse columns of numbers that are not whole: every value would be a state of its own."""
    numbers = list(columns)
    if numbers:
        requirement = "categories (bin numbers, or give them as strings)"
        raise check.fail(owner, "X", requirement, f"numbers in {shorten(numbers)}")


def _kind(owner: str, frame: Any) -> str:
    numbers = continuous_columns(frame)
    if not numbers:
        return "categorical"
    floats, names = floating_columns(frame)
    others = [name for name in names if name not in floats]
    if others:
        requirement = "all categories or all numbers (PC takes both)"
        shown = f"numbers in {shorten(numbers)}, categories in {shorten(others)}"
        raise check.fail(owner, "X", requirement, shown)
    return "gaussian"


def starting_graph(
    owner: str, start: Any, names: tuple[Any, ...], known: Knowledge, max_parents: int | None
) -> Bytes | None:
    """Adjacency of a graph, or of a list of arcs, to start from; ``None`` for an empty start."""
    if start is None:
        return None
    arcs = getattr(start, "edges", start)
    first = Knowledge.of(owner, names, required=arcs).required
    if (first & known.forbidden).any():
        i, j = np.argwhere(first & known.forbidden)[0]
        raise check.fail(owner, "start", "without forbidden arcs", (names[i], names[j]))
    most = int(first.sum(axis=0).max(initial=0))
    if max_parents is not None and most > max_parents:
        requirement = f"a graph of at most {max_parents} parents per node"
        raise check.fail(owner, "start", requirement, most)
    return first
