"""Neighbours of different number for every query."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from margin.core.types import Array, Bools, Floats, Indices


@dataclass(frozen=True, eq=False)
class Ragged:
    """Lists of neighbours one after another; those of query i at ``offsets[i]:offsets[i+1]``.

    Parameters
    ----------
    offsets : ndarray of shape (n_queries + 1,)
    distance, number : ndarray of shape (n_pairs,)
        Nearest first, equal distances by number.
    """

    offsets: Indices
    distance: Floats
    number: Indices

    @property
    def counts(self) -> Indices:
        """How many neighbours each query has."""
        return np.diff(self.offsets)

    @property
    def queries(self) -> Indices:
        """The query of every pair."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.counts)

    def kept(self, mask: Bools) -> Ragged:
        """Only the pairs marked."""
        counts = np.bincount(self.queries[mask], minlength=len(self.offsets) - 1)
        return Ragged(offsets_of(counts), self.distance[mask], self.number[mask])

    def by_number(self) -> Ragged:
        """Every list in the order of the numbers."""
        order = np.lexsort((self.number, self.queries))
        return Ragged(self.offsets, self.distance[order], self.number[order])

    def lists(self) -> tuple[Array, Array]:
        """Arrays of arrays: distances and numbers of every query."""
        return _split(self.distance, self.offsets), _split(self.number, self.offsets)


def offsets_of(counts: Array) -> Indices:
    """Where lists of the given lengths begin and end."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def joined(parts: list[Ragged]) -> Ragged:
    """The lists of several sets of queries, one set after another."""
    counts = np.concatenate([part.counts for part in parts])
    distance = np.concatenate([part.distance for part in parts])
    return Ragged(offsets_of(counts), distance, np.concatenate([part.number for part in parts]))


def _split(values: Array, offsets: Indices) -> Array:
    lists = np.empty(len(offsets) - 1, dtype=object)
    for i, (start, stop) in enumerate(pairwise(offsets)):
        lists[i] = values[start:stop].copy()
    return lists
