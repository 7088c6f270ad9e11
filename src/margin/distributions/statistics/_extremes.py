"""The least and the largest value of every column."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers
from margin.distributions.statistics._weights import is_shared, responsibilities, row_weights


@dataclass(frozen=True, eq=False)
class Extremes:
    """Weight and range of every column; NaN is left out, and so are rows of weight zero.

    A commutative monoid; the range of nothing is from infinity to minus infinity.

    Parameters
    ----------
    weight, low, high : ndarray of shape () or (d,), or (k,) or (k, d)

    Examples
    --------
    >>> Extremes.of([1.0, 3.0]) + Extremes.of([2.0, 5.0])
    Extremes(weight=array(4.), low=array(1.), high=array(5.))
    """

    weight: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Self:
        """Range of the columns of ``X`` of shape (n,) or (n, d), for every column of weights."""
        x = numbers(cls.__name__, "X", X)
        if np.isinf(x).any():
            raise check.fail(cls.__name__, "X", "finite or NaN", "infinity")
        if weight is not None and is_shared(weight):
            shares = responsibilities(cls.__name__, weight, len(x))
            members = [cls.of(x, w) for w in shares.T]
            return cls(
                *(np.array([getattr(m, f) for m in members]) for f in ("weight", "low", "high"))
            )
        w = row_weights(cls.__name__, weight, len(x)).reshape((-1,) + (1,) * (x.ndim - 1))
        seen = ~np.isnan(x) & (w > 0)
        return cls(
            np.asarray(np.where(seen, w, 0.0).sum(axis=0)),
            np.asarray(np.where(seen, x, np.inf).min(axis=0, initial=np.inf)),
            np.asarray(np.where(seen, x, -np.inf).max(axis=0, initial=-np.inf)),
        )

    def __add__(self, other: "Extremes") -> "Extremes":
        if not isinstance(other, Extremes):
            return NotImplemented
        if self.low.shape != other.low.shape:
            raise check.fail(self, "shape", f"{self.low.shape}", other.low.shape)
        return Extremes(
            np.asarray(self.weight + other.weight),
            np.asarray(np.minimum(self.low, other.low)),
            np.asarray(np.maximum(self.high, other.high)),
        )

    def __radd__(self, other: int) -> "Extremes":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented

    def __getitem__(self, key: Any) -> "Extremes":
        return Extremes(*(np.asarray(a[key]) for a in (self.weight, self.low, self.high)))
