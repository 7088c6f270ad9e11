"""Comparing groups: as they are, within strata of covariates, within strata of the propensity."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._overlap import NoOverlapError
from margin.causal.methods._scores import Method, Scores, compared
from margin.causal.tables._columns import is_words
from margin.core import check
from margin.core.types import Array, Floats, Indices


@dataclass(frozen=True)
class NaiveDifference(Method):
    r"""Difference of group means :math:`\bar y_a - \bar y_0` (causal.15).

    The effect only where the treatment does not depend on anything that moves the outcome.
    """

    title: ClassVar[str] = "difference of means"
    door: ClassVar[str] = "auto"

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """One stratum."""
        return stratified(data, np.zeros(data.n, dtype=np.int64))


@dataclass(frozen=True)
class Stratification(Method):
    r"""Weighted mean of differences within strata (causal.18).

    .. math:: \hat\mu_a = \sum_s \frac{n_s}{n} \bar y_{a, s}

    over all combinations of covariates, each cut into at most ``n_levels`` levels.

    Parameters
    ----------
    n_levels : int, default=5
        Most levels per covariate; numbers with more distinct values are cut at quantiles.
    """

    n_levels: int = 5
    title: ClassVar[str] = "stratification on covariates"

    def __post_init__(self) -> None:
        check.params(self, count="n_levels")

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Combinations of the levels."""
        return stratified(data, self._strata(data))

    def placebos(
        self, data: EffectData, nuisance: Nuisance, scores: Scores, orders: Indices
    ) -> Floats:
        """Of treatments shuffled within the strata, so that none loses a level."""
        strata = self._strata(data)
        places = np.argsort(strata, kind="stable")
        placebos = []
        for order in orders:
            arms = np.empty(data.n, dtype=np.int64)
            arms[places] = data.codes[order[np.argsort(strata[order], kind="stable")]]
            placebos.append(stratified(data.assigned(arms), strata).values[0])
        return np.array(placebos)

    def with_columns(
        self, data: EffectData, nuisance: Nuisance, scores: Scores, columns: Floats
    ) -> Floats:
        """With strata cut by each column, those left whole of which a part would lose a level."""
        strata, refined = self._strata(data), []
        k = len(data.levels)
        for values in columns.T:
            finer = strata * self.n_levels + cut(values, self.n_levels, data.owner)
            size = np.bincount(finer * k + data.codes, minlength=(finer.max() + 1) * k)
            size = size.reshape(-1, k)
            torn = (size.sum(axis=1) > 0) & (size == 0).any(axis=1)
            whole = np.unique(np.flatnonzero(torn) // self.n_levels)
            finer = np.where(np.isin(strata, whole), strata * self.n_levels, finer)
            codes = np.unique(finer, return_inverse=True)[1]
            refined.append(stratified(data, codes).values[0])
        return np.array(refined)

    def _strata(self, data: EffectData) -> Indices:
        strata = np.zeros(data.n, dtype=np.int64)
        for values in data.strata:
            codes = cut(values, self.n_levels, data.owner)
            strata = np.unique(strata * (codes.max() + 1) + codes, return_inverse=True)[1]
        return strata


@dataclass(frozen=True)
class PropensityStratification(Method):
    """Differences within quantiles of the propensity (causal.20).

    Of several levels each mean is that of the strata of the level's own propensity (Imbens, 2000).

    Parameters
    ----------
    n_strata : int, default=5
        Strata of equal size.
    """

    n_strata: int = 5
    title: ClassVar[str] = "stratification on the propensity"

    def __post_init__(self) -> None:
        check.params(self, count="n_strata")

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Quantiles of the propensity: of two levels the second's, of several each its own."""
        e = nuisance.propensities(data)
        if len(data.levels) == 2:
            return replace(stratified(data, self._cut(data, e[:, 1])), propensity=e)
        means, influence, balancing = [], [], np.zeros(data.n)
        for level in range(len(data.levels)):
            part = stratum_means(data, self._cut(data, e[:, level]), only=level)
            means.append(part.means[level])
            influence.append(part.influence[:, level])
            balancing += np.where(data.codes == level, part.balancing, 0.0)
        return compared(
            data, np.array(means), np.column_stack(influence), propensity=e, balancing=balancing
        )

    def _cut(self, data: EffectData, chance: Floats) -> Indices:
        return cut(np.round(chance, 9), self.n_strata, data.owner)


def cut(values: Array, n_levels: int, owner: str = "stratification") -> Indices:
    """Codes of at most ``n_levels`` levels, by quantiles where there are more numbers.

    Examples
    --------
    >>> cut(np.arange(10.0), 2)
    array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    """
    distinct, codes = np.unique(
        values.astype(str) if values.dtype.kind == "O" and is_words(values) else values,
        return_inverse=True,
    )
    if len(distinct) <= n_levels:
        return codes.astype(np.int64)
    if is_words(values):
        need = f"of at most {n_levels} levels (or method=Stratification(n_levels={len(distinct)}))"
        shown = f"{len(distinct)}: {', '.join(map(str, distinct[:3]))}, …"
        raise check.fail(owner, "covariate", need, shown)
    edges = np.quantile(values, np.arange(1, n_levels) / n_levels)
    return np.searchsorted(np.unique(edges), values, side="right").astype(np.int64)


def stratified(data: EffectData, strata: Indices) -> Scores:
    """Means of every level in every stratum, weighted by the strata of the population, compared."""
    part = stratum_means(data, strata)
    return compared(data, part.means, part.influence, balancing=part.balancing)


@dataclass(frozen=True, eq=False)
class StratumMeans:
    """Mean outcomes under the levels, their influence functions, and the weights of the rows."""

    means: Floats
    influence: Floats
    balancing: Floats


def stratum_means(data: EffectData, strata: Indices, *, only: int | None = None) -> StratumMeans:
    """Means of every level in every stratum, weighted by the strata of the population.

    Every stratum needs rows of every level, or of the one that is asked for.
    """
    n_strata, n_levels = int(strata.max()) + 1, len(data.levels)
    cell = strata * n_levels + data.codes
    size = np.bincount(cell, data.weight, n_strata * n_levels).reshape(n_strata, n_levels)
    total = np.bincount(cell, data.weight * data.y, n_strata * n_levels).reshape(size.shape)
    share = np.bincount(strata, data.weight * data.population, n_strata)
    needed = range(n_levels) if only is None else [only]
    _refuse_empty(data, strata, size, share, needed)
    means = total / np.where(size > 0, size, 1.0)
    of_all = share / share.sum()
    mu = of_all @ means
    # What a row adds: through the share of its stratum, and through the mean of its cell.
    scale = data.n / share.sum()
    influence: Floats = (data.population * scale)[:, None] * (means[strata] - mu)
    factor = of_all[strata] * data.n / size[strata, data.codes]
    own = data.y - means[strata, data.codes]
    influence[np.arange(data.n), data.codes] += factor * own
    return StratumMeans(mu, influence, factor)


def _refuse_empty(
    data: EffectData, strata: Indices, size: Array, share: Array, levels: Iterable[int]
) -> None:
    empty = [
        (stratum, level)
        for level in levels
        for stratum in np.flatnonzero((size[:, level] == 0) & (share > 0))
    ]
    if empty:
        stratum, level = min(empty)
        rows = np.flatnonzero(strata == stratum)
        raise NoOverlapError(
            f"{data.owner}: overlap must hold: every stratum needs rows of every level, "
            f"got none of level {data.levels[level]!r} in {len({s for s, _ in empty})} strata "
            f"(such as rows {rows[:5].tolist()}); use fewer covariates or levels, or a model of "
            "the propensity"
        )
