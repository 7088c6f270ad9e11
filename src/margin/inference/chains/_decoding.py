"""The most probable hidden states: jointly, one by one, and the runners-up."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats, Ints
from margin.inference.chains._arguments import chain_arguments, integer
from margin.native.chains import paths


def chain_viterbi(
    log_emission: ArrayLike,
    offsets: ArrayLike,
    start: ArrayLike,
    transition: ArrayLike,
    *,
    n_threads: int = 1,
) -> tuple[Ints, Floats]:
    r"""The most probable path of hidden states, by max-sum messages (sequence.13).

    .. math:: \mu_t(j) = \max_i \big[\mu_{t-1}(i) + \log A_{ij}\big] + \log p(v_t \mid h_t = j)

    Forward sweep, then back along the ways that were kept; sums of logarithms, so nothing
    underflows. Of several best ways the one through the lower state is kept.

    Returns
    -------
    path : ndarray of shape (T,)
    log_prob : ndarray of shape (n,)
        Joint log probability of path and observations; minus infinity where none is possible.

    Notes
    -----
    :math:`O(T K^2)` time, two bytes for each step and state.

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> path, value = chain_viterbi(np.log(B[:, [0, 0, 1]].T), [0, 3], [0.6, 0.4], A)
    >>> path, np.exp(value).round(6)
    (array([0, 0, 1], dtype=int32), array([0.081648]))
    """
    table, places, first, matrix = chain_arguments(
        "chain_viterbi", log_emission, offsets, start, transition
    )
    return paths.viterbi(table, places, _log(first), _log(matrix), n_threads)


def chain_k_best(
    log_emission: ArrayLike, start: ArrayLike, transition: ArrayLike, k: int
) -> tuple[Ints, Floats]:
    """The ``k`` most probable paths of one sequence, best first (sequence.13).

    Returns
    -------
    paths : ndarray of shape (m, T), m at most ``k``
        As many as are possible.
    log_prob : ndarray of shape (m,)

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> paths, value = chain_k_best(np.log(B[:, [0, 0, 1]].T), [0.6, 0.4], A, 2)
    >>> paths.tolist(), np.exp(value).round(6)
    ([[0, 0, 1], [0, 0, 0]], array([0.081648, 0.023814]))
    """
    owner, length = "chain_k_best", len(np.asarray(log_emission))
    table, _, first, matrix = chain_arguments(owner, log_emission, [0, length], start, transition)
    k = integer(owner, "k", k, 1)
    if not len(table):
        return np.zeros((1, 0), dtype=np.int32), np.zeros(1)
    best_paths, values = paths.k_best(table, _log(first), _log(matrix), k)
    possible = values > -np.inf
    return best_paths[possible], values[possible]


def chain_decode(posterior: ArrayLike) -> Ints:
    """The most probable state at each step by itself, which need not be a possible path.

    Examples
    --------
    >>> chain_decode([[0.2, 0.8], [0.6, 0.4]])
    array([1, 0], dtype=int32)
    """
    table = np.asarray(posterior, dtype=np.float64)
    if table.ndim != 2 or np.isnan(table).any():
        told = f"shape {table.shape}" if table.ndim != 2 else "NaN"
        raise check.fail("chain_decode", "posterior", "probabilities of shape (T, K)", told)
    return np.asarray(table.argmax(axis=1), dtype=np.int32)


def _log(p: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p))
