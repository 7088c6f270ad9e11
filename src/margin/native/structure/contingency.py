"""Contingency tables of categorical columns, and the tests of conditional independence on them.

Columns are the *rows* of ``codes``, of type uint16; column ``j`` has ``cards[j]`` states, and the
code ``cards[j]`` itself means that the value is unknown.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Codes = NDArray[np.uint16]
Integers = NDArray[np.int64]
UNLIMITED = 2**62
Floats = NDArray[np.float64]

STATISTICS = {"g": 0, "chi-squared": 1}
POOLS = {"sum": 0, "max": 1, "bonferroni": 2}


def chi_squared_tail(x: float, dof: float) -> float:
    """Probability that a chi-squared variable exceeds ``x``; one without degrees of freedom."""
    return float(_native.chi_squared_tail(x, dof))


def contingency_counts(
    codes: Codes, cards: Integers, weight: Floats | None, columns: Sequence[int]
) -> Floats:
    """Weight of the rows in every cell of the chosen columns, of shape ``cards[columns]``.

    Rows with an unknown value among these columns are left out.
    """
    shape = tuple(int(cards[j]) for j in columns)
    out = np.empty(int(np.prod(shape, dtype=object)) if shape else 1)
    _native.contingency_counts(codes, cards, weight, list(columns), out)
    return out.reshape(shape)


def categorical_test(
    codes: Codes,
    cards: Integers,
    weight: Floats | None,
    i: int,
    j: int,
    given: Sequence[int],
    statistic: str,
    pool: str,
    min_count: float,
) -> tuple[float, float, float, bool]:
    """Statistic, degrees of freedom, p-value, and whether there were enough rows per cell."""
    # Only the columns of this test are looked at, and checked, below.
    used = [i, j, *given]
    result: tuple[float, float, float, bool] = _native.categorical_test(
        np.ascontiguousarray(codes[used]),
        np.ascontiguousarray(cards[used]),
        weight,
        0,
        1,
        list(range(2, len(used))),
        STATISTICS[statistic],
        POOLS[pool],
        min_count,
    )
    return result


def categorical_skeleton(
    codes: Codes,
    cards: Integers,
    weight: Floats | None,
    alpha: float,
    statistic: str,
    pool: str,
    min_count: float,
    max_level: int,
    start: NDArray[np.uint8],
    required: NDArray[np.uint8],
    n_threads: int,
    max_tests: int = UNLIMITED,
    candidates: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.uint8], Floats, dict[str, Any]]:
    """Adjacency, largest p-value per pair, and the record of an order-independent skeleton search.

    Conditioning sets come from the neighbours of the time or, where given, from the rows of
    ``candidates``, less those within the neighbours at the start. The record holds the
    ``separators`` and ``p_values`` of the removed pairs (i, j), the numbers of ``tests`` and of
    ``skipped`` tests per size of the conditioning set, and whether ``max_tests`` has ``cut`` the
    search.
    """
    p = len(codes)
    adjacency, largest = np.empty((p, p), dtype=np.uint8), np.empty((p, p))
    record: dict[str, Any] = _native.categorical_skeleton(
        codes,
        cards,
        weight,
        alpha,
        STATISTICS[statistic],
        POOLS[pool],
        min_count,
        max_level,
        start,
        required,
        candidates,
        adjacency,
        largest,
        n_threads,
        max_tests,
    )
    return adjacency, largest, record
