"""Estimates that are right if either the propensity or the regression is."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.special import expit, logit

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._scores import Method, Scores, compared, mean_of
from margin.causal.methods._weighting import inverse
from margin.core.types import Floats


@dataclass(frozen=True)
class DoublyRobust(Method):
    r"""Augmented inverse-propensity weighting with cross-fitting.

    .. math:: \hat\mu_a = \frac1n \sum_i \hat m_a(x_i)
        + \frac{1[A_i = a]}{\hat e_a(x_i)} \bigl(Y_i - \hat m_a(x_i)\bigr)

    Every row is judged by models that have not seen it, so that flexible learners may be used.
    Errors are those of the efficient influence function.
    """

    title: ClassVar[str] = "doubly robust (augmented weighting)"

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Efficient scores."""
        folds = nuisance.folds(data)
        e, m = nuisance.propensities(data, folds), nuisance.outcomes(data, folds)
        return efficient(data, e, m)


@dataclass(frozen=True)
class TargetedLikelihood(Method):
    r"""Targeted maximum likelihood with cross-fitting.

    The regressions are moved, on the scale of log-odds, until the weighted residuals of every
    level sum to zero, and then averaged: :math:`\hat\mu_a = \frac1n \sum_i \hat m_a^*(x_i)` with

    .. math:: \operatorname{logit} \hat m_a^* = \operatorname{logit} \hat m_a + \epsilon_a,\qquad
        \sum_i \frac{1[A_i = a]}{\hat e_a(x_i)} \bigl(Y_i - \hat m_a^*(x_i)\bigr) = 0 .

    Estimates stay within the range of the outcomes.
    """

    title: ClassVar[str] = "targeted maximum likelihood"

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Scores of the moved regressions."""
        folds = nuisance.folds(data)
        e, m = nuisance.propensities(data, folds), nuisance.outcomes(data, folds)
        low, high = float(data.y.min()), float(data.y.max())
        if high == low:
            return efficient(data, e, m)
        y = (data.y - low) / (high - low)
        offset = logit(np.clip((m - low) / (high - low), 1e-4, 1 - 1e-4))
        use = data.weight[:, None] * inverse(data, e) * data.indicators
        moved = np.column_stack(
            [_moved(offset[:, a], y, use[:, a]) for a in range(offset.shape[1])]
        )
        return efficient(data, e, low + (high - low) * moved)


def _moved(offset: Floats, y: Floats, weight: Floats) -> Floats:
    """Values whose weighted residuals sum to zero, by bisection: they rise with the shift."""
    inside = weight > 0
    o, v, w = offset[inside], y[inside], weight[inside]
    low, high, wanted = -30.0, 30.0, float(w @ v)
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if w @ expit(o + middle) < wanted else (low, middle)
    return np.asarray(expit(offset + 0.5 * (low + high)))


def efficient(data: EffectData, e: Floats, m: Floats) -> Scores:
    """Means and influence functions from propensities and regressions."""
    ratio = inverse(data, e) * data.indicators
    share = float(data.weight @ data.population) / data.n
    rows = (data.population[:, None] * m + ratio * (data.y[:, None] - m)) / share
    means = mean_of(rows, data.weight)
    influence = rows - (data.population / share)[:, None] * means
    return replace(compared(data, means, influence), propensity=e, balancing=ratio.sum(axis=1))
