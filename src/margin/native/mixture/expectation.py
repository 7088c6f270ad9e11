"""The E step of mixtures of normal vectors."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


class ShiftedMoments(NamedTuple):
    r"""Sums over rows of shares and of deviations from given centres, for every member.

    Parameters
    ----------
    bound : float
        Weighted sum of the log-likelihoods of the rows.
    total : ndarray of shape (k,)
        :math:`\sum_i r_{ik}`.
    first : ndarray of shape (k, p)
        :math:`\sum_i r_{ik} (x_i - c_k)`.
    second : ndarray of shape (k, p, p)
        :math:`\sum_i r_{ik} (x_i - c_k)(x_i - c_k)^\top`.
    """

    bound: float
    total: Floats
    first: Floats
    second: Floats


def expected_moments(
    X: NDArray[Any],
    weight: Floats | None,
    means: Floats,
    roots: Floats,
    constants: Floats,
    *,
    beta: float = 1.0,
    n_threads: int = 1,
) -> ShiftedMoments:
    r"""Shares of the rows in the members, and statistics weighted by them, in one pass.

    The log joint density of row ``i`` and member ``k`` is
    :math:`c_k - \tfrac12 |R_k (x_i - m_k)|^2`; shares are in proportion to its exponential to the
    power ``beta``.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Finite rows in single or double precision, of any strides.
    weight : ndarray of shape (n,) or None
    means : ndarray of shape (k, p)
    roots : ndarray of shape (k, p, p)
        Lower triangles :math:`R_k`.
    constants : ndarray of shape (k,)
        :math:`c_k`; ``-inf`` for a member without weight.
    beta : float
        Infinity gives all of a row to its best member.
    n_threads : int
        The answer does not depend on it.

    Notes
    -----
    :math:`n k p^2` multiplications; no table of n × k numbers.
    """
    sums = _empty(means)
    bound = _native.mixture_expectation(
        X, weight, means, roots, constants, beta, False, None, *sums, n_threads
    )
    return ShiftedMoments(bound, *sums)


def shared_moments(
    X: NDArray[Any], weight: Floats | None, share: Floats, centres: Floats, *, n_threads: int = 1
) -> ShiftedMoments:
    """The same statistics for shares that are given, of shape (n, k)."""
    sums = _empty(centres)
    k, p = centres.shape
    _native.mixture_expectation(
        X,
        weight,
        centres,
        np.zeros((k, p, p)),
        np.zeros(k),
        1.0,
        True,
        np.ascontiguousarray(share, dtype=np.float64),
        *sums,
        n_threads,
    )
    return ShiftedMoments(0.0, *sums)


def log_joint(
    X: NDArray[Any], means: Floats, roots: Floats, constants: Floats, *, n_threads: int = 1
) -> Floats:
    """Log joint density of every row and member, of shape (n, k)."""
    table = np.empty((len(X), len(means)))
    _native.mixture_expectation(
        X, None, means, roots, constants, 1.0, False, table, None, None, None, n_threads
    )
    return table


def _empty(means: Floats) -> tuple[Floats, Floats, Floats]:
    k, p = means.shape
    return np.zeros(k), np.zeros((k, p)), np.zeros((k, p, p))
