"""Which rows and columns each tree of a forest sees (tree.07)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from margin.core.types import Bytes, Floats, Indices, Ints


@dataclass(frozen=True, eq=False)
class Draws:
    """Random parts of a table, one per tree, each known by its seed alone.

    Parameters
    ----------
    n_rows, n_columns : int
        Size of the table.
    seeds : array of int64
        One per tree.
    n_drawn : int or None
        Rows drawn with replacement per tree; None: every tree sees all rows once.
    n_tree_columns : int or None
        Columns drawn without replacement per tree; None: all.
    """

    n_rows: int
    n_columns: int
    seeds: Indices
    n_drawn: int | None = None
    n_tree_columns: int | None = None

    def counts(self, tree: int) -> Indices:
        """How often each row was drawn for a tree."""
        if self.n_drawn is None:
            return np.ones(self.n_rows, dtype=np.int64)
        rng = np.random.default_rng(int(self.seeds[tree]))
        drawn = rng.integers(self.n_rows, size=self.n_drawn)
        return np.bincount(drawn, minlength=self.n_rows)

    def rows(self, tree: int) -> Indices:
        """The rows drawn for a tree, in rising order, as often as they were drawn."""
        return np.repeat(np.arange(self.n_rows), self.counts(tree))

    def left_out(self, tree: int) -> Indices:
        """The rows that a tree has not seen: a share of about exp(-1) (tree.09)."""
        return np.flatnonzero(self.counts(tree) == 0)

    def columns(self, trees: range) -> Bytes | None:
        """A row of flags per tree, 1 for the columns that it may use; None: all of them."""
        if self.n_tree_columns is None:
            return None
        flags = np.zeros((len(trees), self.n_columns), dtype=np.uint8)
        for i, tree in enumerate(trees):
            rng = np.random.default_rng([int(self.seeds[tree]), 1])
            flags[i, rng.choice(self.n_columns, self.n_tree_columns, replace=False)] = 1
        return flags


def tree_weights(
    draws: Draws, trees: range, weight: Floats | None, balanced: Ints | None
) -> Floats | None:
    """Weights of all rows in some trees; None where all are one.

    ``balanced`` holds the codes of the classes, shape (n_outputs, n_rows), where classes weigh the
    same in every tree.
    """
    if draws.n_drawn is None and weight is None and balanced is None:
        return None
    rows = np.empty((len(trees), draws.n_rows))
    for i, tree in enumerate(trees):
        counts = draws.counts(tree)
        rows[i] = counts if weight is None else counts * weight
        if weight is not None and not rows[i].any():
            rows[i] = weight  # a draw of rows without weight alone: the tree sees them all
        for codes in () if balanced is None else balanced:
            size = np.bincount(codes, counts)
            share = counts.sum() / (np.count_nonzero(size) * np.maximum(size, 1))
            rows[i] *= share[codes]
    return rows


def batches(n_trees: int, first: int, n_rows: int, n_threads: int) -> Iterator[range]:
    """Trees that are grown together: enough for all threads, few enough for their weights."""
    size = max(n_threads, int(4e6 // max(n_rows, 1)))
    for start in range(first, n_trees, size):
        yield range(start, min(n_trees, start + size))
