"""A table with its means and scales taken away."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats


@dataclass(frozen=True)
class StandardTable:
    """Rows in standard units, with what was taken away."""

    rows: Floats
    mean: Floats
    scale: Floats


def standard_table(
    X: Floats, weight: Floats | None, scale: bool, in_place: bool = False
) -> StandardTable:
    """Centred columns, divided by their standard deviation where that is asked for.

    A column that is constant up to rounding becomes zero and keeps the scale one. Written on ``X``
    itself with ``in_place``.

    Examples
    --------
    >>> standard_table(np.array([[1.0, 5.0], [3.0, 5.0]]), None, True).rows
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    mean = np.average(X, axis=0, weights=weight)
    rows = X if in_place and X.flags.writeable else X.copy()
    largest = np.abs(X).max(axis=0, initial=0.0)
    rows -= mean
    # Squares in units of a power of two neither overflow nor vanish.
    unit = np.ldexp(1.0, np.frexp(np.where(largest > 0, largest, 1.0))[1] - 1)
    deviation = unit * np.sqrt(np.average((rows / unit) ** 2, axis=0, weights=weight))
    flat = deviation <= 10 * np.finfo(np.float64).eps * largest
    rows[:, flat] = 0.0
    if not scale:
        return StandardTable(rows, mean, np.ones(X.shape[1]))
    deviation[flat] = 1.0
    rows /= deviation
    return StandardTable(rows, mean, deviation)
