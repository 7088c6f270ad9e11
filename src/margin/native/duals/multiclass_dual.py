"""Passes over the dual of a multi-class machine with a kernel."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

CRAMMER_SINGER, WESTON_WATKINS = 0, 1


def multiclass_pass(
    kind: int,
    gram: Floats,
    order: Indices,
    codes: Indices,
    cap: Floats,
    pace: float,
    b: Floats,
    f: Floats,
    bias: Floats,
) -> None:
    """Visit the rows ``order``: the best multipliers of one row at a time, others fixed.

    ``b`` and ``f = gram @ b``, both of shape (n, n_classes), and ``bias``, which moves by ``pace``
    times the change of the multipliers, are changed in place. ``cap`` holds the price of every row.
    """
    _native.multiclass_pass(kind, gram, order, codes, cap, pace, b, f, bias)
