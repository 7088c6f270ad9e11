"""Which column is the likeliest cause of all others."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def least_dependent(
    columns: Floats,
    correlation: Floats,
    guess: Floats,
    candidate: NDArray[np.uint8],
    n_threads: int,
) -> tuple[int, Floats, int]:
    """Candidate ``i`` of the smallest ``sum_j min(0, ratio[i, j])**2``, ratios, compared pairs.

    ``columns`` has one standardised variable per row; ``ratio[i, j]`` is the log likelihood ratio
    of "i causes j" against "j causes i" by approximate entropies, NaN for the pairs that the
    search did without: a sum that already exceeds the answer need not be finished. ``guess`` says
    which pairs to look at first and does not change the answer.
    """
    ratio = np.empty_like(correlation)
    neighbour, n_pairs = _native.least_dependent(
        columns, correlation, guess, candidate, ratio, n_threads
    )
    return int(neighbour), ratio, int(n_pairs)
