"""Derivatives of any kernel between two sets of objects."""

from typing import Any

import numpy as np

from margin.core.types import Array, Floats

LEAST = 64


def joint_gradient(kernel: Any, X: Any, Z: Any, weight: Array) -> Floats:
    r"""Sums :math:`\sum_{ij} W_{ij}\, \partial k(x_i, z_j) / \partial \theta` of any kernel.

    A kernel gives the derivatives of the symmetric matrix of one set: that of both sets together
    holds those between them. A block of at most about twice ``X`` is looked at at a time.

    Parameters
    ----------
    kernel : Kernel
        Without noise of an object with itself.
    X, Z : arrays of shape (n, d) and (m, d), or lists of objects
    weight : ndarray of shape (n, m)

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> joint_gradient(RBF(1.0), np.zeros((1, 1)), np.ones((1, 1)), np.ones((1, 1))).round(6)
    array([0.606531])
    """
    n, m = weight.shape
    total = np.zeros(len(kernel.theta))
    if not total.size:
        return total
    for start in range(0, m, max(n, LEAST)):
        part = Z[start : start + max(n, LEAST)]
        size = len(part)
        both = np.concatenate([X, part]) if isinstance(X, np.ndarray) else [*X, *part]
        block = np.zeros((n + size, n + size))
        block[:n, n:] = 0.5 * weight[:, start : start + size]
        block[n:, :n] = block[:n, n:].T
        total += kernel.gradient_product(both, block)
    return total
