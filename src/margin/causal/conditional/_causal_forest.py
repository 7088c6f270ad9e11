"""A forest whose leaves hold effects."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import norm

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
        r"""Deviation between bags, less what trees differ by chance, plus what chance is left.

        Each bag saw half of the rows, so its mean deviates from that of all by as much as the
        forest does from the truth, and by its few trees: :math:`V + \sigma^2 / 4`. The difference
        of two noisy variances is taken for what it tells of a :math:`V` that is not negative.
        """
        top, bottom = self._leaves(M)
        mean = np.maximum(bottom.mean(axis=0), 1e-300)
        gap = (top - top.sum(axis=0) / np.maximum(bottom.sum(axis=0), 1e-300) * bottom) / mean
        bags = gap.reshape(-1, BAG, len(M))
        n_bags = len(bags)
        within = bags.var(axis=1, ddof=1).mean(axis=0) / BAG
        if n_bags == 1:
            return np.asarray(np.sqrt(within))
        between = bags.mean(axis=1).var(axis=0, ddof=1)
        noise = 2 * (between**2 / (n_bags - 1) + within**2 / (n_bags * (BAG - 1)))
        return np.asarray(np.sqrt(at_least_zero(between - within, noise) + between / n_bags))


def at_least_zero(estimate: Floats, variance: Floats) -> Floats:
    r"""What is expected of a value that is not negative, given a noisy estimate of it.

    With a flat prior on the half line and normal noise of deviation :math:`s` it is
    :math:`\hat v + s\,\phi(\hat v / s) / \Phi(\hat v / s)`.

    Examples
    --------
    >>> at_least_zero(np.array([3.0, 0.0, -1.0]), np.array([0.0, 1.0, 1.0])).round(4)
    array([3.    , 0.7979, 0.5251])
    """
    s = np.sqrt(np.maximum(variance, 1e-300))
    u = estimate / s
    hazard = np.exp(norm.logpdf(u) - norm.logcdf(u))
    return np.asarray(np.where(variance > 0, estimate + s * hazard, np.maximum(estimate, 0.0)))


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
