"""Weighting by the inverse of the propensity."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import logit

from margin.causal.methods._batches import FoldedRows, placebo_log_odds
from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._lines import solve_normal
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._scores import Method, Scores, compared
from margin.core import check
from margin.core.types import Floats, Indices
from margin.linalg import gram


@dataclass(frozen=True)
class InverseWeighting(Method):
    r"""Rows weighted by one over the probability of the level they had (causal.21).

    .. math:: \hat\mu_a = \frac1n \sum_i \frac{1[A_i = a]\, Y_i}{e_a(x_i)}
        \quad\text{or}\quad
        \sum_i \frac{1[A_i = a]\, Y_i}{e_a(x_i)} \Big/ \sum_i \frac{1[A_i = a]}{e_a(x_i)}

    The first is plain, the second normalised: it never leaves the range of the outcomes.
    Stabilised weights carry the share of the level on top; they are smaller, and the estimate is
    divided by their sum. Clipping is a setting of the propensities.

    Parameters
    ----------
    kind : {"normalised", "plain", "stabilised"}, default="normalised"

    Notes
    -----
    Where the propensity is our logistic regression, errors account for its having been estimated,
    which makes them smaller; for other classifiers they are those of a known propensity.
    """

    kind: str = "normalised"
    title: ClassVar[str] = "inverse-propensity weighting"

    def __post_init__(self) -> None:
        check.params(self, one_of={"kind": ("normalised", "plain", "stabilised")})

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Weighted means and their influence functions."""
        e = nuisance.propensities(data)
        ratio, total, means = self._weighed(data, e)
        y = data.y[:, None]
        centre = data.population[:, None] if self.kind == "plain" else ratio
        influence = (ratio * y - centre * means) / total
        if nuisance.propensity_model is None and nuisance.clip is None:
            moved = ratio * (y if self.kind == "plain" else y - means) / total
            influence = _with_estimated(data, e, moved, influence)
        return compared(data, means, influence, propensity=e, balancing=ratio.sum(axis=1))

    def estimate(self, data: EffectData, nuisance: Nuisance) -> Floats:
        """Differences of the weighted means."""
        means = self._weighed(data, nuisance.propensities(data))[2]
        return np.asarray(means[1:] - means[0])

    def placebos(
        self, data: EffectData, nuisance: Nuisance, scores: Scores, orders: Indices
    ) -> Floats:
        """Of the default model by one Newton step for every order from what all share."""
        if not nuisance.is_plain(data) or data.arms is None or data.target != "ate":
            return super().placebos(data, nuisance, scores, orders)
        T = data.arms.astype(np.float64)[orders]
        return self._differences(data, T, placebo_log_odds(data.lines, T, data.weight))

    def with_columns(
        self, data: EffectData, nuisance: Nuisance, scores: Scores, columns: Floats
    ) -> Floats:
        """Of the default model by one Newton step along each column."""
        if not nuisance.is_plain(data) or data.arms is None or data.target != "ate":
            return super().with_columns(data, nuisance, scores, columns)
        if scores.propensity is None:
            return super().with_columns(data, nuisance, scores, columns)
        rows = FoldedRows.of(data.lines, data.weight, None)
        e = scores.propensity[:, 1]
        left = data.weight * (data.arms - e)
        along = rows.changes(columns, data.weight * e * (1 - e), left)
        along += logit(e)[:, None]
        return self._differences(data, data.arms.astype(np.float64)[None], along.T)

    def _differences(self, data: EffectData, T: Floats, log_odds: Floats) -> Floats:
        """Estimates for rows of treatments and of their log-odds, two levels."""
        # One over the chance of the level that a row has is 1 + exp(-z) or 1 + exp(z); beyond 700
        # it is as large as numbers are.
        ratio = np.exp(np.minimum((1 - 2 * T) * log_odds, 700.0))
        ratio += 1.0
        sums = np.column_stack([data.weight * data.y, data.weight])
        both = ratio @ sums
        treated = ratio @ (T.T * sums) if len(T) == 1 else (T * ratio) @ sums
        tops, totals = np.stack([treated, both - treated]).transpose(2, 0, 1)
        means = tops / (data.n if self.kind == "plain" else totals)
        return np.asarray(means[0] - means[1])

    def _weighed(self, data: EffectData, e: Floats) -> tuple[Floats, Floats, Floats]:
        """Weights of the rows by level, their totals, and the weighted means."""
        ratio = inverse(data, e) * data.indicators
        if self.kind == "stabilised":
            ratio *= data.weight @ data.indicators / data.n
        w = data.weight
        share = (w @ data.population) / data.n
        total = np.full(ratio.shape[1], share) if self.kind == "plain" else w @ ratio / data.n
        return ratio, total, (w * data.y) @ ratio / data.n / total


def inverse(data: EffectData, e: Floats) -> Floats:
    """One over the propensity of each level, times that of the level asked for if it is one."""
    with np.errstate(divide="ignore"):
        ratio = 1.0 / e
    if data.target == "ate":
        return ratio
    level = data.population_level
    ratio = e[:, [level]] * ratio
    ratio[:, level] = 1.0
    return np.asarray(ratio)


def _with_estimated(data: EffectData, e: Floats, terms: Floats, influence: Floats) -> Floats:
    r"""Add what the estimation of a logistic regression contributes.

    .. math:: \varphi_i + s_i^\top H^{-1} d,\qquad
        d = \frac1n \sum_i \partial \varphi_i / \partial\beta

    with scores :math:`s` and information :math:`H` of the regression.
    """
    X, w, k = data.lines, data.weight / data.n, len(data.levels)
    others = range(1, k)
    gaps = data.indicators - e
    H = np.block([[_information(X, w, e, b, c) for c in others] for b in others])
    slopes = np.empty((len(H), k))
    for a in range(k):
        parts = []
        for b in others:
            if data.target == "ate":
                factor = e[:, b] - (a == b)
            else:
                factor = np.full(data.n, float((data.population_level == b) - float(a == b)))
            parts.append(X.T @ (w * terms[:, a] * factor))
        slopes[:, a] = np.concatenate(parts)
    steps = np.split(solve_normal(H, slopes), len(others))
    for b, step in zip(others, steps, strict=True):
        influence = influence + gaps[:, [b]] * (X @ step)
    return influence


def _information(X: Floats, w: Floats, e: Floats, b: int, c: int) -> Floats:
    """A block of the curvature of the regression."""
    if b == c:
        return gram(X, w * e[:, b] * (1 - e[:, b]))[0]
    return -gram(X, w * e[:, b] * e[:, c])[0]
