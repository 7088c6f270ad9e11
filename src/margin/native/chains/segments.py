"""Chains whose states last for random times."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Ints = NDArray[np.int32]


def segment_sums(
    log_emission: Floats,
    offsets: Indices,
    log_start: Floats,
    log_transition: Floats,
    log_duration: Floats,
    log_survival: Floats,
    n_threads: int,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Posterior, expected counts of transitions and of durations, log likelihoods.

    ``log_duration`` and ``log_survival`` of shape (K, D): d steps, or at least d.
    """
    k, most = log_duration.shape
    posterior, counts = np.empty(log_emission.shape), np.empty((k, k))
    lasted, values = np.empty((k, most)), np.empty(len(offsets) - 1)
    _native.chain_segment_sums(
        log_emission, offsets, log_start, log_transition, log_duration, log_survival,
        posterior, counts, lasted, values, n_threads,
    )  # fmt: skip
    return posterior, counts, lasted, values


def segment_viterbi(
    log_emission: Floats,
    offsets: Indices,
    log_start: Floats,
    log_transition: Floats,
    log_duration: Floats,
    log_survival: Floats,
    n_threads: int,
) -> tuple[Ints, Floats]:
    """The most probable segmentation as a state for every row, and its log probability."""
    path = np.empty(len(log_emission), dtype=np.int32)
    values = np.empty(len(offsets) - 1)
    _native.chain_segment_viterbi(
        log_emission, offsets, log_start, log_transition, log_duration, log_survival,
        path, values, n_threads,
    )  # fmt: skip
    return path, values
