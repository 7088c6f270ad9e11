"""Derivatives of a kernel between two sets of points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.kernels import Constant, Constrained, Product, Radial, Scaled, Sum

Floats = NDArray[np.float64]


def cross_gradient(
    kernel: Any, Z: Any, X: Any, weight: Floats, *, points: bool = True
) -> tuple[Floats, Floats | None]:
    r"""Weighted sums :math:`\sum_{ij} W_{ij}\, \partial k(z_i, x_j)`.

    Parameters
    ----------
    kernel : Kernel
        Without white noise.
    Z : array of shape (m, d), or a list of m objects
    X : array of shape (n, d), or a list of n objects
    weight : ndarray of shape (m, n)
    points : bool
        Whether the derivatives in ``Z`` are wanted.

    Returns
    -------
    theta : ndarray of shape (p,)
        Derivatives in the log hyper-parameters.
    points : ndarray of shape (m, d) or None
        Derivatives in ``Z``; None where the kernel does not say or nobody asked.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> theta, points = cross_gradient(RBF(1.0), np.zeros((1, 1)), np.ones((1, 1)), np.ones((1, 1)))
    >>> theta.round(6), points.round(6)
    (array([0.606531]), array([[0.606531]]))
    """
    if isinstance(kernel, Radial) and isinstance(Z, np.ndarray):
        return _radial(kernel, Z, X, weight, points)[:2]
    if isinstance(kernel, Constrained):
        theta, moved = cross_gradient(kernel.kernel, Z, X, weight, points=points)
        return theta[kernel._open], moved
    if isinstance(kernel, Scaled):
        if isinstance(kernel.kernel, Radial) and isinstance(Z, np.ndarray):
            theta, moved, total = _radial(kernel.kernel, Z, X, weight, points)
        else:
            total = float(np.vdot(weight, kernel.kernel(Z, X)))
            theta, moved = cross_gradient(kernel.kernel, Z, X, weight, points=points)
        theta = kernel.factor * np.concatenate([[total], theta])
        return theta, None if moved is None else kernel.factor * moved
    if isinstance(kernel, Sum):
        return _together([cross_gradient(p, Z, X, weight, points=points) for p in kernel.parts])
    if isinstance(kernel, Product):
        return _together(list(_product(kernel, Z, X, weight, points)))
    if isinstance(kernel, Constant):
        zero = np.zeros(Z.shape) if isinstance(Z, np.ndarray) else None
        return np.array([kernel.value * float(weight.sum())]), zero
    return _joint(kernel, Z, X, weight), None


def _radial(
    kernel: Radial, Z: Floats, X: Floats, weight: Floats, points: bool
) -> tuple[Floats, Floats | None, float]:
    """Both derivatives, and the weighted sum of the kernel."""
    if points:
        return kernel.cross_gradient_product(Z, X, weight)
    # The kernel is symmetric, and the weights may already lie in memory the other way round.
    return kernel.cross_gradient_product(X, Z, weight.T, points=False)


def _product(kernel: Any, Z: Any, X: Any, weight: Floats, points: bool) -> Any:
    matrices = [part(Z, X) for part in kernel.parts]
    for i, part in enumerate(kernel.parts):
        others = weight.copy()
        for matrix in matrices[:i] + matrices[i + 1 :]:
            others *= matrix
        yield cross_gradient(part, Z, X, others, points=points)


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
