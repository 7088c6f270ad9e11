"""Epochs of the perceptron's corrections."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def perceptron_epoch(
    X: Any,
    code: Indices,
    weight: Floats | None,
    order: Indices,
    rate: Floats,
    intercept: bool,
    w: Floats,
    dual: Floats,
    mistakes: Indices,
    *,
    total: Floats | None = None,
    dual_total: Floats | None = None,
    elapsed: float = 0.0,
) -> int:
    """Visit rows in ``order`` and correct ``w`` where a row is not strictly on its own side.

    ``w`` has one row for two classes, one per class otherwise, intercepts last. The ``k``-th
    correction of this call is by ``rate[k]``, times the weight of the row; it is added to ``dual``
    of shape (n, rows of w), and ``mistakes`` counts it. ``total``, where given, collects the
    corrections times the visits before them, ``elapsed`` of them in earlier calls: the mean of the
    weights over all visits is ``w - total / visits``, and likewise for ``dual_total``. Returns the
    number of corrections.
    """
    tail = (code, weight, order, rate, intercept, w, total, dual, dual_total, mistakes, elapsed)
    if isinstance(X, np.ndarray):
        return int(_native.perceptron_dense(X, *tail))
    return int(_native.perceptron_sparse(X.indptr, X.indices, X.data, *tail))
