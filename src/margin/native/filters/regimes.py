"""Forward–backward over the regimes of a switching model."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


class Walked(NamedTuple):
    """Log-likelihood of each sequence, probabilities given the past and given all, transitions."""

    log_prob: Floats
    after: Floats
    smooth: Floats | None
    pairs: Floats | None


def walk(
    log_density: Floats,
    offsets: NDArray[np.int64],
    start: Floats,
    transition: Floats,
    *,
    smooth: bool,
    n_threads: int,
) -> Walked:
    """Probabilities of the regimes, from the log density of every row under each of them.

    ``transition[i, j]`` is the probability of going from ``i`` to ``j``. A sequence that no path
    can have made has log-likelihood minus infinity and means nothing otherwise.
    """
    rows, k = log_density.shape
    sequences = len(offsets) - 1
    answer = Walked(
        np.zeros(sequences),
        np.zeros((rows, k)),
        np.zeros((rows, k)) if smooth else None,
        np.zeros((sequences, k * k)) if smooth else None,
    )
    _native.regimes(log_density, offsets, start, transition, *answer, n_threads)
    return answer
