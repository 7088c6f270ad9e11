"""Learners of conditional effects built on other learners."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.causal.conditional._causal_forest import grown
from margin.causal.conditional._surfaces import Surface, surface
from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance, fitted_values
from margin.causal.methods._overlap import refuse_no_overlap, warn_of_no_overlap
from margin.causal.methods._regression import refuse_no_variation
from margin.causal.methods._weighting import inverse
from margin.core import check
from margin.core.types import Floats


class Learner(ABC):
    """A way from rows to a surface of effects."""

    title: ClassVar[str]

    @abstractmethod
    def surface(self, data: EffectData, M: Floats, nuisance: Nuisance, model: Any) -> Surface:
        """The effect as a function of the modifiers."""


@dataclass(frozen=True)
class SLearner(Learner):
    r"""One regression with the treatment among its columns, :math:`\hat m(x, 1) - \hat m(x, 0)`."""

    title: ClassVar[str] = "S-learner"

    def surface(self, data: EffectData, M: Floats, nuisance: Nuisance, model: Any) -> Surface:
        """By default least squares with products of treatment and covariates."""
        t = _two_levels(data)[:, None]
        warn_of_no_overlap(data)
        if nuisance.outcome_model is None:
            base = np.column_stack([np.ones(data.n), data.X])
            D = np.hstack([base, base * t])
            root = np.sqrt(data.weight)
            coef = np.linalg.lstsq(D * root[:, None], data.y * root, rcond=None)[0]
            gain = base @ coef[base.shape[1] :]
        else:
            both = [np.hstack([data.X, np.full((data.n, 1), v)]) for v in (1.0, 0.0)]
            seen = np.hstack([data.X, t])
            high, low = np.split(
                fitted_values(
                    data.owner, nuisance.outcome_model, seen, data.y, data.weight, np.vstack(both)
                ),
                2,
            )
            gain = high - low
        return surface(data.owner, M, gain, data.weight, model, trusted=False)


@dataclass(frozen=True)
class TLearner(Learner):
    r"""A regression for each level, :math:`\hat m_1(x) - \hat m_0(x)`."""

    title: ClassVar[str] = "T-learner"

    def surface(self, data: EffectData, M: Floats, nuisance: Nuisance, model: Any) -> Surface:
        """Difference of the two."""
        _two_levels(data)
        warn_of_no_overlap(data)
        m = nuisance.outcomes(data)
        return surface(data.owner, M, m[:, 1] - m[:, 0], data.weight, model, trusted=False)


@dataclass(frozen=True)
class XLearner(Learner):
    r"""Imputed effects of the treated and of the untreated, mixed by the propensity.

    :math:`\hat\tau(x) = \hat e(x) \hat\tau_0(x) + (1 - \hat e(x)) \hat\tau_1(x)`, where
    :math:`\hat\tau_1` regresses :math:`Y - \hat m_0(x)` on the treated and :math:`\hat\tau_0`
    regresses :math:`\hat m_1(x) - Y` on the others. Good where one group is small.
    """

    title: ClassVar[str] = "X-learner"

    def surface(self, data: EffectData, M: Floats, nuisance: Nuisance, model: Any) -> Surface:
        """Both regressions, then one on the modifiers."""
        t = _two_levels(data) > 0
        m, e = nuisance.outcomes(data), nuisance.propensities(data)[:, 1]
        parts = {}
        for level, gain in ((True, data.y - m[:, 0]), (False, m[:, 1] - data.y)):
            rows = t == level
            parts[level] = surface(data.owner, M[rows], gain[rows], data.weight[rows], model, False)
        mixed = e * parts[False].values(M) + (1 - e) * parts[True].values(M)
        return surface(data.owner, M, mixed, data.weight, model, trusted=False)


@dataclass(frozen=True)
class RLearner(Learner):
    r"""Residuals on residuals: minimises :math:`\sum_i (\tilde y_i - \tau(x_i)\, \tilde t_i)^2`.

    For two levels or a continuous treatment, cross-fitted.
    """

    title: ClassVar[str] = "R-learner"

    def surface(self, data: EffectData, M: Floats, nuisance: Nuisance, model: Any) -> Surface:
        """A regression of ratios, weighted by the squared residuals of the treatment."""
        y, t = residuals(data, nuisance)
        safe = np.where(np.abs(t) > 1e-6, t, 1e-6)
        return surface(data.owner, M, y / safe, data.weight * safe**2, model, trusted=True)


@dataclass(frozen=True)
class DRLearner(Learner):
    r"""Regression of the doubly robust scores of the rows on the modifiers, cross-fitted."""

    title: ClassVar[str] = "DR-learner"

    def surface(self, data: EffectData, M: Floats, nuisance: Nuisance, model: Any) -> Surface:
        """Scores of augmented weighting."""
        _two_levels(data)
        folds = nuisance.folds(data)
        e, m = nuisance.propensities(data, folds), nuisance.outcomes(data, folds)
        rows = m + inverse(data, e) * data.indicators * (data.y[:, None] - m)
        return surface(data.owner, M, rows[:, 1] - rows[:, 0], data.weight, model, trusted=True)


@dataclass(frozen=True)
class CausalForest(Learner):
    """Honest trees on residuals, with errors from bags of trees.

    Parameters
    ----------
    n_trees : int, default=200
    min_samples_leaf : int, default=10
    max_depth : int or None, default=None
    seed : int, default=0
    """

    n_trees: int = 200
    min_samples_leaf: int = 10
    max_depth: int | None = None
    seed: int = 0
    title: ClassVar[str] = "causal forest"

    def surface(self, data: EffectData, M: Floats, nuisance: Nuisance, model: Any) -> Surface:
        """Residuals, then trees."""
        y, t = residuals(data, nuisance)
        return grown(
            M, y, t, data.weight, self.n_trees, self.min_samples_leaf, self.max_depth, self.seed
        )


def residuals(data: EffectData, nuisance: Nuisance) -> tuple[Floats, Floats]:
    """What covariates leave of outcome and treatment, every row by models that did not see it."""
    if data.t.shape[1] != 1:
        raise check.fail(data.owner, "treatment", "of two levels, or one number", data.names)
    folds = nuisance.folds(data)
    expected = nuisance.mean_treatments(data, folds)
    if data.arms is not None and nuisance.clip is None:
        refuse_no_overlap(data, np.column_stack([1 - expected.sum(axis=1), expected]))
    T = data.t - expected
    refuse_no_variation(data, T)
    return data.y - nuisance.mean_outcome(data, folds), T[:, 0]


def _two_levels(data: EffectData) -> Floats:
    if len(data.levels) != 2:
        raise check.fail(data.owner, "treatment", "of two levels for this method", data.names)
    return data.codes.astype(np.float64)


LEARNERS: Mapping[str, Learner] = {
    "s": SLearner(), "t": TLearner(), "x": XLearner(), "r": RLearner(), "dr": DRLearner(),
    "forest": CausalForest(),
}  # fmt: skip
