"""Paths of hidden states: the best ones, and paths at random."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Ints = NDArray[np.int32]


def viterbi(
    log_emission: Floats,
    offsets: Indices,
    log_start: Floats,
    log_transition: Floats,
    n_threads: int,
) -> tuple[Ints, Floats]:
    """The most probable state of every row, jointly, and the log probability of each path."""
    path = np.empty(len(log_emission), dtype=np.int32)
    values = np.empty(len(offsets) - 1)
    _native.chain_viterbi(log_emission, offsets, log_start, log_transition, path, values, n_threads)
    return path, values


def k_best(
    log_emission: Floats, log_start: Floats, log_transition: Floats, k: int
) -> tuple[Ints, Floats]:
    """The ``k`` most probable paths of one sequence; -1 where there are no more."""
    paths = np.empty((k, len(log_emission)), dtype=np.int32)
    values = np.empty(k)
    _native.chain_k_best(log_emission, log_start, log_transition, paths, values)
    return paths, values


def corrected(filtered: Floats, offsets: Indices, transition: Floats) -> Floats:
    """Smoothed states out of filtered ones, by reversing the dynamics."""
    smoothed = np.empty_like(filtered)
    _native.chain_correct(filtered, offsets, transition, smoothed)
    return smoothed


def sampled(
    filtered: Floats, offsets: Indices, transition: Floats, levels: Floats, n_threads: int
) -> Ints:
    """A path through all rows for every row of ``levels``, uniform numbers."""
    paths = np.empty(levels.shape, dtype=np.int32)
    _native.chain_sample_backward(filtered, offsets, transition, levels, paths, n_threads)
    return paths


def walks(start: Floats, transition: Floats, offsets: Indices, levels: Floats) -> Ints:
    """Walks of a chain, one uniform number for every step."""
    path = np.empty(len(levels), dtype=np.int32)
    _native.chain_walk(start, transition, offsets, levels, path)
    return path
