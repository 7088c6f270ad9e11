"""Importance of columns: by shuffling them where a tree has not looked (tree.11), or by gains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from margin.core import extra
from margin.core.types import Array, Floats
from margin.ensemble.forests._draws import Draws
from margin.search import Forest

Loss = Callable[[Array, Floats], Floats]


@dataclass(frozen=True, eq=False)
class ForestImportance:
    """How much worse trees predict rows they have not seen when a column is shuffled.

    Parameters
    ----------
    per_tree : ndarray of shape (n_trees, n_features)
        Rise of the mean loss in every tree.
    level : float
        Level of the intervals.
    names : tuple of str
        Names of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> importance = ForestImportance(np.array([[0.2, 0.0], [0.4, 0.0]]), 0.95, ("a", "b"))
    >>> importance.mean
    array([0.3, 0. ])
    """

    per_tree: Floats
    level: float
    names: tuple[str, ...]

    @property
    def mean(self) -> Floats:
        """Mean rise of the loss over the trees."""
        return np.asarray(self.per_tree.mean(axis=0))

    @property
    def error(self) -> Floats:
        """Standard error of the mean."""
        n = len(self.per_tree)
        spread = self.per_tree.std(axis=0, ddof=1) if n > 1 else np.zeros(self.per_tree.shape[1])
        return np.asarray(spread / np.sqrt(n))

    @property
    def interval(self) -> Floats:
        """Ends of the confidence intervals, shape (n_features, 2)."""
        reach = NormalDist().inv_cdf(0.5 + self.level / 2) * self.error
        return np.stack([self.mean - reach, self.mean + reach], axis=1)

    def plot(self, ax: Any = None, *, most: int = 20) -> Any:
        """Draw the most important columns with their intervals; returns the axes."""
        plt = extra("matplotlib.pyplot", "ForestImportance.plot")
        axes = plt.gca() if ax is None else ax
        order = np.argsort(self.mean)[-most:]
        reach = self.interval[order, 1] - self.mean[order]
        axes.barh(range(len(order)), self.mean[order], xerr=reach, color="#4c78a8", capsize=3)
        axes.set_yticks(range(len(order)), [self.names[j] for j in order])
        axes.axvline(0.0, color="#4a5568", lw=0.8)
        axes.set_xlabel("rise of the loss out of the bag")
        return axes


def shuffled_rise(
    forest: Forest,
    draws: Draws,
    X: Any,
    y: Array,
    loss: Loss,
    *,
    n_repeats: int,
    rng: np.random.Generator,
) -> Floats:
    """Rise of the mean loss of each tree on its left-out rows, per shuffled column.

    A column that a tree does not ask for costs it nothing.
    """
    rises = np.zeros((forest.n_trees, forest.n_features))
    for t in range(forest.n_trees):
        rows = draws.left_out(t)
        nodes = slice(forest.offsets[t], forest.offsets[t + 1])
        used = np.unique(forest.feature[nodes])
        if not len(rows):
            continue
        table = np.array(X[rows].toarray() if hasattr(X, "toarray") else X[rows])
        base = loss(y[rows], forest.predict(table, first=t, last=t + 1)).mean()
        for j in used[used >= 0]:
            kept = table[:, j].copy()
            for _ in range(n_repeats):
                table[:, j] = rng.permutation(kept)
                worse = loss(y[rows], forest.predict(table, first=t, last=t + 1)).mean()
                rises[t, j] += (worse - base) / n_repeats
            table[:, j] = kept
    return rises


def gain_shares(forest: Forest) -> Floats:
    """Mean over the trees of the share of each column in the impurity removed; sums to one."""
    tree = np.repeat(np.arange(forest.n_trees), np.diff(forest.offsets))
    inner = ~forest.is_leaf
    gains = np.zeros((forest.n_trees, forest.n_features))
    np.add.at(gains, (tree[inner], forest.feature[inner]), forest.gain[inner])
    totals = gains.sum(axis=1)
    gains = gains[totals > 0] / totals[totals > 0, None]
    if not len(gains):
        return np.zeros(forest.n_features)
    mean = gains.mean(axis=0)
    return np.asarray(mean / mean.sum())
