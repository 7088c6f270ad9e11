"""Sums of kernels around the points of a tree."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native
from margin.native.neighbors.trees import Blocks

Floats = NDArray[np.float64]

KERNELS = ("gaussian", "exponential", "tophat", "epanechnikov", "linear", "cosine")
"""Kernels by the codes of the compiled loops."""


def log_kernel_sums(
    tree: Blocks,
    weight: Floats,
    Q: Floats,
    kernel: str,
    bandwidth: float,
    *,
    log_scale: float = 0.0,
    atol: float = 0.0,
    rtol: float = 0.0,
    n_threads: int = 1,
) -> Floats:
    r"""Logarithm of :math:`\sum_i w_i K(d(q, x_i) / h)` for every query.

    The error of the sum is at most ``rtol`` of it, or ``atol`` after ``log_scale`` is added. What
    is less than the rounding of the sum is always left out.

    Parameters
    ----------
    tree : Blocks
        With nodes, in double precision.
    weight : ndarray of shape (n,)
        Of the points, in the order of the table.
    Q : ndarray of shape (m, p)
    kernel : str
        One of :data:`KERNELS`.
    bandwidth : float
    log_scale : float
        Logarithm of the factor that turns a sum into a density.
    atol, rtol : float
    n_threads : int

    Returns
    -------
    ndarray of shape (m,)
    """
    if tree.lower is None or tree.upper is None:
        raise ValueError("log_kernel_sums: tree must have nodes")
    placed = np.where(tree.order < 0, 0.0, weight[np.maximum(tree.order, 0)])
    size = tree.leaf_blocks * tree.blocks.shape[2]
    leaves = np.add.reduceat(placed, np.arange(0, len(placed), size))
    total = np.concatenate([[0.0], np.cumsum(leaves)])
    out = np.empty(len(Q))
    _native.kernel_sums(
        tree.blocks,
        tree.order,
        tree.lower,
        tree.upper,
        tree.leaf_blocks,
        tree.measure,
        tree.power,
        placed,
        total,
        Q,
        KERNELS.index(kernel),
        bandwidth,
        log_scale,
        atol,
        max(rtol, np.finfo(np.float64).eps / 4),
        out,
        n_threads,
    )
    return out
