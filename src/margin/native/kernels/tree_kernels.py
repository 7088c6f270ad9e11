"""Sums over the common fragments of pairs of ordered labelled trees."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native
from margin.native.kernels.pairs import Floats, empty_pairs

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


def fragment_sums(
    trees: tuple[Longs, Longs, Ints, Ints],
    n_left: int,
    right_from: int,
    decay: float,
    pairs: int,
    with_slope: bool,
    n_threads: int,
) -> tuple[Floats, Floats | None]:
    """Decayed sums over common fragments, and slopes in the log decay.

    Parameters
    ----------
    trees : offsets of the trees, offsets of the nodes, children, and rule of every node (negative
        for a leaf). Children come before their parents; nodes of one rule have as many children.
    n_left, right_from : the first ``n_left`` trees meet those from ``right_from`` on.
    """
    m = len(trees[0]) - 1 - right_from
    values, slopes = empty_pairs(n_left, m, pairs, with_slope)
    _native.fragment_sums(*trees, n_left, right_from, decay, pairs, values, slopes, n_threads)
    return values, slopes
