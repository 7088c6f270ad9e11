"""One pass of coordinate-wise Newton over the dual of logistic regression."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.native import _native

Floats = NDArray[np.float64]


def dual_logistic_pass(
    X: Any,
    order: NDArray[np.int64],
    y: Floats,
    weight: Floats,
    square: Floats,
    alpha: float,
    tau: float,
    u: Floats,
    r: Floats,
    w: Floats,
) -> None:
    """Visit the rows ``order``: exact maximum of the dual in one log-odds ``u[i]`` at a time.

    Writes to ``u``, to the residuals ``r`` (prediction minus target) and to ``w``, the
    coefficients followed by the intercept, which stay ``-X^T (weight * r) / alpha`` and move by
    ``-tau`` times the change of the weighted residuals. ``square`` holds the squared norms of the
    rows of ``X``, a C-ordered array or a CSR matrix.
    """
    rest = (order, y, weight, square, alpha, tau, u, r, w)
    if issparse(X):
        _native.dual_logistic_sparse(X.indptr, X.indices, X.data, *rest)
    else:
        _native.dual_logistic_dense(X, *rest)


def dual_logistic_kernel_pass(
    K: Floats,
    order: NDArray[np.int64],
    y: Floats,
    weight: Floats,
    square: Floats,
    alpha: float,
    tau: float,
    u: Floats,
    r: Floats,
    f: Floats,
) -> None:
    """The same for a kernel matrix; ``f`` holds the scores of all rows, then the intercept."""
    _native.dual_logistic_kernel(K, order, y, weight, square, alpha, tau, u, r, f)
