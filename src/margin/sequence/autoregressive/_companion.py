"""An autoregression as a linear system."""

import numpy as np

from margin.core.types import Floats
from margin.inference import LinearSystem, stationary_covariance


def companion(coef: Floats) -> Floats:
    r"""Matrix whose powers continue the series (sequence.29).

    .. math:: \begin{pmatrix} v_t \\ \vdots \\ v_{t-L+1} \end{pmatrix} =
              \begin{pmatrix} a_1 \dots a_{L-1} & a_L \\ I & 0 \end{pmatrix}
              \begin{pmatrix} v_{t-1} \\ \vdots \\ v_{t-L} \end{pmatrix} + \eta_t

    Examples
    --------
    >>> import numpy as np
    >>> companion(np.array([0.5, 0.3]))
    array([[0.5, 0.3],
           [1. , 0. ]])
    """
    L = max(len(coef), 1)
    A = np.eye(L, k=-1)
    A[0, : len(coef)] = coef
    return A


def spectral_radius(coef: Floats) -> float:
    """Largest size of an eigenvalue of the companion matrix: stationary iff below 1."""
    return float(np.abs(np.linalg.eigvals(companion(coef))).max())


def companion_system(coef: Floats, intercept: float, variance: float) -> LinearSystem:
    """Exact law of the series: stationary from the first number on, or with a flat start.

    Parameters
    ----------
    coef : ndarray of shape (L,)
        Nearest lag first.
    intercept, variance : float
    """
    A = companion(coef)
    L = len(A)
    Q, C = np.zeros((L, L)), np.eye(L)[:1]
    Q[0, 0] = variance
    b = intercept * np.eye(L)[0]
    if spectral_radius(coef) < 1.0 - 1e-9:
        mean = np.full(L, intercept / (1.0 - coef.sum()))
        cov = stationary_covariance(A, Q)
        return LinearSystem(A, C, Q, [[0.0]], mean, cov, b=b)
    return LinearSystem(A, C, Q, [[0.0]], b=b, diffuse=np.eye(L))
