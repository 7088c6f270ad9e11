"""Passes over the dual of Crammer and Singer's machine without a kernel."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

LANES = 4


def padded(n_classes: int) -> int:
    """Columns that the functions of so many classes take: whole registers."""
    return -(-n_classes // LANES) * LANES


def linear_multiclass_passes(
    X: Any,
    constant: float,
    codes: Indices,
    cap: Floats,
    square: Floats,
    b: Floats,
    W: Floats,
    rows: Indices,
    *,
    seed: int,
    limit: int,
    shrinks: bool,
) -> int:
    r"""Visit ``rows`` in random order: the best multipliers of one row at a time, others fixed.

    The objective is :math:`\tfrac12 \|W\|^2 - \sum_i b_{i y_i}` with :math:`W = \sum_i \tilde x_i
    b_i^\top`, :math:`\sum_k b_{ik} = 0` and :math:`b_{ik} \le c_i [k = y_i]`; :math:`\tilde x_i` is
    the row followed by ``constant`` and ``square`` its squared length. ``b`` of shape
    (n, n_classes), ``W`` of shape (n_features + 1, ``padded(n_classes)``) and the order of ``rows``
    are changed in place. With ``shrinks`` a row found at rest sits out the passes that are left.
    Returns the passes made.
    """
    rest = (constant, codes, cap, square, b, W, rows, seed, limit, shrinks)
    if issparse(X):
        passes = _native.linear_multiclass_sparse(X.indptr, X.indices, X.data, *rest)
    else:
        passes = _native.linear_multiclass_dense(X, *rest)
    return int(passes)
