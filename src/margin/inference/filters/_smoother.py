"""Smoother: what is known of every state from all data."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Sequences, check, threads
from margin.core.types import Floats
from margin.inference.filters._kalman import rows_of
from margin.inference.filters._linear_system import LinearSystem
from margin.native.filters import kalman


class SmoothedStates(NamedTuple):
    r"""Moments of every state given all data.

    Parameters
    ----------
    log_prob : ndarray of shape (n_sequences,)
    mean : ndarray of shape (rows, n)
        Together the most probable path (sequence.37).
    cov : ndarray of shape (rows, n, n)
    cross : ndarray of shape (rows, n, n) or None
        :math:`\mathrm{Cov}(x_t, x_{t-1} \mid y)`, zero for the first of a sequence.
    """

    log_prob: Floats
    mean: Floats
    cov: Floats
    cross: Floats | None


class NoiseSlopes(NamedTuple):
    """Log-likelihood of all sequences together, and derivatives by the noise.

    Parameters
    ----------
    log_prob : float
    by_state_noise : ndarray of shape (n, n)
        By every entry of ``Q``, as if they were free.
    by_output_noise : ndarray of shape (m,)
        By the diagonal of ``R``.
    """

    log_prob: float
    by_state_noise: Floats
    by_output_noise: Floats


def kalman_smoother(
    system: LinearSystem,
    Y: ArrayLike | Sequences,
    *,
    cross: bool = False,
    n_jobs: int | None = None,
) -> SmoothedStates:
    r"""Mean and covariance of every state given all data (sequence.35).

    The answer is that of Rauch, Tung and Striebel,
    :math:`\hat x_t = \hat x_{t|t} + J_t (\hat x_{t+1} - \hat x_{t+1|t})`, in the form of Bryson and
    Frazier, which inverts nothing and so takes singular covariances as they come:

    .. math:: \hat x_t = \hat x_{t|t-1} + P_t r_t, \quad V_t = P_t - P_t N_t P_t, \quad
              \mathrm{Cov}(x_t, x_{t-1}) = (I - P_t N_t) A F_{t-1}

    Parameters
    ----------
    system : LinearSystem
    Y : array-like of shape (T,) or (T, m), or Sequences
        NaN means unobserved.
    cross : bool
        Whether covariances of neighbours are wanted; not with a diffuse start.
    n_jobs : int, optional
        Threads, shared among sequences.

    Notes
    -----
    :math:`O(T (n^3 + m n^2))` time, less where covariances settle; :math:`O(T n^2)` memory.

    Examples
    --------
    >>> import numpy as np
    >>> walk = LinearSystem([[1.0]], [[1.0]], [[1.0]], [[1.0]], diffuse=[[1.0]])
    >>> kalman_smoother(walk, [1.0, np.nan, 3.0]).mean.ravel().round(6)
    array([1.5, 2. , 2.5])
    """
    table, offsets = rows_of(system, Y)
    if cross and system.diffuse is not None:
        raise check.fail("kalman_smoother", "cross", "False with a diffuse start", cross)
    count = threads.count(n_jobs)
    smoothed = kalman.run_smoother(
        table, offsets, system.arrays(), cov=True, cross=cross, n_threads=count
    )
    assert smoothed.mean is not None
    assert smoothed.cov is not None
    return SmoothedStates(smoothed.log_prob, smoothed.mean, smoothed.cov, smoothed.cross)


def noise_slopes(
    system: LinearSystem, Y: ArrayLike | Sequences, *, n_jobs: int | None = None
) -> NoiseSlopes:
    r"""Derivatives of the log-likelihood by the covariances of the noise, in one pass.

    .. math:: \frac{\partial \log p}{\partial Q} = \tfrac12 \sum_t (r_t r_t^\top - N_t), \qquad
              \frac{\partial \log p}{\partial R_{ii}} = \tfrac12 \sum_t (u_{ti}^2 - D_{ti})

    Parameters
    ----------
    system : LinearSystem
        With diagonal ``R``; a diffuse start is exact too.
    Y : array-like of shape (T,) or (T, m), or Sequences
    n_jobs : int, optional

    References
    ----------
    Koopman and Shephard (1992), Exact score for time series models in state space form.

    Examples
    --------
    >>> import numpy as np
    >>> noise = LinearSystem([[0.0]], [[1.0]], [[1.0]], [[1.0]], cov=[[1.0]])
    >>> slopes = noise_slopes(noise, [2.0, 2.0])  # twice d/dR log N(2; 0, 1 + R)
    >>> float(slopes.by_output_noise[0]), float(slopes.by_state_noise[0, 0])
    (0.5, 0.25)
    """
    table, offsets = rows_of(system, Y)
    R = system.R
    if np.any(R * (1 - np.eye(R.shape[-1]))):
        raise check.fail("noise_slopes", "R", "diagonal", "a matrix with other entries")
    smoothed = kalman.run_smoother(
        table,
        offsets,
        system.arrays(),
        mean=False,
        slopes=True,
        n_threads=threads.count(n_jobs),
    )
    assert smoothed.slopes is not None
    n, total = system.n_states, smoothed.slopes.sum(axis=0)
    return NoiseSlopes(float(smoothed.log_prob.sum()), total[: n * n].reshape(n, n), total[n * n :])
