"""Kalman filter and smoother over many sequences."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Offsets = NDArray[np.int64]


class Arrays(NamedTuple):
    """A linear Gaussian system; matrices have a first axis of 1, or of a row of the data each."""

    A: Floats
    Q: Floats
    C: Floats
    R: Floats
    b: Floats
    d: Floats
    mean: Floats
    cov: Floats
    diffuse: Floats | None
    n_diffuse: int


class Filtered(NamedTuple):
    """Log-likelihood of each sequence; moments before and after the numbers of each row."""

    log_prob: Floats
    before_mean: Floats | None
    before_cov: Floats | None
    after_mean: Floats | None
    after_cov: Floats | None


class Smoothed(NamedTuple):
    """Log-likelihood of each sequence; moments given all numbers; sums and slopes of each."""

    log_prob: Floats
    mean: Floats | None
    cov: Floats | None
    cross: Floats | None
    sums: Floats | None
    slopes: Floats | None


def run_filter(
    Y: Floats, offsets: Offsets, system: Arrays, *, moments: bool, n_threads: int
) -> Filtered:
    """Log-likelihoods, and with ``moments`` what is known before and after every row."""
    n, rows = len(system.mean), len(Y)
    answer = Filtered(
        np.zeros(len(offsets) - 1),
        np.empty((rows, n)) if moments else None,
        np.empty((rows, n, n)) if moments else None,
        np.empty((rows, n)) if moments else None,
        np.empty((rows, n, n)) if moments else None,
    )
    _native.kalman_filter(Y, offsets, *system, *answer, n_threads)
    return answer


def run_smoother(
    Y: Floats,
    offsets: Offsets,
    system: Arrays,
    *,
    n_threads: int,
    mean: bool = True,
    cov: bool = False,
    cross: bool = False,
    sums: bool = False,
    slopes: bool = False,
) -> Smoothed:
    """Moments given all numbers, those that are asked for.

    ``cross`` are covariances of each state with the one before, zero for the first; ``sums`` has
    for each sequence four matrices: the sum of the covariances, that of ``cross``, the covariance
    of the first and of the last state. ``slopes`` are derivatives of the log-likelihood by Q and,
    where R is diagonal, by its diagonal.
    """
    n, m, rows, sequences = len(system.mean), Y.shape[1], len(Y), len(offsets) - 1
    log_prob = np.zeros(sequences)
    answer = Smoothed(
        log_prob,
        np.empty((rows, n)) if mean else None,
        np.empty((rows, n, n)) if cov else None,
        np.zeros((rows, n, n)) if cross else None,
        np.zeros((sequences, 4 * n * n)) if sums else None,
        np.zeros((sequences, n * n + m)) if slopes else None,
    )
    _native.kalman_smooth(Y, offsets, *system, *answer, n_threads)
    return answer
