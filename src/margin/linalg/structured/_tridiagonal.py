"""Tridiagonal systems in linear time."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack

from margin.core import FitError
from margin.core.types import Floats
from margin.linalg._matrix import right_side, vector

Boundary = Literal["zero", "mirror", "periodic"]


def solve_tridiagonal(
    lower: ArrayLike, diagonal: ArrayLike, upper: ArrayLike, b: ArrayLike
) -> Floats:
    r"""Solution of a tridiagonal system by one elimination sweep (Thomas) in O(n) (linalg.10).

    .. math:: l_{i-1} x_{i-1} + d_i x_i + u_i x_{i+1} = b_i

    Rows are exchanged where a pivot is small, which the textbook sweep does not do.

    Parameters
    ----------
    lower, diagonal, upper : array-like of shape (n - 1,), (n,), (n - 1,)
        The three diagonals.
    b : array-like of shape (n,) or (n, k)
        Right-hand sides.

    Examples
    --------
    >>> solve_tridiagonal([1.0], [2.0, 2.0], [1.0], [4.0, 5.0])
    array([1., 2.])
    """
    d = np.array(diagonal, dtype=np.float64).ravel()
    d = vector(d, len(d), "diagonal")
    left = vector(lower, max(len(d) - 1, 0), "lower diagonal")
    right = vector(upper, max(len(d) - 1, 0), "upper diagonal")
    given = b = right_side(b, len(d))
    if not given.size:
        return given.copy()
    if len(d) == 1:  # LAPACK's face refuses empty off-diagonals
        left = right = np.zeros(1)
        d, b = np.append(d, 1.0), np.append(b, np.zeros_like(b), axis=0)
    *_, x, info = lapack.dgtsv(left, d, right, b.reshape(len(d), -1))
    if info:
        raise FitError(f"linalg: tridiagonal matrix must be regular, got zero pivot in row {info}")
    return np.ascontiguousarray(x[: len(given)]).reshape(given.shape)


def filter_pole(diagonal: float, off_diagonal: float) -> float:
    r"""The pole inside the unit circle of the inverse of the filter :math:`(c, d, c)` (linalg.10).

    The root of :math:`c z^2 + d z + c = 0` with :math:`|z| < 1`.

    Examples
    --------
    >>> round(filter_pole(2 / 3, 1 / 6), 6)  # cubic B-spline: sqrt(3) - 2
    -0.267949
    >>> round(filter_pole(3 / 4, 1 / 8), 6)  # quadratic B-spline: 2 sqrt(2) - 3
    -0.171573
    """
    if not abs(diagonal) > 2 * abs(off_diagonal):
        raise ValueError(
            "linalg: diagonal must be more than twice the off-diagonal in size, "
            f"got {diagonal!r} and {off_diagonal!r}"
        )
    ratio = 2.0 * off_diagonal / diagonal
    return float(-ratio / (1.0 + np.sqrt((1.0 - ratio) * (1.0 + ratio))))


def recursive_filter(
    y: ArrayLike, diagonal: float, off_diagonal: float, boundary: Boundary = "zero"
) -> Floats:
    r"""Solution of :math:`c\,x_{k-1} + d\,x_k + c\,x_{k+1} = y_k` by two running sums (linalg.10).

    With the pole ``z`` of :func:`filter_pole`, a causal pass :math:`p_k = y_k + z\,p_{k-1}` and an
    anti-causal pass :math:`q_k = p_k + z\,q_{k+1}` give :math:`x_k = -\tfrac{z}{c} q_k` for a
    signal that is zero outside; the two decaying solutions :math:`z^{k+1}` and
    :math:`z^{n-k}` of the homogeneous equation then put the boundary right, exactly.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, k)
        Signal along the first axis.
    diagonal, off_diagonal : float
        ``d`` and ``c``, with :math:`|d| > 2|c|`.
    boundary : {"zero", "mirror", "periodic"}
        What ``x`` does outside: vanish (the truncated Toeplitz matrix), reflect about the first
        and the last point, or repeat.

    Examples
    --------
    Prefilter of cubic B-spline interpolation; a unit pulse gives 3/26, -6/13, 45/26, …

    >>> recursive_filter([0, 0, 1, 0, 0], 2 / 3, 1 / 6).round(6)
    array([ 0.115385, -0.461538,  1.730769, -0.461538,  0.115385])
    """
    if boundary not in ("zero", "mirror", "periodic"):
        raise ValueError(
            f"linalg: boundary must be 'zero', 'mirror' or 'periodic', got {boundary!r}"
        )
    z = filter_pole(diagonal, off_diagonal)
    y = right_side(y, len(np.atleast_1d(np.asarray(y))), "signal")
    n = len(y)
    if n <= 1 or off_diagonal == 0:
        edge = 2 * off_diagonal if boundary != "zero" and n == 1 else 0.0
        return y / (diagonal + edge)
    columns = y.reshape(n, -1)
    p = _running_sum(columns, z)
    beyond = z / (1 - z**2) * p[-1:]  # all later terms of q, summed as a geometric series
    shifted = p.copy()
    shifted[-1] += z * beyond[0]
    q = _running_sum(shifted[::-1], z)[::-1]
    # Positions -1 … n, so that every boundary is a statement about entries.
    x = -(z / off_diagonal) * np.vstack([z * q[:1], q, beyond])
    k = np.arange(n + 2)[:, None]
    decay = np.hstack([z**k, z ** (n + 1 - k)])
    ends, partners = [0, n + 1], {"zero": None, "mirror": [2, n - 1], "periodic": [n, 1]}[boundary]
    gap, effect = x[ends], decay[ends]
    if partners is not None:
        gap, effect = gap - x[partners], effect - decay[partners]
    x -= decay @ np.linalg.solve(effect, gap)
    return x[1:-1].reshape(y.shape)


def _running_sum(y: Floats, z: float) -> Floats:
    """First-order recursion ``p_k = y_k + z p_{k-1}`` down the columns, from zero."""
    band = np.ones((2, len(y)))
    band[1] = -z
    p, _ = lapack.dtbtrs(band, y, uplo="L", diag="U")
    means: Floats = p
    return means
