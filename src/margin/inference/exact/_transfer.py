"""Chains by products of matrices."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats


def transfer(matrices: Sequence[ArrayLike], start: ArrayLike) -> tuple[Floats, float]:
    r"""Sum over a chain as a product of transfer matrices (``inference.06``).

    .. math:: M_1 (M_2 (\cdots (M_n v))), \qquad [M_k]_{ij} = \phi_k(x_{k-1} = i, x_k = j)

    Bracketed from the right every step is a matrix times a vector: linear in the length, quadratic
    in the states. Other brackets give the same answer at a higher price.

    Parameters
    ----------
    matrices : sequence of arrays
        Non-negative, from the asked end of the chain to the other.
    start : array
        Factor of the last variable.

    Returns
    -------
    vector : ndarray
        The sums, scaled to add up to one (zeros if they vanish).
    log_scale : float
        Logarithm of what they were divided by; never underflows.

    Examples
    --------
    >>> vector, log_scale = transfer([[[0.9, 0.2], [0.1, 0.8]]], [0.6, 0.4])
    >>> vector, round(log_scale, 12)
    (array([0.62, 0.38]), 0.0)
    """
    vector = np.asarray(start, dtype=np.float64)
    log_scale = 0.0
    for k in range(len(matrices) - 1, -2, -1):
        if k >= 0:
            matrix = np.asarray(matrices[k], dtype=np.float64)
            if matrix.ndim != 2 or matrix.shape[1] != len(vector):
                raise check.fail(
                    "transfer", f"matrices[{k}]", f"with {len(vector)} columns", matrix.shape
                )
            vector = matrix @ vector
        if not (np.isfinite(vector).all() and (vector >= 0).all()):
            raise check.fail("transfer", "matrices", "finite and non-negative", vector)
        mass = float(vector.sum())
        if mass == 0.0:
            return np.zeros(len(np.asarray(matrices[0])) if len(matrices) else len(vector)), -np.inf
        vector, log_scale = vector / mass, log_scale + float(np.log(mass))
    return vector, log_scale
