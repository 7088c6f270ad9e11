"""Skeleton of Gaussian variables from their correlation matrix."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native
from margin.native.structure.contingency import UNLIMITED

Floats = NDArray[np.float64]


def gaussian_skeleton(
    correlation: Floats,
    n_rows: float,
    cut: float,
    max_level: int,
    start: NDArray[np.uint8],
    required: NDArray[np.uint8],
    n_threads: int,
    max_tests: int = UNLIMITED,
    candidates: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.uint8], Floats, dict[str, Any]]:
    """Adjacency, largest p-value per pair, and the record of an order-independent skeleton search.

    Conditioning sets come from the neighbours of the time or, where given, from the rows of
    ``candidates``, less those within the neighbours at the start. An edge
    goes where Fisher's z, ``sqrt(n - |S| - 3) |atanh r|``, is at most ``cut``. The record is that
    of :func:`margin.native.structure.contingency.categorical_skeleton`.
    """
    p = len(correlation)
    adjacency, largest = np.empty((p, p), dtype=np.uint8), np.empty((p, p))
    record: dict[str, Any] = _native.gaussian_skeleton(
        correlation,
        n_rows,
        cut,
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
