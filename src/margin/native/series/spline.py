"""Natural cubic smoothing spline in linear time."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def smoothing_spline(
    gap: Floats, y: Floats, weight: Floats, strength: float
) -> tuple[Floats, Floats, Floats]:
    """Fitted values, second derivatives at the knots, and the diagonal of the hat matrix.

    ``gap`` holds the distances between the sorted knots, all above 0, as are the weights.
    """
    fitted, bend, leverage = np.empty_like(y), np.empty_like(y), np.empty_like(y)
    _native.smoothing_spline(gap, y, weight, strength, fitted, bend, leverage)
    return fitted, bend, leverage
