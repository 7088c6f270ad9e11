"""Sums over all paths of hidden states, sequence by sequence."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def filtered_states(
    log_emission: Floats, offsets: Indices, start: Floats, transition: Floats, n_threads: int
) -> tuple[Floats, Floats]:
    """Filtered states of every row, and log likelihoods of the sequences.

    Of an impossible sequence the likelihood is minus infinity and states after the fault are zero.
    """
    states = np.empty(log_emission.shape)
    values = np.empty(len(offsets) - 1)
    _native.chain_filter(log_emission, offsets, start, transition, states, values, n_threads)
    return states, values


def log_likelihoods(
    log_emission: Floats, offsets: Indices, start: Floats, transition: Floats, n_threads: int
) -> Floats:
    """Log likelihoods of the sequences alone."""
    values = np.empty(len(offsets) - 1)
    _native.chain_filter(log_emission, offsets, start, transition, None, values, n_threads)
    return values


def forward_backward(
    log_emission: Floats,
    offsets: Indices,
    start: Floats,
    transition: Floats,
    n_threads: int,
    *,
    final: Floats | None = None,
    weight: Floats | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Posterior of every row, expected counts of transitions, log likelihoods.

    ``final`` is the message from behind the last row, ones by default. With ``weight``, one number
    for each sequence, posterior and counts are multiplied by it.
    """
    k = log_emission.shape[1]
    posterior, counts = np.empty(log_emission.shape), np.empty((k, k))
    values = np.empty(len(offsets) - 1)
    _native.chain_forward_backward(
        log_emission, offsets, start, transition, final, weight, posterior, counts, values,
        n_threads,
    )  # fmt: skip
    return posterior, counts, values


MOST_STATES = 8  # of chains that the compiled loops lay side by side


class SymbolSums(NamedTuple):
    """Expected transitions (K, K), symbols shown (m, K), first states and visits (K,).

    The last are the log likelihoods of the sequences.
    """

    pairs: Floats
    shown: Floats
    first: Floats
    visits: Floats
    log_likelihood: Floats


def symbol_sums(
    codes: Floats,
    offsets: Indices,
    start: Floats,
    transition: Floats,
    table: Floats,
    n_threads: int,
    *,
    weight: Floats | None = None,
) -> SymbolSums:
    """Expected counts of sequences of symbols 0, 1, …, NaN unobserved, of at most eight states.

    ``table`` has a row for each symbol and a column for each state. No table of posteriors is ever
    written: eight sequences go side by side, and only their counts stay.
    """
    m, k = table.shape
    sums = SymbolSums(
        np.empty((k, k)), np.empty((m, k)), np.empty(k), np.empty(k), np.empty(len(offsets) - 1)
    )
    _native.chain_symbol_sums(codes, offsets, start, transition, table, weight, *sums, n_threads)
    return sums


def log_forward_backward(
    log_emission: Floats,
    offsets: Indices,
    log_start: Floats,
    log_transition: Floats,
    n_threads: int,
    *,
    pairs: bool = False,
) -> tuple[Floats, Floats, Floats, Floats | None]:
    """The same in logarithms; ``log_transition`` of shape (1, K, K), or a matrix for every row.

    The matrix of a row leads to the next row. The last answer are the pairwise marginals of each
    row and the next, where asked for; those of the last row of a sequence mean nothing.
    """
    k = log_emission.shape[1]
    posterior, counts = np.empty(log_emission.shape), np.empty((k, k))
    values = np.empty(len(offsets) - 1)
    joint = np.zeros((len(log_emission), k, k)) if pairs else None
    _native.chain_log_forward_backward(
        log_emission, offsets, log_start, log_transition, posterior, counts, joint, values,
        n_threads,
    )  # fmt: skip
    return posterior, counts, values, joint
