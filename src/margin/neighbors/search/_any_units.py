"""Searches in other units where powers of distances leave the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core.types import Floats, Indices
from margin.neighbors.search._build import index_of
from margin.neighbors.search._choice import Choice
from margin.neighbors.search._indexes import Index
from margin.neighbors.search._metric import Metric
from margin.neighbors.search._ragged import Ragged

_RANGE = 900.0  # powers of two that squares and their sums may have without loss
_FARTHEST = 1000


@dataclass(frozen=True, eq=False)
class AnyUnits(Index):
    """Points whose distances are searched by their powers, and anew in other units where needed.

    Squares of numbers above 1e154 are infinite, and those below 1e-162 are zero. What a search
    answers shows it, so that nothing has to be looked at before. Units are powers of two: no digit
    is lost.

    Parameters
    ----------
    X : table or sparse matrix
    metric : Metric
        One whose distances grow with the rows.
    choice : Choice
    leaf_size, n_threads : int
    plain : Index
        The points as they are.
    """

    X: Any
    metric: Metric
    choice: Choice
    leaf_size: int
    n_threads: int
    plain: Index

    def nearest(self, Q: Any, k: int, n_threads: int) -> tuple[Floats, Indices]:
        """See :class:`Index`."""
        distance, number = self.plain.nearest(Q, k, n_threads)
        if self._holds(distance[:, -1:]) or self.unit == 1.0:
            return distance, number
        with np.errstate(over="ignore"):
            distance, number = self._rescaled.nearest(Q * self.unit, k, n_threads)
            return distance / self.unit, number

    def within(self, Q: Any, radius: Floats, n_threads: int) -> Ragged:
        """See :class:`Index`."""
        near = self.plain.within(Q, radius, n_threads)
        if self._holds(near.distance) or self.unit == 1.0:
            return near
        with np.errstate(over="ignore"):
            near = self._rescaled.within(Q * self.unit, radius * self.unit, n_threads)
            return Ragged(near.offsets, near.distance / self.unit, near.number)

    def _holds(self, distance: Floats) -> bool:
        """Whether powers of these distances are numbers, neither infinite nor lost."""
        farthest = float(distance.max(initial=0.0))
        bound = min(_RANGE / self.metric.power, float(_FARTHEST))
        return not distance.size or 2.0**-bound < farthest < 2.0**bound

    @cached_property
    def unit(self) -> float:
        """Factor on all rows: 1 where the largest entry is neither huge nor tiny."""
        entries = self.X.data if issparse(self.X) else np.asarray(self.X)
        largest = float(max(entries.max(initial=0.0), -entries.min(initial=0.0)))
        exponent = int(np.clip(np.frexp(largest)[1], -_FARTHEST, _FARTHEST))
        far = abs(exponent) * self.metric.power > 0.5 * _RANGE
        return 2.0**-exponent if largest > 0.0 and far else 1.0

    @cached_property
    def _rescaled(self) -> Index:
        rows = self.X * self.unit
        return index_of(rows, self.metric, self.choice, self.leaf_size, self.n_threads)


def in_any_units(X: Any, metric: Metric, choice: Choice, leaf_size: int, n_threads: int) -> Index:
    """Points prepared for the method chosen, whatever the size of their numbers.

    Examples
    --------
    >>> metric, choice = Metric("euclidean"), Choice("brute", "few rows")
    >>> X = np.array([[0.0], [1e-200], [5e-200]])
    >>> index = in_any_units(X, metric, choice, 30, 1)
    >>> index.nearest(np.array([[4e-200]]), 2, 1)
    (array([[1.e-200, 3.e-200]]), array([[2, 1]]))
    """
    plain = index_of(X, metric, choice, leaf_size, n_threads)
    by_rows = metric.form == "rows" and metric.measure in ("euclidean", "minkowski")
    by_products = issparse(X) and metric.name == "euclidean"
    if not (by_rows or by_products):
        return plain
    return AnyUnits(X, metric, choice, leaf_size, n_threads, plain)
