"""Where covariances settle: Riccati and Lyapunov equations."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_discrete_are, solve_discrete_lyapunov

from margin.core import FitError, check
from margin.core.types import Floats
from margin.inference.filters._linear_system import LinearSystem


class SteadyState(NamedTuple):
    """Covariances and gain that the filter of a constant system settles at.

    Parameters
    ----------
    predicted : ndarray of shape (n, n)
        Before a row.
    filtered : ndarray of shape (n, n)
        After it.
    gain : ndarray of shape (n, m)
    """

    predicted: Floats
    filtered: Floats
    gain: Floats


def steady_state(system: LinearSystem) -> SteadyState:
    r"""Covariances in the long run, by the algebraic Riccati equation (sequence.37).

    .. math:: P = A \big(P - P C^\top (C P C^\top + R)^{-1} C P\big) A^\top + Q

    Parameters
    ----------
    system : LinearSystem
        Constant, with definite ``R``; what it cannot see must die out.

    Raises
    ------
    FitError
        There is no such state.

    Examples
    --------
    >>> walk = LinearSystem([[1.0]], [[1.0]], [[1.0]], [[1.0]])
    >>> steady_state(walk).gain.round(6)  # the golden ratio less one
    array([[0.618034]])
    """
    if not system.constant:
        raise check.fail("steady_state", "system", "constant", "one that changes with time")
    A, C, Q, R = system.A, system.C, system.Q, system.R
    try:
        P = solve_discrete_are(A.T, C.T, Q, R)
    except (np.linalg.LinAlgError, ValueError) as error:
        raise FitError(f"steady_state: the covariances do not settle ({error})") from error
    S = C @ P @ C.T + R
    K = np.linalg.solve(S, C @ P).T
    rest = np.eye(len(A)) - K @ C
    return SteadyState((P + P.T) / 2, rest @ P @ rest.T + K @ R @ K.T, K)


def stationary_covariance(A: Floats, Q: Floats) -> Floats:
    r"""Covariance of :math:`x_t = A x_{t-1} + N(0, Q)` in the long run (sequence.27).

    .. math:: P = A P A^\top + Q, \qquad \text{for one number } \frac{\sigma^2}{1 - a^2}

    Parameters
    ----------
    A, Q : ndarray of shape (n, n)

    Raises
    ------
    ValueError
        An eigenvalue of ``A`` has a size of 1 or more: there is no stationary law.

    Examples
    --------
    >>> stationary_covariance([[0.9]], [[1.0]]).round(6)
    array([[5.263158]])
    """
    A, Q = np.asarray(A, dtype=np.float64), np.asarray(Q, dtype=np.float64)
    radius = float(np.abs(np.linalg.eigvals(A)).max())
    if not radius < 1.0:
        need = "with eigenvalues of size below 1 for a stationary law"
        raise check.fail("stationary_covariance", "A", need, round(radius, 6))
    P = solve_discrete_lyapunov(A, Q)
    return np.asarray((P + P.T) / 2)
