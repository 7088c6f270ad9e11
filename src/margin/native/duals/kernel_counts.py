"""Visits of kernel machines that count their corrections."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def count_steps(
    K: NDArray[Any],
    visits: Indices,
    code: Indices,
    machines: Indices,
    values: Floats,
    counts: Floats,
    *,
    slope: float = 0.0,
    elapsed: float = 0.0,
    late: Floats | None = None,
) -> int:
    r"""Visit rows of the kernel matrix ``K``; count the corrections of the chosen machines.

    Visit :math:`t`, counted from ``elapsed``, corrects machine :math:`k` at row :math:`i` where
    :math:`y_i f_k(x_i) <` ``slope`` :math:`t`, or where both sides are zero: its count grows by
    one, and the signed row of ``K`` is added to ``values`` :math:`f_k`. One machine separates class
    1 from 0, several each their own class from all others. ``late``, where given, collects the
    visits before every correction: the means of the counts over time are
    ``counts - late / visits``. Returns the number of corrections; ``values``, ``counts`` and
    ``late`` of shape (all machines, n) are changed in place.
    """
    return int(
        _native.count_steps(
            K, visits, code, machines, float(slope), float(elapsed), values, counts, late
        )
    )
