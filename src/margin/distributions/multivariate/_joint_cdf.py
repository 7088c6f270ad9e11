"""Probability that all coordinates of a normal or Student vector stay below bounds at once."""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.special import gammaincinv, ndtr, ndtri, stdtr
from sklearn.exceptions import ConvergenceWarning

from margin.core.types import Floats

_SHIFTS = 12
_FIRST_POINTS = 512
_TINY = 1e-300


class Estimate(NamedTuple):
    """A probability and three standard errors of it."""

    value: float
    error: float


def joint_cdf(
    owner: str,
    bounds: Floats,
    covariance: Floats,
    df: float | None,
    *,
    tol: float,
    max_points: int,
    rng: np.random.Generator,
) -> Floats:
    r""":math:`P(x_1 \le b_1, \dots, x_d \le b_d)` for every row of ``bounds`` (distributions.07).

    Genz's transformation turns the probability into an integral over the unit cube, whose
    coordinates are the conditional probabilities of one variable after the other; a shifted
    lattice integrates it, and the spread over random shifts measures the error. A Student vector
    has one more coordinate, its common scale.

    Parameters
    ----------
    owner : str
        Named in warnings.
    bounds : ndarray of shape (n, d)
        Distances from the centre; NaN and infinity leave a coordinate free.
    covariance : ndarray of shape (d, d)
        Covariance, or squared scale.
    df : float or None
        Degrees of freedom; ``None`` for the normal.
    tol : float
        Error to reach.
    max_points : int
        Most points per row.
    rng : Generator
        Source of the shifts; every row has the same ones.

    References
    ----------
    Genz (1992), Numerical computation of multivariate normal probabilities; Genz and Bretz
    (2009), Computation of multivariate normal and t probabilities.
    """
    shifts = rng.random((_SHIFTS, bounds.shape[-1] + 1))
    estimates = [_probability(row, covariance, df, tol, max_points, shifts) for row in bounds]
    worst = max((e.error for e in estimates), default=0.0)
    if worst > tol:
        warnings.warn(
            f"{owner}: joint_cdf is known to {worst:.1e}, not to tol={tol:g}; give more max_points",
            ConvergenceWarning,
            stacklevel=3,
        )
    return np.array([e.value for e in estimates])


def _probability(
    b: Floats, covariance: Floats, df: float | None, tol: float, max_points: int, shifts: Floats
) -> Estimate:
    if np.any(b == -np.inf):
        return Estimate(0.0, 0.0)
    bound = np.flatnonzero(np.isfinite(b))
    if not len(bound):
        return Estimate(1.0, 0.0)
    std = np.sqrt(np.diagonal(covariance)[bound])
    b = b[bound] / std
    if len(bound) == 1:
        return Estimate(float(ndtr(b[0]) if df is None else stdtr(df, b[0])), 0.0)
    correlation = covariance[np.ix_(bound, bound)] / np.outer(std, std)
    b, lower = _ordered(b, correlation)
    return _integral(b, lower, df, tol, max_points, shifts[:, : len(b) - (df is None)])


def _ordered(b: Floats, correlation: Floats) -> tuple[Floats, Floats]:
    """Bounds and Cholesky factor, at each step the variable least likely to stay below first."""
    b, C, d = b.copy(), correlation.copy(), len(b)
    L, y = np.zeros((d, d)), np.zeros(d)
    for i in range(d):
        left = np.sqrt(np.maximum(np.diagonal(C)[i:] - np.sum(L[i:, :i] ** 2, axis=1), 1e-30))
        at = (b[i:] - L[i:, :i] @ y[:i]) / left
        j = i + int(np.argmin(at))
        b[[i, j]], L[[i, j]] = b[[j, i]], L[[j, i]]
        C[[i, j]] = C[[j, i]]
        C[:, [i, j]] = C[:, [j, i]]
        L[i, i] = left[j - i]
        L[i + 1 :, i] = (C[i + 1 :, i] - L[i + 1 :, :i] @ L[i, :i]) / L[i, i]
        # Expectation of the variable given that it stays below its bound.
        z = at[j - i]
        y[i] = -np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi) / max(float(ndtr(z)), _TINY)
    return b, L


def _integral(
    b: Floats, lower: Floats, df: float | None, tol: float, max_points: int, shifts: Floats
) -> Estimate:
    """Means over shifted lattices of growing size, combined by their precision."""
    step = np.sqrt(_primes(shifts.shape[1]))
    n = _FIRST_POINTS
    while True:
        lattice = np.arange(1.0, n + 1.0)[:, None] * step
        means = np.array([_mean(lattice, shift, b, lower, df) for shift in shifts])
        error = 3.0 * float(means.std(ddof=1)) / np.sqrt(len(means))
        if error <= tol or 2 * n * _SHIFTS > max_points:
            return Estimate(float(np.clip(means.mean(), 0.0, 1.0)), error)
        n *= 2


def _mean(lattice: Floats, shift: Floats, b: Floats, lower: Floats, df: float | None) -> float:
    # Folding the cube makes the integrand periodic, as lattices want it.
    cube = np.abs(2.0 * ((lattice + shift) % 1.0) - 1.0)
    scale = np.ones(len(cube))
    if df is not None:
        scale = np.sqrt(2.0 * gammaincinv(df / 2, cube[:, -1]) / df)
    y = np.zeros((len(cube), len(b)))
    below = ndtr(scale * b[0] / lower[0, 0])
    product = below.copy()
    for i in range(1, len(b)):
        y[:, i - 1] = ndtri(np.clip(cube[:, i - 1] * below, _TINY, 1.0 - 1e-16))
        below = ndtr((scale * b[i] - y[:, :i] @ lower[i, :i]) / lower[i, i])
        product *= below
    return float(product.mean())


def _primes(count: int) -> Floats:
    """The first primes.

    Examples
    --------
    >>> _primes(5)
    array([ 2.,  3.,  5.,  7., 11.])
    """
    primes: list[int] = []
    candidate = 2
    while len(primes) < count:
        if all(candidate % prime for prime in primes if prime * prime <= candidate):
            primes.append(candidate)
        candidate += 1
    return np.array(primes, dtype=np.float64)
