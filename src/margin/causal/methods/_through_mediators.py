"""The front door: an effect through mediators, with a hidden common cause."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._lines import solve_normal
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._overlap import NoOverlapError
from margin.causal.methods._scores import Method, Scores, compared, mean_of
from margin.core import check
from margin.core.types import Floats, Indices


@dataclass(frozen=True)
class FrontDoor(Method):
    r"""Effect through mediators (causal.23).

    .. math:: \hat\mu_a = \sum_m \hat P(m \mid a) \sum_{a'} \hat P(a') \hat E[Y \mid a', m]

    With covariates :math:`c` everything is given them and averaged over them. For the effect on
    the treated or the untreated the inner sum has their level alone.

    Parameters
    ----------
    kind : {"auto", "cells", "lines"}, default="auto"
        ``"cells"``: frequencies and means of every combination of mediators, which are discrete.
        ``"lines"``: for every level of the treatment, least squares of the mediators on the
        covariates and of the outcome on mediators and covariates. ``"auto"``: cells where there
        are no covariates and no mediator has more than ``n_levels`` levels. A continuous
        treatment enters both regressions as a column.
    n_levels : int, default=10
        Most levels of a mediator of cells.
    """

    kind: str = "auto"
    n_levels: int = 10
    title: ClassVar[str] = "front-door adjustment"
    door: ClassVar[str] = "frontdoor"

    def __post_init__(self) -> None:
        check.params(self, count="n_levels", one_of={"kind": ("auto", "cells", "lines")})

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Estimates with the influence of each of their parts."""
        if not data.mediators.size:
            raise check.fail(data.owner, "mediators", "given, or found in the graph", None)
        most = max(len(np.unique(values)) for values in data.mediators.T)
        cells = self.kind == "cells"
        if self.kind == "auto":
            cells = most <= self.n_levels and not data.X.shape[1] and data.arms is not None
        if not cells:
            return _slopes(data) if data.arms is None else _lines(data)
        if most > self.n_levels:
            raise check.fail(
                data.owner, "mediators", f"of at most {self.n_levels} levels for cells", most
            )
        if data.X.shape[1]:
            raise check.fail(data.owner, "adjustment", "left out for cells", data.columns)
        return _cells(data)


def _cells(data: EffectData) -> Scores:
    """Frequencies and cell means, with the influence of each."""
    codes: Indices = np.zeros(data.n, dtype=np.int64)
    for values in data.mediators.T:
        distinct, own = np.unique(values, return_inverse=True)
        codes = np.unique(codes * len(distinct) + own, return_inverse=True)[1]
    k, n_m, a = len(data.levels), int(codes.max()) + 1, data.codes
    count = np.bincount(a * n_m + codes, data.weight, k * n_m).reshape(k, n_m)
    if (count == 0).any():
        level, m = np.argwhere(count == 0)[0]
        raise NoOverlapError(
            f"{data.owner}: overlap must hold: every value of the mediators needs rows of "
            f"every level, got none of {data.levels[level]!r} at "
            f"{data.mediators[codes == m][0]}"
        )
    total = np.bincount(a * n_m + codes, data.weight * data.y, k * n_m).reshape(k, n_m)
    cell, p_a = total / count, count.sum(axis=1) / data.n
    given = count / count.sum(axis=1, keepdims=True)
    of = _population(data, p_a)
    inner = of @ cell
    means = given @ inner
    # Three parts: the cell mean, the law of the mediator, the law of the treatment.
    ratio = given[:, codes].T * of[a, None] / (count[a, codes] / data.n)[:, None]
    influence = ratio * (data.y - cell[a, codes])[:, None]
    influence += data.indicators / p_a * (inner[codes][:, None] - means)
    if data.target == "ate":
        influence += given.dot(cell.T)[:, a].T - means
    influence -= mean_of(influence, data.weight)
    return compared(data, means, influence)


def _population(data: EffectData, shares: Floats) -> Floats:
    """Shares of the levels among those whose effect is asked for."""
    if data.target == "ate":
        return shares
    return np.asarray(np.arange(len(shares)) == data.population_level, dtype=np.float64)


def _lines(data: EffectData) -> Scores:
    r"""Least squares for every level.

    With :math:`\hat m_a(c)` of the mediators and :math:`\hat y_{a'}(m, c)` of the outcome,
    :math:`\hat\mu_a` is the mean over the rows of :math:`\hat y_{a_i}(\hat m_a(c_i), c_i)`.
    """
    C, M, w, a = data.lines, data.mediators, data.weight, data.codes
    k, q = len(data.levels), M.shape[1]
    D = np.hstack([C, M])
    data.smallest_arm  # noqa: B018  refuses an arm of one row
    through, final, grams = [], [], []
    for level in range(k):
        own = w * (a == level)
        wC, wD = C * own[:, None], D * own[:, None]
        grams.append((wC.T @ C / data.n, wD.T @ D / data.n))
        through.append(solve_normal(grams[-1][0], wC.T @ M / data.n))
        final.append(solve_normal(grams[-1][1], wD.T @ data.y / data.n))
    beta = np.stack(final)
    share = float(w @ data.population) / data.n
    use = data.population / share
    left = data.y - (D * beta[a]).sum(axis=1)
    means, influence = np.empty(k), np.empty((data.n, k))
    for level in range(k):
        expected = C @ through[level]
        seen = np.hstack([C, expected])
        value = (seen * beta[a]).sum(axis=1)
        means[level] = mean_of(value, w * use)
        influence[:, level] = use * (value - means[level])
        for other in range(k):
            inside = a == other
            centre = (w * use * inside) @ seen / data.n
            pull = D @ solve_normal(grams[other][1], centre)
            influence[:, level] += inside * pull * left
        # How the means move with what is expected of the mediators.
        weights = (w * use)[:, None] * beta[a][:, -q:]
        pull = C @ solve_normal(grams[level][0], C.T @ weights / data.n)
        influence[:, level] += (a == level) * (pull * (M - expected)).sum(axis=1)
    return compared(data, means, influence)


def _slopes(data: EffectData) -> Scores:
    r"""Of continuous treatments: slopes of the mediators times those of the outcome on them."""
    C, M, w, q = (
        np.hstack([data.lines, data.t]),
        data.mediators,
        data.weight,
        data.mediators.shape[1],
    )
    D, m = np.hstack([C, M]), data.t.shape[1]
    first, second = (X.T @ (X * w[:, None]) / data.n for X in (C, D))
    gamma = solve_normal(first, C.T @ (M * w[:, None]) / data.n)
    beta = solve_normal(second, D.T @ (w * data.y) / data.n)
    theta = gamma[-m:] @ beta[-q:]
    left, residual = data.y - D @ beta, M - C @ gamma
    pick = np.zeros((C.shape[1], m))
    pick[-m:] = np.eye(m)
    ends = np.zeros((D.shape[1], m))
    ends[-q:] = gamma[-m:].T
    influence = (C @ solve_normal(first, pick)) * (residual @ beta[-q:])[:, None]
    influence += (D @ solve_normal(second, ends)) * left[:, None]
    return Scores(data.names, np.asarray(theta), np.asarray(influence))
