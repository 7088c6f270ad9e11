"""The k best assignments, by splitting the space around each one found."""

import heapq
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from margin.core.types import Floats, Ints
from margin.inference.exact._question import Question

Solve = Callable[[Question], tuple[Floats, Ints]]


class _Part(NamedTuple):
    """Assignments that agree with ``fixed`` and avoid the zeros of ``allowed``."""

    cost: float
    tie: int
    best: Ints
    fixed: Ints
    allowed: list[Floats]
    start: int


def k_best(solve: Solve, cards: tuple[int, ...], question: Question, k: int) -> tuple[Floats, Ints]:
    """The ``k`` most probable assignments of every row of evidence (``inference.13``).

    After the best assignment, the rest of the space is split by the first variable that differs:
    part ``i`` agrees with it on the variables before ``i`` and disagrees on ``i``. The best of all
    parts is the next best overall, and its part is split in turn. All parts of a split are one
    batch of evidence rows.
    """
    n_rows, n = question.evidence.shape
    values = np.full((n_rows, k), -np.inf)
    states = np.full((n_rows, k, n), -1, dtype=np.int32)
    for row in range(n_rows):
        masks = [np.ones(c) for c in cards]
        for v, table in question.likelihoods.items():
            masks[v] = table[row]
        ranked = _search(solve, question, question.evidence[row], masks, k)
        for rank, part in enumerate(ranked):
            values[row, rank], states[row, rank] = -part.cost, part.best
    return values, states


def _search(
    solve: Solve, question: Question, evidence: Ints, masks: list[Floats], k: int
) -> list[_Part]:
    free = [v for v in range(len(masks)) if evidence[v] < 0 and len(masks[v]) > 1]
    waiting = _solved(solve, question, [(evidence, masks, 0)], 0)
    ranked: list[_Part] = []
    n_parts = 1
    while waiting:
        part = heapq.heappop(waiting)
        ranked.append(part)
        if len(ranked) == k:
            break
        split = list(_split(part, free))
        for child in _solved(solve, question, split, n_parts):
            heapq.heappush(waiting, child)
        n_parts += len(split)
    return ranked


def _split(part: _Part, free: list[int]) -> list[tuple[Ints, list[Floats], int]]:
    pieces = []
    for at in range(part.start, len(free)):
        v = free[at]
        allowed = list(part.allowed)
        allowed[v] = allowed[v].copy()
        allowed[v][part.best[v]] = 0.0
        if allowed[v].any():
            fixed = part.fixed.copy()
            fixed[free[:at]] = part.best[free[:at]]
            pieces.append((fixed, allowed, at))
    return pieces


def _solved(
    solve: Solve, question: Question, parts: list[tuple[Ints, list[Floats], int]], n_parts: int
) -> list[_Part]:
    if not parts:
        return []
    rows = np.stack([fixed for fixed, _, _ in parts])
    masks = {v: np.stack([allowed[v] for _, allowed, _ in parts]) for v in range(rows.shape[1])}
    values, states = solve(question.replaced(rows, masks))
    return [
        _Part(-float(values[i]), n_parts + i, states[i], fixed, allowed, start)
        for i, (fixed, allowed, start) in enumerate(parts)
        if values[i] > -np.inf
    ]
