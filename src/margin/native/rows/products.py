"""Products of a data matrix with coefficients, and the fused pass of a linear model."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def csr_product(matrix: Any, coef: Floats, n_threads: int) -> Floats:
    """Product of a CSR matrix of shape (n, p) with a dense ``coef`` of shape (p, k).

    The column indices are trusted: validate a matrix once (``check_format``) before its first use.
    """
    if coef.shape[0] != matrix.shape[1]:
        raise ValueError(f"csr_product: coef must have {matrix.shape[1]} rows, got {coef.shape[0]}")
    out = np.empty((matrix.shape[0], coef.shape[1]))
    _native.csr_product(matrix.indptr, matrix.indices, matrix.data, coef, out, n_threads)
    return out


def linear_pass(
    loss: int,
    X: NDArray[Any],
    y: Floats,
    weight: Floats | None,
    coef: Floats,
    intercept: float,
    curvature: Floats | None,
    gradient: Floats,
    n_threads: int,
) -> float:
    """Weighted loss of ``X @ coef + intercept`` in one pass over the C-ordered rows of ``X``.

    Fills ``gradient`` (features, then intercept) and, if given, ``curvature`` (one per row).
    """
    return float(
        _native.linear_pass(loss, X, y, weight, coef, intercept, curvature, gradient, n_threads)
    )
