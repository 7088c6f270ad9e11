"""Kalman filter: what is known of the state from the data so far."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Sequences, check, threads
from margin.core.types import Floats, Indices
from margin.inference.filters._linear_system import LinearSystem
from margin.native.filters import kalman


class KalmanFiltered(NamedTuple):
    r"""Moments of the state before and after every row, and the likelihood (sequence.33).

    Parameters
    ----------
    log_prob : ndarray of shape (n_sequences,)
        :math:`\log p(y_{0:T})` of each sequence (sequence.36).
    predicted_mean, predicted_cov : ndarray of shape (rows, n) and (rows, n, n)
        Given the rows before; zero variance beside what is without bound.
    mean, cov : ndarray of shape (rows, n) and (rows, n, n)
        Given the row as well.
    """

    log_prob: Floats
    predicted_mean: Floats
    predicted_cov: Floats
    mean: Floats
    cov: Floats


def rows_of(system: LinearSystem, Y: ArrayLike | Sequences) -> tuple[Floats, Indices]:
    """Data as one table and offsets, held against the system; one array is one sequence."""
    if isinstance(Y, Sequences):
        table, offsets = np.asarray(Y.buffer, dtype=np.float64), Y.offsets.astype(np.int64)
    else:
        table = np.asarray(Y, dtype=np.float64)
        offsets = np.array([0, len(table)], dtype=np.int64)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or table.shape[1] != system.n_outputs:
        need = f"of {system.n_outputs} numbers per row"
        raise check.fail("kalman_filter", "Y", need, f"shape {table.shape}")
    if np.isinf(table).any():
        raise check.fail("kalman_filter", "Y", "finite, or NaN where unobserved", "infinity")
    for name in ("A", "C", "Q", "R", "b", "d"):
        value, constant = getattr(system, name), 1 if name in "bd" else 2
        if value.ndim > constant and len(value) != len(table):
            need = f"given for {len(table)} rows, or once"
            raise check.fail("LinearSystem", name, need, f"for {len(value)}")
    return np.ascontiguousarray(table), offsets


def kalman_log_likelihood(
    system: LinearSystem, Y: ArrayLike | Sequences, *, n_jobs: int | None = None
) -> Floats:
    r"""Log-likelihood of every sequence (sequence.36).

    .. math:: \log p(y) = -\tfrac12 \sum_t \big[ v_t^\top S_t^{-1} v_t + \log\det 2\pi S_t \big],
              \qquad v_t = y_t - C \hat x_{t|t-1} - d,\quad S_t = C P_{t|t-1} C^\top + R

    With a diffuse start it is the limit of :math:`\log p(y) + \tfrac q2 \log\kappa`, the convention
    of Durbin and Koopman. Minus infinity where the data contradict what is certain.

    Parameters
    ----------
    system : LinearSystem
    Y : array-like of shape (T,) or (T, m), or Sequences
        NaN means unobserved, and is marginalised exactly.
    n_jobs : int, optional
        Threads, shared among sequences.

    Notes
    -----
    :math:`O(T (n^3 + m n^2))`; once covariances have settled and while nothing is missing,
    :math:`O(n^2 + n m)` a step, with the same result up to rounding. A scan over time in parallel
    costs several times the work and does not pay on the few cores of a processor.

    Examples
    --------
    >>> import numpy as np
    >>> walk = LinearSystem([[1.0]], [[1.0]], [[1.0]], [[1.0]], cov=[[1.0]])
    >>> float(kalman_log_likelihood(walk, [0.0, np.nan])[0].round(6))  # N(0; 0, 2)
    -1.265512
    """
    table, offsets = rows_of(system, Y)
    count = threads.count(n_jobs)
    return kalman.run_filter(
        table, offsets, system.arrays(), moments=False, n_threads=count
    ).log_prob


def kalman_filter(
    system: LinearSystem, Y: ArrayLike | Sequences, *, n_jobs: int | None = None
) -> KalmanFiltered:
    r"""Mean and covariance of the state given the rows so far (sequence.33).

    .. math:: P = A F A^\top + Q, \quad K = P C^\top (C P C^\top + R)^{-1}, \quad
              \hat x = A \hat x + b + K v, \quad F = (I - K C) P

    The numbers of a row are taken in one by one, so that no matrix is inverted and singular noise
    is no special case. Covariances do not depend on the data (sequence.37).

    Parameters
    ----------
    system : LinearSystem
    Y : array-like of shape (T,) or (T, m), or Sequences
        NaN means unobserved.
    n_jobs : int, optional
        Threads, shared among sequences.

    Examples
    --------
    >>> import numpy as np
    >>> walk = LinearSystem([[1.0]], [[1.0]], [[1.0]], [[1.0]], cov=[[1.0]])
    >>> known = kalman_filter(walk, np.zeros(60))
    >>> float(known.cov[-1, 0, 0].round(10))  # the golden ratio less one
    0.6180339887
    """
    table, offsets = rows_of(system, Y)
    count = threads.count(n_jobs)
    filtered = kalman.run_filter(table, offsets, system.arrays(), moments=True, n_threads=count)
    assert filtered.before_mean is not None
    assert filtered.before_cov is not None
    assert filtered.after_mean is not None
    assert filtered.after_cov is not None
    return KalmanFiltered(
        filtered.log_prob,
        filtered.before_mean,
        filtered.before_cov,
        filtered.after_mean,
        filtered.after_cov,
    )
