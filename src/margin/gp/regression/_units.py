"""Units of the targets."""

from typing import NamedTuple

import numpy as np

from margin.core.types import Floats


class Units(NamedTuple):
    """Where a model puts the zero of each target, and its unit.

    Parameters
    ----------
    shift, size : ndarray of shape (k,)

    Examples
    --------
    >>> Units.of(np.array([[1.0], [3.0]])).scaled(np.array([[5.0]]))
    array([[3.]])
    """

    shift: Floats
    size: Floats

    @classmethod
    def of(cls, columns: Floats) -> "Units":
        """Mean and deviation of each column; NaN is not measured."""
        largest = np.nanmax(np.abs(columns), axis=0, initial=0.0)
        # Squares of huge targets overflow; division by a power of two rounds nothing.
        power = np.ldexp(1.0, np.clip(np.frexp(largest)[1], -1021, 1023))
        small = columns / power
        shift, size = power * np.nanmean(small, axis=0), power * np.nanstd(small, axis=0)
        # A constant target differs from its mean by rounding only, which is not a scale.
        return cls(shift, np.where(size > 1e-14 * np.abs(shift), size, 1.0))

    @classmethod
    def none(cls, k: int) -> "Units":
        """Targets as they are."""
        return cls(np.zeros(k), np.ones(k))

    def scaled(self, columns: Floats) -> Floats:
        """Targets in these units."""
        return np.asarray((columns - self.shift) / self.size)

    def mean(self, scaled: Floats) -> Floats:
        """A mean in the units of the targets."""
        return np.asarray(scaled * self.size + self.shift)

    def spread(self, scaled: Floats) -> Floats:
        """A standard deviation in the units of the targets."""
        return np.asarray(scaled * self.size)

    def var(self, scaled: Floats) -> Floats:
        """Variances, or covariances with the targets along the last axis, in those units."""
        return np.asarray(scaled * self.size**2)
