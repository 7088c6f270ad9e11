"""The future of a linear system: laws of what will be seen, and draws of whole paths."""

from typing import NamedTuple

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.inference.filters._linear_system import LinearSystem


class Forecast(NamedTuple):
    """Moments of the next rows.

    Parameters
    ----------
    mean, cov : ndarray of shape (h, m) and (h, m, m)
        Of what will be seen.
    state_mean, state_cov : ndarray of shape (h, n) and (h, n, n)
    """

    mean: Floats
    cov: Floats
    state_mean: Floats
    state_cov: Floats


def forecast(system: LinearSystem, mean: Floats, cov: Floats, h: int) -> Forecast:
    r"""Laws of the next ``h`` rows from a state known as :math:`N(m, F)`.

    .. math:: m_k = A m_{k-1} + b, \quad P_k = A P_{k-1} A^\top + Q, \quad
              y_k \sim N(C m_k + d, C P_k C^\top + R)

    Parameters
    ----------
    system : LinearSystem
        Where parameters change with time, their rows are those of the future.
    mean, cov : ndarray of shape (n,) and (n, n)
        Of the last state, after its row.
    h : int
        How many rows.

    Examples
    --------
    >>> import numpy as np
    >>> walk = LinearSystem([[1.0]], [[1.0]], [[1.0]], [[0.5]])
    >>> forecast(walk, np.array([2.0]), np.array([[0.5]]), 3).cov.ravel()
    array([2., 3., 4.])
    """
    if h < 1:
        raise check.fail("forecast", "h", "an integer of at least 1", h)
    n, m = system.n_states, system.n_outputs
    seen = Forecast(np.empty((h, m)), np.empty((h, m, m)), np.empty((h, n)), np.empty((h, n, n)))
    for t in range(h):
        at = system if system.constant else system.at(t)
        mean, cov = at.A @ mean + at.b, at.A @ cov @ at.A.T + at.Q
        cov = (cov + cov.T) / 2
        seen.state_mean[t], seen.state_cov[t] = mean, cov
        seen.mean[t], seen.cov[t] = at.C @ mean + at.d, at.C @ cov @ at.C.T + at.R
    return seen


def forecast_paths(
    A: Floats, b: Floats, Q: Floats, mean: Floats, cov: Floats
) -> tuple[Floats, Floats]:
    """Moments of the next states along many paths of parameters at once.

    Parameters
    ----------
    A, b, Q : ndarray of shape (paths, h, n, n), (paths, h, n) and (paths, h, n, n)
        Of every step of every path.
    mean, cov : ndarray of shape (n,) and (n, n)
        Of the last state.

    Returns
    -------
    ndarray of shape (paths, h, n) and (paths, h, n, n)

    Examples
    --------
    >>> import numpy as np
    >>> A, one = np.array([1.0, 2.0]).reshape(2, 1, 1, 1), np.ones((2, 1, 1, 1))
    >>> forecast_paths(A, one[..., 0], one, np.ones(1), np.zeros((1, 1)))[0].ravel()
    array([2., 3.])
    """
    means, covs = np.empty(b.shape), np.empty(A.shape)
    x = np.broadcast_to(mean, (len(A), len(mean)))
    P = np.broadcast_to(cov, (len(A), *cov.shape))
    for t in range(b.shape[1]):
        x = np.einsum("pij,pj->pi", A[:, t], x) + b[:, t]
        P = A[:, t] @ P @ np.swapaxes(A[:, t], 1, 2) + Q[:, t]
        means[:, t], covs[:, t] = x, P
    return means, covs


def simulate(
    system: LinearSystem, T: int, rng: np.random.Generator, *, mean: Floats | None = None
) -> tuple[Floats, Floats]:
    """States and rows of one sequence drawn from the system.

    Parameters
    ----------
    system : LinearSystem
        Its diffuse part, which has no law, stays at zero.
    T : int
    rng : numpy.random.Generator
    mean : ndarray of shape (n,), optional
        A first state that is known, in place of a drawn one.

    Examples
    --------
    >>> import numpy as np
    >>> still = LinearSystem([[2.0]], [[1.0]], [[0.0]], [[0.0]], mean=[1.0])
    >>> simulate(still, 4, np.random.default_rng(0))[1].ravel()
    array([1., 2., 4., 8.])
    """
    n, m = system.n_states, system.n_outputs
    X, Y = np.empty((T, n)), np.empty((T, m))
    x = system.mean + _root(system.cov) @ rng.normal(size=n) if mean is None else mean
    for t in range(T):
        at = system if system.constant else system.at(t)
        if t:
            x = at.A @ x + at.b + _root(at.Q) @ rng.normal(size=n)
        X[t], Y[t] = x, at.C @ x + at.d + _root(at.R) @ rng.normal(size=m)
    return X, Y


def _root(S: Floats) -> Floats:
    """A square root that singular covariances have too."""
    values, vectors = np.linalg.eigh(S)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
