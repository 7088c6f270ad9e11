"""A forest whose leaves hold effects."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.causal.conditional._surfaces import Surface
from margin.core.types import Floats
from margin.tree import DecisionTreeRegressor

BAG = 4


@dataclass(frozen=True, eq=False)
class Forest(Surface):
    r"""Trees with the sums of residuals in their leaves.

    .. math:: \hat\tau(x) = \frac{\sum_b \bar n_b(x)}{\sum_b \bar d_b(x)},\qquad
        \bar n_b = \text{mean of } \tilde t \tilde y,\ \bar d_b = \text{mean of } \tilde t^2
        \text{ in the leaf of } x

    Parameters
    ----------
    trees : tuple of fitted trees
    tops, bottoms : tuple of ndarray
        Means by leaf; bags of four trees share half of the rows.
    """

    trees: tuple[Any, ...]
    tops: tuple[Floats, ...]
    bottoms: tuple[Floats, ...]

    def _leaves(self, M: Floats) -> tuple[Floats, Floats]:
        top, bottom = np.empty((2, len(self.trees), len(M)))
        for b, tree in enumerate(self.trees):
            leaf = tree.apply(M)
            top[b], bottom[b] = self.tops[b][leaf], self.bottoms[b][leaf]
        return top, bottom

    def values(self, M: Floats) -> Floats:
        """Ratio of the means over the trees."""
        top, bottom = self._leaves(M)
        return np.asarray(top.sum(axis=0) / np.maximum(bottom.sum(axis=0), 1e-300))

    def errors(self, M: Floats) -> Floats | None:
        """Deviation between bags, less what the trees of a bag differ by chance."""
        top, bottom = self._leaves(M)
        mean = np.maximum(bottom.mean(axis=0), 1e-300)
        gap = (top - top.sum(axis=0) / np.maximum(bottom.sum(axis=0), 1e-300) * bottom) / mean
        bags = gap.reshape(-1, BAG, len(M))
        between = bags.mean(axis=1).var(axis=0)
        within = bags.var(axis=1, ddof=1).mean(axis=0) / BAG
        return np.asarray(np.sqrt(np.maximum(between - within, 0.1 * between)))


def grown(
    M: Floats, y: Floats, t: Floats, weight: Floats, n_trees: int, min_samples_leaf: int,
    max_depth: int | None, seed: int,
) -> Forest:  # fmt: skip
    """Grow honest trees: one part of the rows chooses the splits, another fills the leaves.

    Splits separate rows whose slope of residuals on residuals differs from that of all.
    """
    rng, n = np.random.default_rng(seed), len(M)
    slope = float((weight * t) @ y) / max(float((weight * t) @ t), 1e-300)
    pull = t * (y - slope * t) / max(float(np.mean(t**2)), 1e-300)
    trees, tops, bottoms = [], [], []
    for b in range(-(-n_trees // BAG) * BAG):
        if b % BAG == 0:
            half = rng.permutation(n)[: max(n // 2, 2)]
        rows = rng.permutation(half)[: max(int(0.8 * len(half)), 2)]
        grow, fill = rows[: len(rows) // 2], rows[len(rows) // 2 :]
        tree = DecisionTreeRegressor(
            min_samples_leaf=min_samples_leaf, max_depth=max_depth,
            max_features=max(1, -(-2 * M.shape[1] // 3)), random_state=int(rng.integers(2**31)),
        )  # fmt: skip
        tree.fit(M[grow], pull[grow], sample_weight=weight[grow])
        leaf = tree.apply(M[fill])
        size = int(tree.tree_.node_count)
        mass = np.bincount(leaf, weight[fill], size)
        some = np.where(mass > 0, mass, 1.0)
        # A leaf without rows of the second part says nothing, in both sums.
        tops.append(np.bincount(leaf, weight[fill] * t[fill] * y[fill], size) / some)
        bottoms.append(np.bincount(leaf, weight[fill] * t[fill] ** 2, size) / some)
        trees.append(tree)
    return Forest(tuple(trees), tuple(tops), tuple(bottoms))
