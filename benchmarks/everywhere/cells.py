"""Times of both sides, cell by cell, each in blocks that take turns."""

import gc
import math
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from benchmarks import load
from benchmarks.everywhere.pairs import Pair, pairs, score, table

SIZES = (100, 1_000, 10_000, 100_000)
SMALLER = {1_000: 300, 10_000: 3_000, 100_000: 30_000}
"""A size for a model whose cost grows so fast that the size itself would take too long."""

LONGEST = 1.5
"""Seconds that the slower side may be expected to take for one fit or one answer."""

BLOCKS = 4
BLOCK_SECONDS = 0.04
PAUSE = 0.03
"""Seconds before each block: threads of a BLAS library spin that long before they sleep."""

ENOUGH = 0.6
"""Seconds after which a cell with two fits of each side is not measured further."""


@dataclass(frozen=True)
class Cell:
    """Best seconds of both sides for one model, one kind of work and one number of rows."""

    model: str
    family: str
    work: str
    rows: int
    column: int
    ours: float
    theirs: float
    our_score: float | None = None
    their_score: float | None = None


def measure(say: Callable[[str], None], sizes: tuple[int, ...] = SIZES) -> dict[str, Any]:
    """Measure every pair; return the JSON object of the table."""
    others = load.Others()
    cells: list[Cell] = []
    chosen = pairs()
    gc.collect()
    gc.freeze()  # what the libraries hold need not be looked through before every block
    for pair in chosen:
        for cell in measure_pair(pair, sizes):
            cells.append(cell)
            ratio = cell.theirs / cell.ours
            say(f"    {cell.model} {cell.work} {cell.rows}: {ratio:.2f} ({1e3 * cell.ours:.3g} ms)")
    return {"others_busy": others.measure(), "cells": [asdict(cell) for cell in cells]}


def measure_pair(pair: Pair, sizes: tuple[int, ...] = SIZES) -> Iterator[Cell]:
    """The cells of one pair from few rows to many, as far as time allows."""
    slower: list[tuple[int, float]] = []
    answers: list[tuple[int, float]] = []
    for column in sizes:
        rows = _affordable(column, slower)
        if rows is None:
            return
        X, y = table(pair.ours, rows)
        fits = alternate(partial(pair.ours.fit, X, y), partial(pair.theirs.fit, X, y))
        slower.append((rows, max(fits)))
        yield Cell(pair.name, pair.family, "fit", rows, column, *fits)
        if pair.answer:
            few = _answerable(rows, answers)
            cell = _answer_cell(pair, X[:few], y[:few], column)
            answers.append((rows, max(cell.ours, cell.theirs) * rows / few))
            yield cell


def _answerable(rows: int, answers: list[tuple[int, float]]) -> int:
    """How many rows to ask for at once: all, or as many as do not take too long."""
    seconds = expected(rows, answers)
    return rows if seconds <= LONGEST else max(1, int(rows * LONGEST / seconds))


def _answer_cell(pair: Pair, X: Any, y: Any, column: int) -> Cell:
    ours, theirs = getattr(pair.ours, pair.answer), getattr(pair.theirs, pair.answer)
    first = _quiet(partial(ours, X)), _quiet(partial(theirs, X))
    times = alternate(partial(ours, X), partial(theirs, X))
    scores = (None, None)
    if pair.answer == "predict":
        scores = score(pair.ours, first[0], y), score(pair.theirs, first[1], y)
    return Cell(pair.name, pair.family, pair.answer, len(X), column, *times, *scores)


def _affordable(column: int, slower: list[tuple[int, float]]) -> int | None:
    """The rows of a column, fewer where its own would take too long, ``None`` where all would."""
    for rows in (column, SMALLER.get(column)):
        if rows is not None and expected(rows, slower) <= LONGEST:
            return rows
    return None


def expected(rows: int, known: list[tuple[int, float]]) -> float:
    """Seconds to be expected from the growth seen so far, which is at least linear.

    From one size alone it is taken for the power 3/2: few rows hide how a model grows.

    >>> round(expected(1000, [(10, 0.1), (100, 1.0)]), 6)
    10.0
    >>> expected(100, [])
    0.0
    """
    if not known:
        return 0.0
    last, seconds = known[-1]
    power = 1.5
    if len(known) > 1:
        before, earlier = known[-2]
        power = max(1.0, math.log(seconds / earlier) / math.log(last / before))
    return seconds * (rows / last) ** power


def alternate(ours: Callable[[], Any], theirs: Callable[[], Any]) -> tuple[float, float]:
    """Best seconds of each side; blocks of calls take turns so that both meet the same weather."""
    best = [math.inf, math.inf]
    began = time.perf_counter()
    for number in range(BLOCKS):
        if number >= 2 and time.perf_counter() - began > ENOUGH:
            break
        for side, work in enumerate((ours, theirs)):
            best[side] = min(best[side], _block(work))
    return round(best[0], 7), round(best[1], 7)


def _block(work: Callable[[], Any]) -> float:
    gc.collect()
    time.sleep(PAUSE)
    gc.disable()
    best = math.inf
    end = time.perf_counter() + BLOCK_SECONDS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            while (began := time.perf_counter()) < end or best == math.inf:
                work()
                best = min(best, time.perf_counter() - began)
    finally:
        gc.enable()
    return best


def _quiet(work: Callable[[], Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return work()
