"""Colour refinement and shortest paths of many graphs in one numbering of their nodes."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


def refine_colours(
    indptr: Longs,
    heads: Ints,
    kinds: NDArray[np.uint8] | None,
    labels: Ints,
    n_labels: int,
    depth: int,
    n_threads: int,
) -> tuple[Ints, Longs]:
    """Colours of Weisfeiler and Lehman, of shape ``(rounds, nodes)``, and their numbers.

    The first row are the labels. Rounds end after ``depth``, or before the first that would split
    nothing. Neighbours over arcs of different ``kinds`` are told apart.
    """
    colours = np.empty((depth + 1, len(labels)), dtype=np.int32)
    colours[0] = labels
    sizes = np.empty(depth + 1, dtype=np.int64)
    sizes[0] = n_labels
    last = _native.refine_colours(indptr, heads, kinds, colours, sizes, n_threads)
    return colours[: last + 1], sizes[: last + 1]


def path_counts(
    offsets: Longs, indptr: Longs, heads: Ints, labels: Ints, n_labels: int, n_threads: int
) -> tuple[NDArray[np.uint64], Longs, Longs]:
    """Shortest paths between distinct nodes of every graph, in both directions.

    Returns the distinct kinds of path of each graph as ``(first * n_labels + last) * longest +
    steps``, where ``longest`` is the number of nodes of the largest graph, how often each occurs,
    and where each graph starts.
    """
    keys, counts, starts = _native.path_counts(offsets, indptr, heads, labels, n_labels, n_threads)
    return keys, counts, starts
