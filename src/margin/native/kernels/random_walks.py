"""Sums over the common walks of pairs of labelled graphs."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native
from margin.native.kernels.pairs import Floats, empty_pairs

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


def walk_sums(
    graphs: tuple[Longs, Longs, Ints, Ints],
    radii: Floats,
    symmetric: NDArray[np.uint8],
    n_left: int,
    right_from: int,
    decay: float,
    n_steps: int,
    pairs: int,
    with_slope: bool,
    n_threads: int,
) -> tuple[Floats, Floats | None]:
    """Decayed sums over common walks, and slopes in the log decay.

    Parameters
    ----------
    graphs : offsets of the graphs, offsets of the nodes, heads of the arcs, labels of the nodes.
    radii : spectral radius of every graph, read only when all lengths are summed.
    symmetric : whether every arc of the graph goes both ways.
    n_left, right_from : the first ``n_left`` graphs meet those from ``right_from`` on.
    n_steps : longest walk; negative for all lengths.
    """
    m = len(graphs[0]) - 1 - right_from
    values, slopes = empty_pairs(n_left, m, pairs, with_slope)
    _native.walk_sums(
        *graphs, radii, symmetric, n_left, right_from, decay, n_steps, pairs, values, slopes,
        n_threads,
    )  # fmt: skip
    return values, slopes
