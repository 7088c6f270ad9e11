"""Weighted rows themselves, for families without statistics of fixed size."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers
from margin.distributions.statistics._weights import is_shared, responsibilities, row_weights


@dataclass(frozen=True, eq=False)
class WeightedSample:
    """Distinct rows with their weights: what a median, or a heavy tail, cannot do without.

    A commutative monoid like the sums of other families, but as large as the data: rows are sorted
    and equal ones merged.

    Parameters
    ----------
    values : ndarray of shape (m,) or (m, d)
        Distinct rows, in order.
    weight : ndarray of shape (m,) or (k, m)
        Their weights, for one member or for ``k``.

    Examples
    --------
    >>> WeightedSample.of([2.0, 1.0, 2.0])
    WeightedSample(values=array([1., 2.]), weight=array([1., 2.]))
    """

    values: Floats
    weight: Floats

    @classmethod
    def of(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Self:
        """The rows of ``X`` of shape (n,) or (n, d) with weights of shape (n,) or (n, k)."""
        x = numbers(cls.__name__, "X", X)
        if x.ndim not in (1, 2):
            raise check.fail(cls.__name__, "X", "one- or two-dimensional", f"shape {x.shape}")
        if np.isinf(x).any():
            raise check.fail(cls.__name__, "X", "finite or NaN", "infinity")
        if weight is not None and is_shared(weight):
            return cls._merged(x, responsibilities(cls.__name__, weight, len(x)).T)
        return cls._merged(x, row_weights(cls.__name__, weight, len(x)))

    @classmethod
    def _merged(cls, x: Floats, w: Floats) -> Self:
        rows = x.reshape(len(x), int(np.prod(x.shape[1:])))
        kept = (np.atleast_2d(w) > 0).any(axis=0) & ~np.isnan(rows).all(axis=1)
        x, rows, w = x[kept], rows[kept], w[..., kept]
        if not len(x):
            return cls(x, w)
        order = np.lexsort(rows.T[::-1])
        ahead, behind = rows[order[1:]], rows[order[:-1]]
        differs = ((ahead != behind) & ~(np.isnan(ahead) & np.isnan(behind))).any(axis=1)
        starts = np.flatnonzero(np.concatenate([[True], differs]))
        return cls(x[order][starts], np.add.reduceat(w[..., order], starts, axis=-1))

    def __add__(self, other: "WeightedSample") -> "WeightedSample":
        if not isinstance(other, WeightedSample):
            return NotImplemented
        if self.values.shape[1:] != other.values.shape[1:]:
            raise check.fail(
                self, "columns", f"{self.values.shape[1:]}", f"shape {other.values.shape[1:]}"
            )
        return WeightedSample._merged(
            np.concatenate([self.values, other.values]),
            np.concatenate([self.weight, other.weight], axis=-1),
        )

    def __radd__(self, other: int) -> "WeightedSample":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented

    def __getitem__(self, member: int) -> "WeightedSample":
        if self.weight.ndim != 2:
            raise TypeError("WeightedSample: statistics of one member cannot be indexed")
        return WeightedSample._merged(self.values, self.weight[member])

    def columns(self) -> list[tuple[Floats, Floats]]:
        """Observed values and weights of every member and column, members first."""
        rows = self.values.reshape(len(self.values), int(np.prod(self.values.shape[1:])))
        members = np.atleast_2d(self.weight)
        pairs = []
        for w in members:
            for column in rows.T:
                seen = ~np.isnan(column) & (w > 0)
                pairs.append((column[seen], w[seen]))
        return pairs

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of an array with an entry for each member and column."""
        return self.weight.shape[:-1] + self.values.shape[1:]
