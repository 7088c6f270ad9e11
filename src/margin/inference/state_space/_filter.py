"""Kalman filter over a sum of Matérn processes: whitened data and marginal likelihood."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core.types import Floats
from margin.inference.state_space._series import MaternSum, Series
from margin.linalg import Cholesky, kernel_cholesky
from margin.native.series import state_space

_LOG_2PI = float(np.log(2 * np.pi))
_EPS = float(np.finfo(np.float64).eps)


class MaternDirection(NamedTuple):
    """A change of the scales of a process and of its noise."""

    scales: Floats
    level: float


@dataclass(frozen=True, eq=False)
class Whitened:
    r"""Data :math:`z = L^{-1} y` where :math:`C = L L^\top` is their covariance.

    Parameters
    ----------
    white, slope : ndarray of shape (n, k)
        :math:`z`, and its derivative in the direction asked for.
    log_det, log_det_slope : float
        :math:`\log\det C`, and its derivative.
    jitter : float
        What was added to the noise: twins without noise leave no surprise.
    """

    white: Floats
    slope: Floats
    log_det: float
    log_det_slope: float
    jitter: float


def matern_whiten(
    process: MaternSum, series: Series, direction: MaternDirection | None = None
) -> Whitened:
    r"""Surprises of a Kalman filter over their standard deviations, in :math:`O(n)` (gp.05).

    Parameters
    ----------
    process : MaternSum
    series : Series
    direction : MaternDirection, optional
        Where the derivative is wanted; without it that is zero.

    Examples
    --------
    >>> import numpy as np
    >>> process = MaternSum(np.array([1], dtype=np.int32), np.array([[1.0], [1.0]]), 0.0)
    >>> pair = Series.of(np.array([0.0, np.log(2.0)]), np.zeros(2), np.ones((2, 1)))
    >>> round(matern_whiten(process, pair).log_det, 6), round(float(np.log(0.75)), 6)
    (-0.287682, -0.287682)
    """
    along = MaternDirection(np.zeros_like(process.scales), 0.0) if direction is None else direction
    least = len(series.x) * _EPS * process.variance
    for jitter in (0.0, 10 * least):
        noise = series.noise + process.level + jitter
        result = state_space.whiten(
            process.order, process.scales, *along, series.gap, noise, series.data
        )
        if result.least > least:
            break
    return Whitened(result.white, result.slope, result.log_det, result.log_det_slope, jitter)


@dataclass(frozen=True, eq=False)
class MeanBasis:
    """Coefficients of functions of the mean, integrated out under a flat prior.

    Parameters
    ----------
    factor : Cholesky or None
        Of their precision; None where there are none.
    coefficients : ndarray of shape (r, k)
        Posterior mean for each of ``k`` targets.
    """

    factor: Cholesky | None
    coefficients: Floats

    @classmethod
    def of(cls, white: Floats, k: int) -> "MeanBasis":
        """From whitened columns, ``k`` targets and then the functions."""
        if white.shape[1] == k:
            return cls(None, np.empty((0, k)))
        B = white[:, k:]
        factor = kernel_cholesky(B.T @ B, "the mean")
        return cls(factor, factor.solve(B.T @ white[:, :k]))


def matern_log_evidence(
    process: MaternSum, series: Series, k: int, directions: Iterable[MaternDirection] = ()
) -> tuple[float, Floats]:
    r"""Log marginal likelihood of the first ``k`` columns, and derivatives.

    The other columns are functions of the mean, orthonormal, whose coefficients are integrated out:
    :math:`-\tfrac12 [y^\top P y + \log\det C + \log\det A + (n - r) \log 2\pi]` for each target,
    with :math:`A = H^\top C^{-1} H` and :math:`P = C^{-1} - C^{-1} H A^{-1} H^\top C^{-1}`.

    Parameters
    ----------
    process : MaternSum
    series : Series
    k : int
        Number of targets.
    directions : iterable of MaternDirection
        Where derivatives are wanted, one pass each.
    """
    n, columns = series.data.shape
    whitened = matern_whiten(process, series)
    Z, B = whitened.white[:, :k], whitened.white[:, k:]
    value = k * (whitened.log_det + (n - (columns - k)) * _LOG_2PI) + float(np.sum(Z * Z))
    basis = MeanBasis.of(whitened.white, k)
    if basis.factor is not None:
        value += k * basis.factor.log_det - float(np.sum(basis.coefficients * (B.T @ Z)))
    slopes = []
    for direction in directions:
        step = matern_whiten(process, series, direction)
        dZ, dB = step.slope[:, :k], step.slope[:, k:]
        # The residual carries both: its square is what is left of the data.
        rest, change = Z - B @ basis.coefficients, dZ - dB @ basis.coefficients
        total = k * step.log_det_slope + 2.0 * float(np.sum(rest * change))
        if basis.factor is not None:
            total += 2.0 * k * float(np.trace(basis.factor.solve(B.T @ dB)))
        slopes.append(-0.5 * total)
    return -0.5 * value, np.array(slopes)
