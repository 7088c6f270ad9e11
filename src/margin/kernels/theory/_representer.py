"""The representer theorem, with a certificate."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.kernels._base import Kernel
from margin.kernels.theory._rkhs import KernelFunction
from margin.linalg import cholesky, lstsq


@dataclass(frozen=True, eq=False)
class RepresenterCertificate:
    r"""Evidence that no function of the space does better (kernels.35).

    Parameters
    ----------
    objective : float
        :math:`J(f) = \sum_i (y_i - f(x_i))^2 + \sigma^2 \|f\|^2`.
    gradient : float
        Largest derivative of :math:`J` in the direction of any section of unit length.
    gain : float
        How much the objective falls when coefficients of the added centres are optimised too.
    """

    objective: float
    gradient: float
    gain: float


def representer(kernel: Kernel, X: Any, y: ArrayLike, noise: float = 1.0) -> KernelFunction:
    r"""Minimiser of squared errors plus squared norm over the whole space (kernels.35).

    .. math:: \arg\min_{f \in \mathcal H} \sum_i (y_i - f(x_i))^2 + \sigma^2 \|f\|^2
        = \sum_i \alpha_i k(x_i, \cdot), \qquad \alpha = (K + \sigma^2 I)^{-1} y.

    Parameters
    ----------
    kernel : Kernel
        Kernel of the space.
    X : objects
        Where values were observed.
    y : array-like of shape (n,)
        The values.
    noise : float
        Strength :math:`\sigma^2` of the penalty, above 0.

    Examples
    --------
    >>> from margin.kernels import Linear
    >>> f = representer(Linear(), [[1.0], [2.0]], [1.0, 2.0], noise=5.0)
    >>> f([[1.0]])
    array([0.5])
    """
    target = _checked(y, noise)
    K = np.array(kernel(X), dtype=np.float64)
    K[np.diag_indices_from(K)] += noise
    return KernelFunction(kernel, X, cholesky(K, name="kernel matrix with noise").solve(target))


def representer_certificate(
    f: KernelFunction, y: ArrayLike, noise: float, centres: Any
) -> RepresenterCertificate:
    r"""Whether adding centres could improve a fit: at the minimiser it cannot (kernels.35).

    The derivative of the objective along :math:`k(c, \cdot)` is
    :math:`2 (\sigma^2 f(c) - \sum_i (y_i - f(x_i)) k(x_i, c))`, zero for every ``c`` if and only if
    ``f`` is the minimiser.

    Parameters
    ----------
    f : KernelFunction
        Candidate anchored at the observed objects.
    y : array-like of shape (n,)
        The values observed there.
    noise : float
        Strength of the penalty.
    centres : objects
        Further centres to try.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> X, y = [[0.0], [1.0]], [1.0, -1.0]
    >>> good = representer(RBF(1.0), X, y, noise=0.1)
    >>> representer_certificate(good, y, 0.1, [[0.5], [3.0]]).gradient < 1e-12
    True
    """
    target = _checked(y, noise)
    residual = target - f(f.points)
    objective = float(residual @ residual) + noise * f.norm() ** 2
    cross = f.kernel(centres, f.points)
    slopes = 2.0 * (noise * f(centres) - cross @ residual)
    lengths = np.sqrt(np.maximum(f.kernel.diag(centres), np.finfo(float).tiny))
    gradient = float(np.abs(slopes / lengths).max(initial=0.0))
    own = 2.0 * (noise * f(f.points) - f.kernel(f.points) @ residual)
    gain = _gain(f, np.concatenate([own, slopes]), cross, f.kernel(centres), noise)
    return RepresenterCertificate(objective, gradient, gain)


def _gain(
    f: KernelFunction,
    gradient: NDArray[np.float64],
    cross: NDArray[np.float64],
    among: NDArray[np.float64],
    noise: float,
) -> float:
    """Fall of the quadratic objective when all coefficients, old and new, are optimised."""
    K = f.kernel(f.points)
    mixed = np.block([[K, cross.T], [cross, among]])
    rows = mixed[: len(K)]
    curvature = 2.0 * (rows.T @ rows + noise * mixed)
    step = lstsq(curvature, gradient, 1e-12)
    return max(0.0, 0.5 * float(gradient @ step))


def _checked(y: ArrayLike, noise: float) -> NDArray[np.float64]:
    if not 0 < noise < np.inf:
        raise check.fail("representer", "noise", "a number above 0", noise)
    return np.asarray(y, dtype=np.float64)
