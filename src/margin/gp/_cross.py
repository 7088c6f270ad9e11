"""Derivatives of a kernel between two sets of points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import threads
from margin.kernels import RBF, Constant, Constrained, Product, Radial, Scaled, Sum
from margin.native import kernel_maps

Floats = NDArray[np.float64]


def cross_gradient(kernel: Any, Z: Any, X: Any, weight: Floats) -> tuple[Floats, Floats | None]:
    r"""Weighted sums :math:`\sum_{ij} W_{ij}\, \partial k(z_i, x_j)`.

    Parameters
    ----------
    kernel : Kernel
        Without white noise.
    Z : array of shape (m, d), or a list of m objects
    X : array of shape (n, d), or a list of n objects
    weight : ndarray of shape (m, n)

    Returns
    -------
    theta : ndarray of shape (p,)
        Derivatives in the log hyper-parameters.
    points : ndarray of shape (m, d) or None
        Derivatives in ``Z``; None where the kernel does not say.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> theta, points = cross_gradient(RBF(1.0), np.zeros((1, 1)), np.ones((1, 1)), np.ones((1, 1)))
    >>> theta.round(6), points.round(6)
    (array([0.606531]), array([[0.606531]]))
    """
    if (
        isinstance(kernel, Radial)
        and isinstance(Z, np.ndarray)
        and kernel.hyper == ("length_scale",)
    ):
        return _radial(kernel, Z, X, weight)[:2]
    if isinstance(kernel, Constrained):
        theta, points = cross_gradient(kernel.kernel, Z, X, weight)
        free = np.ones(len(theta), dtype=bool)
        free[[entry for entry, limits in kernel.entries if limits is None]] = False
        return theta[free], points
    if isinstance(kernel, Scaled) and isinstance(kernel.kernel, RBF):
        theta, points, total = _radial(kernel.kernel, Z, X, weight)
        return kernel.factor * np.concatenate([[total], theta]), kernel.factor * points
    if isinstance(kernel, Scaled):
        own = kernel.factor * float(np.vdot(weight, kernel.kernel(Z, X)))
        theta, points = cross_gradient(kernel.kernel, Z, X, weight * kernel.factor)
        return np.concatenate([[own], theta]), points
    if isinstance(kernel, Sum):
        return _together([cross_gradient(part, Z, X, weight) for part in kernel.parts])
    if isinstance(kernel, Product):
        return _together(list(_product(kernel, Z, X, weight)))
    if isinstance(kernel, Constant):
        zero = np.zeros(Z.shape) if isinstance(Z, np.ndarray) else None
        return np.array([kernel.value * float(weight.sum())]), zero
    return _joint(kernel, Z, X, weight), None


def _radial(kernel: Any, Z: Floats, X: Floats, weight: Floats) -> tuple[Floats, Floats, float]:
    """Both derivatives, and the weighted sum of the slope, which for the Gaussian is the kernel."""
    scales = np.broadcast_to(np.asarray(kernel.length_scale, dtype=np.float64), Z.shape[1:])
    # Differences of large numbers lose digits: a common shift costs nothing.
    centre = Z.mean(axis=0)
    left, right = (Z - centre) / scales, (X - centre) / scales
    # Rows of X come first, as in the memory of the weights.
    M = kernel._map(kernel_maps.SLOPE, right, left, threads.count(None))
    M *= weight.T
    towards = M.T @ right
    rows, columns = M.sum(axis=0), M.sum(axis=1)
    each = rows @ left**2 + columns @ right**2 - 2.0 * np.einsum("ij,ij->j", left, towards)
    theta = each if isinstance(kernel.length_scale, tuple) else np.array([each.sum()])
    return theta, (towards - rows[:, None] * left) / scales, float(rows.sum())


def _product(kernel: Any, Z: Any, X: Any, weight: Floats) -> Any:
    matrices = [part(Z, X) for part in kernel.parts]
    for i, part in enumerate(kernel.parts):
        others = weight.copy()
        for matrix in matrices[:i] + matrices[i + 1 :]:
            others *= matrix
        yield cross_gradient(part, Z, X, others)


def _together(pieces: list[tuple[Floats, Floats | None]]) -> tuple[Floats, Floats | None]:
    theta = np.concatenate([piece[0] for piece in pieces])
    points = [piece[1] for piece in pieces]
    if any(piece is None for piece in points):
        return theta, None
    return theta, np.sum(np.stack([p for p in points if p is not None]), axis=0)


def _joint(kernel: Any, Z: Any, X: Any, weight: Floats) -> Floats:
    """From the symmetric matrix of both sets, a block of at most twice ``m`` at a time."""
    m, n = weight.shape
    total = np.zeros(len(kernel.theta))
    if not total.size:
        return total
    for start in range(0, n, max(m, 64)):
        part = X[start : start + max(m, 64)]
        size = len(part)
        both = np.concatenate([Z, part]) if isinstance(Z, np.ndarray) else [*Z, *part]
        block = np.zeros((m + size, m + size))
        block[:m, m:] = 0.5 * weight[:, start : start + size]
        block[m:, :m] = block[:m, m:].T
        total += kernel.gradient_product(both, block)
    return total
