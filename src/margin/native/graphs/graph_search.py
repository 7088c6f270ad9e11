"""Elimination orders of undirected graphs whose neighbourhoods are rows of bits."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

RULES = ("min-fill", "min-weight", "min-degree", "weighted-min-fill")


def pack(adjacency: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of a boolean matrix as 64-bit words, the first column in the lowest bit."""
    n = adjacency.shape[0]
    words = max(1, -(-adjacency.shape[1] // 64))
    padded = np.zeros((n, words * 64), dtype=np.uint8)
    padded[:, : adjacency.shape[1]] = adjacency
    packed = np.packbits(padded, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64).reshape(n, words)


def unpack(rows: NDArray[np.uint64], n: int) -> NDArray[np.bool_]:
    """Boolean matrix of ``n`` columns from rows of words."""
    as_bytes = np.ascontiguousarray(rows.astype("<u8")).view(np.uint8)
    return np.unpackbits(as_bytes, axis=1, count=n, bitorder="little").astype(np.bool_)


def greedy_elimination(
    rows: NDArray[np.uint64], log_weight: NDArray[np.float64], rule: str, seed: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.bool_]]:
    """Order of elimination, clique of every step, and which of the cliques are maximal.

    ``rows`` must be symmetric. Seed 0 breaks ties by a second score and then by number; any other
    seed blurs the scores at random, by a factor of up to 1.1, 1.3, 2 or 4 in turn.
    """
    n = rows.shape[0]
    order = np.empty(n, dtype=np.int64)
    cliques = np.empty_like(rows)
    maximal = np.empty(n, dtype=np.uint8)
    _native.greedy_elimination(rows, log_weight, RULES.index(rule), seed, order, cliques, maximal)
    return order, cliques, maximal.astype(np.bool_)


def exact_elimination(
    rows: NDArray[np.uint64], log_weight: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Order of at most 22 nodes whose heaviest clique is as light as can be."""
    order = np.empty(rows.shape[0], dtype=np.int64)
    _native.exact_elimination(rows, log_weight, order)
    return order
