"""Rows that share leaves: proximities, and the targets behind a prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats, Indices, Ints
from margin.distributions import Empirical


def proximity(leaves: Ints, others: Ints) -> Floats:
    """Share of the trees in which two rows end in the same leaf, shape (n_rows, n_others)."""
    shares = np.zeros((len(leaves), len(others)))
    for a, b in zip(leaves.T, others.T, strict=True):
        shares += a[:, None] == b
    return np.asarray(shares / leaves.shape[1])


@dataclass(frozen=True, eq=False)
class LeafRows:
    """For every tree its training rows, leaf after leaf.

    Parameters
    ----------
    rows : list of array
        Rows of each tree, sorted by leaf.
    starts : list of array
        Where the rows of each node start, and the end.
    weights : list of array
        Weight of each of the rows in its tree.
    targets : array of shape (n_rows,)
        What the rows had to predict.
    """

    rows: list[Indices]
    starts: list[Indices]
    weights: list[Floats]
    targets: Floats

    @classmethod
    def of(cls, leaves: Ints, n_nodes: Indices, weights: Any, targets: Floats) -> LeafRows:
        """From the leaf of every training row in every tree; ``weights(t)`` of all rows."""
        rows, starts, shares = [], [], []
        for t, leaf in enumerate(leaves.T):
            weight = weights(t)
            seen = np.flatnonzero(weight > 0)
            order = seen[np.argsort(leaf[seen], kind="stable")]
            rows.append(order)
            starts.append(np.searchsorted(leaf[order], np.arange(n_nodes[t] + 1)))
            shares.append(weight[order])
        return cls(rows, starts, shares, targets)

    def law(self, leaves: Ints) -> Empirical:
        """Targets of the training rows in the leaves of new rows, each tree with equal weight."""
        n, n_trees = leaves.shape
        sizes = np.stack(
            [s[leaf + 1] - s[leaf] for s, leaf in zip(self.starts, leaves.T, strict=True)], axis=1
        )
        width = int(sizes.sum(axis=1).max())
        atoms, weight = np.zeros((n, width)), np.zeros((n, width))
        place = np.zeros(n, dtype=np.int64)
        for t in range(n_trees):
            size, start = sizes[:, t], self.starts[t][leaves[:, t]]
            row = np.repeat(np.arange(n), size)
            within = np.arange(len(row)) - np.repeat(np.cumsum(size) - size, size)
            at = np.repeat(start, size) + within
            share = self.weights[t][at]
            share = share / np.bincount(row, share, minlength=n)[row]
            atoms[row, place[row] + within] = self.targets[self.rows[t][at]]
            weight[row, place[row] + within] = share
            place += size
        return Empirical(atoms, weight)
