"""Two tables that come in blocks of rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import Blocks, check
from margin.core.types import Array, Floats
from margin.decomposition._blocks import moments
from margin.decomposition.correlation._standard_table import StandardTable
from margin.distributions import Moments

Pair = tuple[Array, Floats, Floats | None]


def checked_pairs(owner: Any, blocks: Blocks) -> Iterable[tuple[Pair, bool]]:
    """Rows, targets in columns and weights of every block, and whether the targets were flat."""
    first = True
    for block in blocks:
        if len(block) not in (2, 3):
            need = "of tuples (X, y) or (X, y, sample_weight)"
            raise check.fail(owner, "blocks", need, f"a block of {len(block)} parts")
        X, y, weight = check.data(owner, *block, multi_output=True, reset=first, part=True)
        first = False
        yield (X, y[:, None] if y.ndim == 1 else y, weight), y.ndim == 1
    if first:
        raise check.fail(owner, "blocks", "at least one block of rows", "none")


@dataclass(frozen=True, eq=False)
class PairMoments:
    """What canonical correlations need of two tables: sums over their rows.

    Parameters
    ----------
    stats : Moments
        Of the columns of both, side by side.
    largest : ndarray of shape (p + q,)
        Largest absolute value of every column.
    n_rows, split : int
        Rows, and columns of the first table.
    flat : bool
        Whether the second came as a vector.
    """

    stats: Moments
    largest: Floats
    n_rows: int
    split: int
    flat: bool

    @classmethod
    def of(cls, owner: Any, blocks: Any) -> "PairMoments":
        """Moments of blocks as a user gives them, in one pass."""
        stats: Any = 0
        largest, n, split, flat = np.zeros(0), 0, 0, False
        for (X, Y, weight), vector in checked_pairs(owner, Blocks.of(owner, blocks)):
            both = np.hstack([np.asarray(X, dtype=np.float64), Y])
            if n and both.shape[1] != len(largest):
                need = f"of {len(largest) - split} targets in every block"
                raise check.fail(owner, "blocks", need, Y.shape[1])
            top = np.abs(both).max(axis=0, initial=0.0)
            largest = np.maximum(largest, top) if n else top
            stats = stats + moments(both, weight)
            n, split, flat = n + len(both), X.shape[1], vector
        return cls(stats, largest, n, split, flat)

    def tables(self, scale: bool) -> tuple[StandardTable, StandardTable]:
        """Two tables of a few rows with the same scalar products as those of all rows.

        A column that is constant up to rounding becomes zero and keeps the scale one.
        """
        total = float(self.stats.weight)
        scatter = np.array(self.stats.scatter)
        deviation = np.sqrt(np.maximum(np.diagonal(scatter), 0.0) / total)
        still = deviation <= 10 * np.finfo(np.float64).eps * self.largest
        scatter[still], scatter[:, still] = 0.0, 0.0
        width = np.where(still, 1.0, deviation) if scale else np.ones(len(deviation))
        scatter /= np.outer(width, width)
        values, axes = np.linalg.eigh(scatter)
        rows = np.sqrt(np.maximum(values, 0.0))[:, None] * axes.T
        mean, p = np.asarray(self.stats.mean), self.split
        return (
            StandardTable(np.ascontiguousarray(rows[:, :p]), mean[:p], width[:p]),
            StandardTable(np.ascontiguousarray(rows[:, p:]), mean[p:], width[p:]),
        )
