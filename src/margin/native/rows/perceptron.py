"""Epochs of the perceptron's corrections."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Best:
    """The best weights so far, with what led to them; arrays that an epoch writes to.

    Parameters
    ----------
    w, dual, mistakes : ndarray
        As the epoch takes them.
    state : ndarray of shape (4,)
        Weight of the errors of the best weights, the longest run of right answers between two
        corrections, the weight of the errors at the end of the epoch, and the number of weights
        that were held against all rows.
    every : bool
        Whether to judge the weights after every correction, not only those that were right for
        longer than any before, and those at the end.
    """

    w: Floats
    dual: Floats
    mistakes: Indices
    state: Floats
    every: bool = False


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
    best: Best | None = None,
) -> int:
    """Visit rows in ``order`` and correct ``w`` where a row is not strictly on its own side.

    ``w`` has one row for two classes, one per class otherwise, intercepts last. The ``k``-th
    correction of this call is by ``rate[k]``, times the weight of the row; it is added to ``dual``
    of shape (n, rows of w), and ``mistakes`` counts it. ``total``, where given, collects the
    corrections times the visits before them, ``elapsed`` of them in earlier calls: the mean of the
    weights over all visits is ``w - total / visits``, and likewise for ``dual_total``. ``best``,
    where given, is replaced by weights that err no more on the rows of ``order`` (a score of zero
    is an answer for the first class). Returns the number of corrections.
    """
    kept: tuple[Any, ...] = (None, None, None, None, False)
    if best is not None:
        kept = (best.w, best.dual, best.mistakes, best.state, best.every)
    tail: tuple[Any, ...] = (code, weight, order, rate, intercept, w, total, dual, dual_total)
    tail = (*tail, mistakes, elapsed, *kept)
    if isinstance(X, np.ndarray):
        return int(_native.perceptron_dense(X, *tail))
    return int(_native.perceptron_sparse(X.indptr, X.indices, X.data, *tail))
