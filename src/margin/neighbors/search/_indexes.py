"""Searches as values: points prepared once, asked often."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from margin.core import objects
from margin.core.types import Array, Floats, Indices
from margin.native.neighbors import brute, trees
from margin.neighbors.search._metric import Metric, pair_rows
from margin.neighbors.search._ragged import Ragged, joined, offsets_of

_MOST_CANDIDATES = 4096
_BLOCK = 2**22  # distances held at once
_EXTRA = 16  # candidates beyond k whose distances are computed anew


class Index(ABC):
    """Points to search: the contract of all searches."""

    @abstractmethod
    def nearest(self, Q: Any, k: int, n_threads: int) -> tuple[Floats, Indices]:
        """Distances and numbers of the ``k`` nearest points of each query, nearest first."""

    @abstractmethod
    def within(self, Q: Any, radius: Floats, n_threads: int) -> Ragged:
        """All points at most ``radius`` away, one radius for each query."""


class RowIndex(Index):
    """Searches among mapped rows, whose answers are read by the metric."""

    X: Array
    metric: Metric

    @abstractmethod
    def _nearest(self, Q: Floats, k: int, n_threads: int) -> tuple[Floats, Indices]: ...

    @abstractmethod
    def _within(self, Q: Floats, radius: Floats, n_threads: int) -> Ragged: ...

    def nearest(self, Q: Any, k: int, n_threads: int) -> tuple[Floats, Indices]:
        """Of the mapped rows, then read as distances of the rows themselves."""
        distance, number = self._nearest(self._mapped(Q), k, n_threads)
        if self.metric.form == "rows":
            return distance, number
        queries, points = pair_rows(number)
        true = self.metric.outer(distance.ravel(), Q[queries], self.X[points])
        return _in_order(true.reshape(distance.shape), number)

    def within(self, Q: Any, radius: Floats, n_threads: int) -> Ragged:
        """Of the mapped rows within a radius that may be too wide, then those within the own."""
        rough = self._within(self._mapped(Q), self.metric.inner_radius(radius), n_threads)
        if self.metric.form == "rows":
            return rough
        queries = rough.queries
        true = self.metric.outer(rough.distance, Q[queries], self.X[rough.number])
        inside = self.metric.inside(true, radius[queries])
        near = Ragged(rough.offsets, true, rough.number)
        return near if inside is None else near.kept(inside)

    def _mapped(self, Q: Array) -> Floats:
        return np.ascontiguousarray(self.metric.mapped(Q, queries=True), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Blocks(RowIndex):
    """Points in blocks, under a tree or under none."""

    X: Array
    metric: Metric
    blocks: trees.Blocks

    def _nearest(self, Q: Floats, k: int, n_threads: int) -> tuple[Floats, Indices]:
        return trees.nearest(self.blocks, Q, k, n_threads)

    def _within(self, Q: Floats, radius: Floats, n_threads: int) -> Ragged:
        return Ragged(*trees.within(self.blocks, Q, radius, n_threads))


@dataclass(frozen=True, eq=False)
class Products(RowIndex):
    """Euclidean points by products in single precision, the doubtful ones by blocks.

    Rows are packed for the products when the first query comes.
    """

    X: Array
    metric: Metric
    rows: Array

    @cached_property
    def panels(self) -> brute.Panels:
        """The rows as products take them."""
        return brute.panels(self.rows)

    @cached_property
    def _slow(self) -> trees.Blocks:
        return trees.plain_blocks(self.rows, "euclidean")

    def _nearest(self, Q: Floats, k: int, n_threads: int) -> tuple[Floats, Indices]:
        good = brute.near_enough(self.panels, Q)
        most = max(_MOST_CANDIDATES, 8 * k)
        if good.all():
            distance, number = brute.nearest(self.panels, Q, k, most, n_threads)
        else:
            distance, number = np.empty((len(Q), k)), np.full((len(Q), k), -1)
            near = np.ascontiguousarray(Q[good])
            distance[good], number[good] = brute.nearest(self.panels, near, k, most, n_threads)
        left = np.flatnonzero(number[:, 0] < 0)
        if len(left):
            distance[left], number[left] = trees.nearest(self._slow, Q[left], k, n_threads)
        return distance, number

    def _within(self, Q: Floats, radius: Floats, n_threads: int) -> Ragged:
        if brute.near_enough(self.panels, Q).all():
            return Ragged(*brute.within(self.panels, Q, radius, n_threads))
        return Ragged(*trees.within(self._slow, Q, radius, n_threads))


@dataclass(frozen=True, eq=False)
class Matrices(Index):
    """Points known by functions of tables: blocks of queries against all of them."""

    X: Any
    metric: Metric

    def nearest(self, Q: Any, k: int, n_threads: int) -> tuple[Floats, Indices]:
        """By the smallest entries of the rows of the matrix."""
        parts = []
        wide = min(objects.count(self.X), k + _EXTRA) if self._refined else k
        for _, block in _blocks(Q, objects.count(self.X)):
            distance, number = brute.smallest(self._distances(block), wide, n_threads)
            if self._refined:
                distance, number = self._exact(block, number)
            parts.append((distance[:, :k], number[:, :k]))
        if not parts:
            return np.empty((0, k)), np.empty((0, k), dtype=np.int64)
        distances, numbers = zip(*parts, strict=True)
        return np.concatenate(distances), np.concatenate(numbers)

    def within(self, Q: Any, radius: Floats, n_threads: int) -> Ragged:
        """By the entries of the matrix that do not exceed the radius."""
        parts = [
            within_matrix(self._distances(block), radius[rows])
            for rows, block in _blocks(Q, objects.count(self.X))
        ]
        return joined(parts) if parts else within_matrix(np.empty((0, 1)), radius)

    @property
    def _refined(self) -> bool:
        """Whether distances come from products of sparse rows, where digits cancel."""
        return self.metric.name in ("euclidean", "sqeuclidean")

    def _exact(self, Q: Any, number: Indices) -> tuple[Floats, Indices]:
        distance = self._between(Q, *pair_rows(number)).reshape(number.shape)
        return _in_order(distance, number)

    def _between(self, Q: Any, queries: Indices, points: Indices) -> Floats:
        """Distances of pairs of rows, by their differences."""
        difference = Q[queries] - self.X[points]
        with np.errstate(over="ignore"):
            # A matrix of one column where the rows are a sparse matrix, not a sparse array.
            square = np.asarray(difference.multiply(difference).sum(axis=1), np.float64).ravel()
        return np.sqrt(square) if self.metric.name == "euclidean" else square

    def _distances(self, Q: Any) -> Array:
        pairs = self.metric.pairs
        with np.errstate(over="ignore", invalid="ignore"):
            matrix = pairs(Q, self.X) if pairs is not None else np.empty((0, 0))
        if self._refined and np.isnan(matrix).any():
            # Squares beyond the largest number cancelled; differences may not be.
            for query in np.flatnonzero(np.isnan(matrix).any(axis=1)):
                points = np.flatnonzero(np.isnan(matrix[query]))
                matrix[query, points] = self._between(Q, np.full(len(points), query), points)
        kind = np.float32 if matrix.dtype == np.float32 else np.float64
        return np.ascontiguousarray(matrix, dtype=kind)


def _blocks(Q: Any, n: int) -> Iterator[tuple[slice, Any]]:
    step = max(1, _BLOCK // max(1, n))
    for start in range(0, objects.count(Q), step):
        rows = slice(start, start + step)
        yield rows, Q[rows]


def within_matrix(D: Array, radius: Floats) -> Ragged:
    """Entries of every row of a matrix that do not exceed its radius."""
    queries, number = np.nonzero(radius[:, None] >= D)
    counts = np.bincount(queries, minlength=len(D))
    distance = D[queries, number].astype(np.float64)
    order = np.lexsort((number, distance, queries))
    return Ragged(offsets_of(counts), distance[order], number[order])


def _in_order(distance: Floats, number: Indices) -> tuple[Floats, Indices]:
    """Each row by distance, then number."""
    order = np.lexsort((number, distance), axis=1)
    return np.take_along_axis(distance, order, 1), np.take_along_axis(number, order, 1)
