"""The bridge from Gaussian processes to linear systems."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.inference.filters._linear_system import LinearSystem
from margin.inference.state_space._series import MaternSum


def matern_system(process: MaternSum, x: ArrayLike) -> LinearSystem:
    r"""A sum of Matérn processes at sorted points as a linear system.

    A process of smoothness :math:`p - \tfrac12` and its first :math:`p - 1` derivatives, in units
    of the rate, are a Markov chain: :math:`A = e^{F \Delta}` over a gap :math:`\Delta`, and
    :math:`Q = P - A P A^\top` with the stationary covariance ``P``. What is seen is the sum of the
    processes and white noise; points without a number are NaN in the data.

    Parameters
    ----------
    process : MaternSum
    x : array-like of shape (T,)
        Coordinates, sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.inference import MaternSum, kalman_log_likelihood
    >>> process = MaternSum(np.array([1], dtype=np.int32), np.array([[1.0], [1.0]]), 0.5)
    >>> system = matern_system(process, [0.0, np.log(2.0)])
    >>> system.A[1].round(6), system.Q[1].round(6)  # e^{-x}, 1 - e^{-2x}
    (array([[0.5]]), array([[0.75]]))
    """
    points = np.asarray(x, dtype=np.float64)
    gaps = np.diff(points, prepend=points[:1])
    if points.ndim != 1 or (gaps < 0).any() or not np.isfinite(points).all():
        raise check.fail("matern_system", "x", "finite and sorted", f"shape {points.shape}")
    orders = [int(p) for p in process.order]
    n = sum(orders)
    A, P, C = np.zeros((len(points), n, n)), np.zeros((n, n)), np.zeros((1, n))
    at = 0
    for order, variance, rate in zip(orders, *process.scales, strict=True):
        block = slice(at, at + order)
        A[:, block, block] = _transition(order, rate * gaps)
        P[block, block] = variance * _stationary(order)
        C[0, at] = 1.0
        at += order
    Q = P - A @ P @ np.swapaxes(A, 1, 2)
    values, vectors = np.linalg.eigh((Q + np.swapaxes(Q, 1, 2)) / 2)
    Q = (vectors * np.maximum(values, 0.0)[:, None, :]) @ np.swapaxes(vectors, 1, 2)
    return LinearSystem(A, C, Q, [[process.level]], cov=P)


def _transition(order: int, u: Floats) -> Floats:
    """Transitions over gaps in units of the rate."""
    F = np.eye(order, k=1)
    F[-1] = {1: [-1.0], 2: [-1.0, -2.0], 3: [-1.0, -3.0, -3.0]}[order]
    # F + I is nilpotent: the exponential is a polynomial times e^{-u}.
    N = F + np.eye(order)
    total, power = np.zeros((len(u), order, order)), np.eye(order)
    for k in range(order):
        total += (u[:, None, None] ** k / (1.0, 1.0, 2.0)[k]) * power
        power = power @ N
    return np.exp(-u)[:, None, None] * total


def _stationary(order: int) -> Floats:
    third = 1.0 / 3.0
    shapes: dict[int, list[list[float]]] = {
        1: [[1.0]],
        2: [[1.0, 0.0], [0.0, 1.0]],
        3: [[1.0, 0.0, -third], [0.0, third, 0.0], [-third, 0.0, 1.0]],
    }
    return np.array(shapes[order])
