"""The front door: an effect through mediators, with a hidden common cause."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._scores import Method, Scores, compared, mean_of
from margin.core import check


@dataclass(frozen=True)
class FrontDoor(Method):
    r"""Effect through discrete mediators (causal.23).

    .. math:: \hat\mu_a = \sum_m \hat P(m \mid a) \sum_{a'} \hat P(a') \hat E[Y \mid a', m]

    Mediators are cut into at most ``n_levels`` levels.
    """

    n_levels: int = 10
    title: ClassVar[str] = "front-door adjustment"

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Frequencies and cell means, with the influence of each."""
        if not data.mediators.size:
            raise check.fail(data.owner, "mediators", "given, or found in the graph", None)
        codes = np.zeros(data.n, dtype=np.int64)
        for values in data.mediators.T:
            distinct, own = np.unique(values, return_inverse=True)
            if len(distinct) > self.n_levels:
                need = f"of at most {self.n_levels} levels"
                raise check.fail(data.owner, "mediators", need, len(distinct))
            codes = np.unique(codes * len(distinct) + own, return_inverse=True)[1]
        k, n_m, a = len(data.levels), int(codes.max()) + 1, data.codes
        count = np.bincount(a * n_m + codes, data.weight, k * n_m).reshape(k, n_m)
        if (count == 0).any():
            level, m = np.argwhere(count == 0)[0]
            raise ValueError(
                f"{data.owner}: overlap must hold: every value of the mediators needs rows of "
                f"every level, got none of {data.levels[level]!r} at "
                f"{data.mediators[codes == m][0]}"
            )
        total = np.bincount(a * n_m + codes, data.weight * data.y, k * n_m).reshape(k, n_m)
        cell, p_a = total / count, count.sum(axis=1) / data.n
        given = count / count.sum(axis=1, keepdims=True)
        inner = p_a @ cell
        means = given @ inner
        # Three parts: the cell mean, the law of the mediator, the law of the treatment.
        ratio = given[:, codes].T * p_a[a, None] / (count[a, codes] / data.n)[:, None]
        influence = ratio * (data.y - cell[a, codes])[:, None]
        influence += data.indicators / p_a * (inner[codes][:, None] - means)
        influence += given.dot(cell.T)[:, a].T - means
        influence -= mean_of(influence, data.weight)
        return compared(data, means, influence)
