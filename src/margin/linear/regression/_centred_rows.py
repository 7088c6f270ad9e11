"""Rows ready for a least-squares factorisation: centred, and multiplied by root weights."""

from typing import NamedTuple

import numpy as np

from margin.core.types import Array, Floats


class CentredRows(NamedTuple):
    """Design and target whose plain least squares is the weighted one with an intercept."""

    rows: Floats
    target: Floats
    means: Floats
    level: float
    total: float

    def intercept(self, coef: Floats) -> float:
        """Intercept in the units of the data."""
        return self.level - float(self.means @ coef)


def centred_rows(X: Array, y: Floats, weight: Floats | None, intercept: bool) -> CentredRows:
    """Float64 rows less their weighted mean, times the square root of their weight.

    Examples
    --------
    >>> import numpy as np
    >>> data = centred_rows(np.array([[1.0], [3.0]]), np.array([0.0, 2.0]), None, True)
    >>> data.rows.ravel(), data.level
    (array([-1.,  1.]), 1.0)
    """
    weight = np.ones(len(y)) if weight is None else weight
    rows, means, level = X.astype(np.float64), np.zeros(X.shape[1]), 0.0
    if intercept:
        means = np.average(rows, axis=0, weights=weight)
        level = float(np.average(y, weights=weight))
        rows -= means
        # What a constant column leaves after centring is rounding, not a direction.
        spread = np.abs(rows[weight > 0]).max(axis=0)
        rows[:, spread <= len(y) * np.finfo(np.float64).eps * np.abs(means)] = 0.0
    root = np.sqrt(weight)
    return CentredRows(rows * root[:, None], (y - level) * root, means, level, float(weight.sum()))
