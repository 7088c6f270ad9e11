"""Weight, mean and scatter of columns by themselves."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Bools, Floats
from margin.distributions._requirements import numbers
from margin.distributions.statistics._weights import (
    blocks,
    is_shared,
    responsibilities,
    row_weights,
)


@dataclass(frozen=True, eq=False)
class ColumnMoments:
    """Weight, mean and scatter of every column by itself; NaN is left out (distributions.37).

    As :class:`Moments`, without the products between columns, and with a weight for each column.
    With a matrix of weights, a column for each of ``k`` members, all are stacked along a first
    axis.

    Parameters
    ----------
    weight, mean, scatter : ndarray of shape () or (d,), or (k,) or (k, d)
        Total weight of the observed entries, their mean and their sum of squares about it.

    Examples
    --------
    >>> import numpy as np
    >>> ColumnMoments.of([[1.0, np.nan], [3.0, 5.0]])
    ColumnMoments(weight=array([2., 1.]), mean=array([2., 5.]), scatter=array([2., 0.]))
    """

    weight: Floats
    mean: Floats
    scatter: Floats

    @classmethod
    def of(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Self:
        """Statistics of the columns of ``X`` of shape (n,) or (n, d); NaN means unobserved."""
        X = numbers(cls.__name__, "X", X)
        if X.ndim not in (1, 2):
            raise check.fail(cls.__name__, "X", "one- or two-dimensional", f"shape {X.shape}")
        if np.isinf(X).any():
            raise check.fail(cls.__name__, "X", "finite or NaN", "infinity")
        if weight is not None and is_shared(weight):
            return cls(*_shared_columns(X, responsibilities(cls.__name__, weight, len(X))))
        w = row_weights(cls.__name__, weight, len(X))
        seen = ~np.isnan(X) & (w > 0).reshape((-1,) + (1,) * (X.ndim - 1))
        each = np.where(seen, w.reshape((-1,) + (1,) * (X.ndim - 1)), 0.0)
        total = np.asarray(each.sum(axis=0))
        safe = np.where(total > 0, total, 1.0)
        if not len(X):
            return cls(total, np.zeros(X.shape[1:]), np.zeros(X.shape[1:]))
        first = np.take_along_axis(X, np.expand_dims(np.argmax(seen, axis=0), 0), axis=0)[0]
        mean = np.where(total > 0, first, 0.0)
        centred = np.where(seen, X - mean, 0.0)
        for _ in range(2):
            rest = np.asarray((each * centred).sum(axis=0)) / safe
            mean = mean + rest
            centred = np.where(seen, centred - rest, 0.0)
        return cls(total, mean, np.asarray((each * centred**2).sum(axis=0)))

    def __add__(self, other: "ColumnMoments") -> "ColumnMoments":
        if not isinstance(other, ColumnMoments):
            return NotImplemented
        if self.mean.shape != other.mean.shape:
            raise check.fail(self, "shape", f"{self.mean.shape}", other.mean.shape)
        total = self.weight + other.weight
        share = other.weight / np.where(total > 0, total, 1.0)
        shift = np.where((self.weight > 0) & (other.weight > 0), other.mean - self.mean, 0.0)
        return ColumnMoments(
            total,
            np.where(self.weight > 0, self.mean, other.mean) + shift * share,
            self.scatter + other.scatter + shift**2 * self.weight * share,
        )

    def __radd__(self, other: int) -> "ColumnMoments":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented

    def __getitem__(self, key: Any) -> "ColumnMoments":
        return ColumnMoments(*(np.asarray(a[key]) for a in (self.weight, self.mean, self.scatter)))


def _shared_columns(X: Floats, shares: Floats) -> tuple[Floats, Floats, Floats]:
    """Weight, mean and scatter of every column for every column of ``shares``."""
    rows = X.reshape(len(X), int(np.prod(X.shape[1:])))
    k, d = shares.shape[1], rows.shape[1]
    total, mean, rest = (np.zeros((k, d)) for _ in range(3))
    scatter = np.zeros((k, d))
    centre = _first_seen(rows)
    for part in blocks(len(rows), d):
        seen = ~np.isnan(rows[part])
        total += shares[part].T @ seen.astype(np.float64)
        mean += shares[part].T @ _filled(rows[part] - centre, seen)
    safe = np.where(total > 0, total, 1.0)
    mean = np.where(total > 0, centre + mean / safe, 0.0)
    for part in blocks(len(rows), d):
        seen = ~np.isnan(rows[part])
        whole = bool(seen.all())
        for j in range(k):
            away = rows[part] - mean[j]
            away = away if whole else _filled(away, seen)
            rest[j] += shares[part, j] @ away
            scatter[j] += shares[part, j] @ away**2
    rest = np.where(total > 0, rest / safe, 0.0)
    scatter = np.where(total > 0, np.maximum(scatter - total * rest**2, 0.0), 0.0)
    shape = (k, *X.shape[1:])
    return total.reshape(shape), (mean + rest).reshape(shape), scatter.reshape(shape)


def _filled(values: Floats, seen: Bools) -> Floats:
    return np.where(seen, values, 0.0)


def _first_seen(rows: Floats) -> Floats:
    """An observed value of every column, to measure from; 0 where there is none."""
    if not len(rows):
        return np.zeros(rows.shape[1])
    first = np.argmax(~np.isnan(rows), axis=0)
    return np.asarray(np.nan_to_num(np.take_along_axis(rows, first[None], axis=0)[0]))
