"""Filters of systems that are not linear: extended and unscented."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats, Places
from margin.inference.filters._kalman import KalmanFiltered
from margin.inference.filters._update_forms import kalman_update

Map = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class NonlinearSystem:
    r"""A state that moves and is seen through functions, with normal noise.

    .. math:: x_0 \sim N(m, P), \qquad x_t = f(x_{t-1}) + N(0, Q), \qquad y_t = h(x_t) + N(0, R)

    Parameters
    ----------
    move, see : callable
        ``f`` and ``h``: from a state of shape (n,) to one, and to a row of shape (m,).
    Q, R : ndarray of shape (n, n) and (m, m)
    mean, cov : ndarray of shape (n,) and (n, n)
    move_slope, see_slope : callable, optional
        Matrices of derivatives; by central differences where absent.
    """

    move: Map
    see: Map
    Q: Floats
    R: Floats
    mean: Floats
    cov: Floats
    move_slope: Map | None = None
    see_slope: Map | None = None


def extended_filter(system: NonlinearSystem, Y: ArrayLike) -> KalmanFiltered:
    """Kalman filter on the tangents at the current means; exact where functions are linear.

    Parameters
    ----------
    system : NonlinearSystem
    Y : array-like of shape (T,) or (T, m)
        NaN means unobserved.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.eye(1)
    >>> walk = NonlinearSystem(np.copy, np.copy, one, one, np.zeros(1), one)
    >>> float(extended_filter(walk, np.zeros(50)).cov[-1, 0, 0].round(9))
    0.618033989
    """
    forward = system.move_slope or (lambda x: _slope(system.move, x))
    outward = system.see_slope or (lambda x: _slope(system.see, x))

    def predict(x: Floats, P: Floats) -> tuple[Floats, Floats]:
        A = forward(x)
        return system.move(x), A @ P @ A.T + system.Q

    def correct(x: Floats, P: Floats, y: Floats, seen: Places) -> tuple[Floats, Floats, float]:
        C = outward(x)[seen]
        # The tangent at x: what is left of y beside h(x) is linear in the state.
        return kalman_update(
            x, P, y - system.see(x)[seen] + C @ x, C, system.R[np.ix_(seen, seen)], "joseph"
        )

    return _run(system, Y, predict, correct)


def unscented_filter(
    system: NonlinearSystem, Y: ArrayLike, *, alpha: float = 1.0, kappa: float | None = None
) -> KalmanFiltered:
    r"""Filter by points whose mean and covariance are those of the state.

    .. math:: \chi_i = \hat x \pm \big(\sqrt{(n + \lambda) P}\big)_i, \qquad
              \lambda = \alpha^2 (n + \kappa) - n

    Parameters
    ----------
    system : NonlinearSystem
    Y : array-like of shape (T,) or (T, m)
        NaN means unobserved.
    alpha, kappa : float
        Spread of the points; ``kappa`` is ``3 - n`` but at least 0 where absent.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.eye(1)
    >>> walk = NonlinearSystem(np.copy, np.copy, one, one, np.zeros(1), one)
    >>> float(unscented_filter(walk, np.zeros(50)).cov[-1, 0, 0].round(9))
    0.618033989
    """
    n = len(system.mean)
    rest = max(3.0 - n, 0.0) if kappa is None else kappa
    total = alpha**2 * (n + rest)
    if not total > 0:
        raise check.fail("unscented_filter", "alpha", "such that alpha² (n + kappa) > 0", alpha)
    weights = np.full(2 * n + 1, 0.5 / total)
    weights[0] = 1.0 - n / total

    def points(x: Floats, P: Floats) -> Floats:
        values, vectors = np.linalg.eigh((P + P.T) / 2)
        steps = (vectors * np.sqrt(np.maximum(values, 0.0) * total)).T
        return np.vstack([x, x + steps, x - steps])

    def moments(values: Floats, noise: Floats) -> tuple[Floats, Floats]:
        mean = weights @ values
        gap = values - mean
        return mean, (gap * weights[:, None]).T @ gap + noise

    def predict(x: Floats, P: Floats) -> tuple[Floats, Floats]:
        return moments(np.array([system.move(p) for p in points(x, P)]), system.Q)

    def correct(x: Floats, P: Floats, y: Floats, seen: Places) -> tuple[Floats, Floats, float]:
        cloud = points(x, P)
        shown = np.array([system.see(p)[seen] for p in cloud])
        R = system.R[np.ix_(seen, seen)]
        mean, S = moments(shown, R)
        cross = ((cloud - x) * weights[:, None]).T @ (shown - mean)
        K = np.linalg.solve(S, cross.T).T
        v = y - mean
        log_prob = -0.5 * float(v @ np.linalg.solve(S, v) + np.linalg.slogdet(2 * np.pi * S)[1])
        F = P - K @ S @ K.T
        values, vectors = np.linalg.eigh((F + F.T) / 2)
        return x + K @ v, (vectors * np.maximum(values, 0.0)) @ vectors.T, log_prob

    return _run(system, Y, predict, correct)


def _run(
    system: NonlinearSystem,
    Y: ArrayLike,
    predict: Callable[[Floats, Floats], tuple[Floats, Floats]],
    correct: Callable[[Floats, Floats, Floats, Places], tuple[Floats, Floats, float]],
) -> KalmanFiltered:
    table = np.asarray(Y, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    T, n = len(table), len(system.mean)
    if table.ndim != 2 or table.shape[1] != len(system.R):
        need = f"of {len(system.R)} numbers per row"
        raise check.fail("nonlinear filter", "Y", need, f"shape {table.shape}")
    filtered = KalmanFiltered(
        np.zeros(1), np.empty((T, n)), np.empty((T, n, n)), np.empty((T, n)), np.empty((T, n, n))
    )
    x, P = system.mean, system.cov
    for t in range(T):
        if t:
            x, P = predict(x, P)
        filtered.predicted_mean[t], filtered.predicted_cov[t] = x, P
        seen = np.flatnonzero(~np.isnan(table[t]))
        if len(seen):
            x, P, gain = correct(x, P, table[t, seen], seen)
            filtered.log_prob[0] += gain
        filtered.mean[t], filtered.cov[t] = x, P
    return filtered


def _slope(function: Map, x: Floats) -> Floats:
    """Derivatives by central differences."""
    columns = []
    for i in range(len(x)):
        h = 6e-6 * max(1.0, abs(float(x[i])))
        up, down = x.copy(), x.copy()
        up[i] += h
        down[i] -= h
        columns.append((function(up) - function(down)) / (2 * h))
    return np.stack(columns, axis=1)
