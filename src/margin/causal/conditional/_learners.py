"""Learners of conditional effects built on other learners."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.causal.conditional._causal_forest import grown
from margin.causal.conditional._surfaces import Surface, planes, surface
from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance, fitted_values
from margin.causal.methods._overlap import refuse_no_overlap
from margin.causal.methods._regression import refuse_no_variation
from margin.causal.methods._weighting import inverse
from margin.core import check
from margin.core.types import Floats


class Learner(ABC):
    """A way from rows to surfaces of effects, one for each level beside the baseline."""

    title: ClassVar[str]
    reaches_out: ClassVar[bool] = False

    @abstractmethod
    def surfaces(self, data: EffectData, nuisance: Nuisance, model: Any) -> tuple[Surface, ...]:
        """Effects as functions of the modifiers, by a plane or by a model."""


@dataclass(frozen=True)
class SLearner(Learner):
    r"""One regression with the treatment among its columns, :math:`\hat m(x, 1) - \hat m(x, 0)`."""

    title: ClassVar[str] = "S-learner"
    reaches_out: ClassVar[bool] = True

    def surfaces(self, data: EffectData, nuisance: Nuisance, model: Any) -> tuple[Surface, ...]:
        """By default least squares with products of treatment and covariates."""
        _need_levels(data)
        k = len(data.names)
        if nuisance.outcome_model is None:
            base = np.column_stack([np.ones(data.n), data.X])
            D = np.hstack([base, *(base * t[:, None] for t in data.t.T)])
            root = np.sqrt(data.weight)
            coef = np.linalg.lstsq(D * root[:, None], data.y * root, rcond=None)[0]
            gains = base @ coef[base.shape[1] :].reshape(k, -1).T
        else:
            settings = np.vstack([np.zeros(k), np.eye(k)])
            asked = [np.hstack([data.X, np.tile(s, (data.n, 1))]) for s in settings]
            seen = np.hstack([data.X, data.t])
            values = fitted_values(
                data.owner, nuisance.outcome_model, seen, data.y, data.weight, np.vstack(asked)
            ).reshape(k + 1, data.n)
            gains = (values[1:] - values[0]).T
        return _regressed(data, gains, model, trusted=False)


@dataclass(frozen=True)
class TLearner(Learner):
    r"""A regression for each level, :math:`\hat m_1(x) - \hat m_0(x)`."""

    title: ClassVar[str] = "T-learner"
    reaches_out: ClassVar[bool] = True

    def surfaces(self, data: EffectData, nuisance: Nuisance, model: Any) -> tuple[Surface, ...]:
        """Differences from that of the baseline."""
        _need_levels(data)
        m = nuisance.outcomes(data)
        return _regressed(data, m[:, 1:] - m[:, :1], model, trusted=False)


@dataclass(frozen=True)
class XLearner(Learner):
    r"""Imputed effects of the treated and of the untreated, mixed by the propensity.

    :math:`\hat\tau(x) = \hat e(x) \hat\tau_0(x) + (1 - \hat e(x)) \hat\tau_1(x)`, where
    :math:`\hat\tau_1` regresses :math:`Y - \hat m_0(x)` on the treated and :math:`\hat\tau_0`
    regresses :math:`\hat m_1(x) - Y` on the others. Good where one group is small.
    """

    title: ClassVar[str] = "X-learner"

    def surfaces(self, data: EffectData, nuisance: Nuisance, model: Any) -> tuple[Surface, ...]:
        """Both regressions, then one on the modifiers, for each level and the baseline."""
        _need_levels(data)
        m, e, M = nuisance.outcomes(data), nuisance.propensities(data), data.modifiers
        mixed = np.empty((data.n, len(data.names)))
        for level in range(1, len(data.levels)):
            parts = {}
            for own, gain in ((level, data.y - m[:, 0]), (0, m[:, level] - data.y)):
                rows = data.codes == own
                parts[own] = surface(
                    data.owner, M[rows], gain[rows], data.weight[rows], model, False
                )
            share = e[:, level] / (e[:, 0] + e[:, level])
            mixed[:, level - 1] = share * parts[0].values(M) + (1 - share) * parts[level].values(M)
        return _regressed(data, mixed, model, trusted=False)


@dataclass(frozen=True)
class RLearner(Learner):
    r"""Residuals on residuals: minimises :math:`\sum_i (\tilde y_i - \tau(x_i)^\top \tilde t_i)^2`.

    For levels or continuous treatments, cross-fitted. With planes all effects are found together;
    with a model, those of each level against the baseline alone.
    """

    title: ClassVar[str] = "R-learner"

    def surfaces(self, data: EffectData, nuisance: Nuisance, model: Any) -> tuple[Surface, ...]:
        """Least squares on products of residuals and modifiers; a model takes weighted ratios."""
        if model is None:
            y, T = residuals(data, nuisance)
            return planes(data.modifiers, y, T, data.weight)
        surfaces = []
        for part in _alone(data):
            y, T = residuals(part, nuisance)
            safe = np.where(np.abs(T[:, 0]) > 1e-6, T[:, 0], 1e-6)
            surfaces.append(
                surface(data.owner, part.modifiers, y / safe, part.weight * safe**2, model, True)
            )
        return tuple(surfaces)


@dataclass(frozen=True)
class DRLearner(Learner):
    r"""Regression of the doubly robust scores of the rows on the modifiers, cross-fitted."""

    title: ClassVar[str] = "DR-learner"

    def surfaces(self, data: EffectData, nuisance: Nuisance, model: Any) -> tuple[Surface, ...]:
        """Scores of augmented weighting."""
        _need_levels(data)
        folds = nuisance.folds(data)
        e, m = nuisance.propensities(data, folds), nuisance.outcomes(data, folds)
        rows = m + inverse(data, e) * data.indicators * (data.y[:, None] - m)
        return _regressed(data, rows[:, 1:] - rows[:, :1], model, trusted=True)


@dataclass(frozen=True)
class CausalForest(Learner):
    """Honest trees on residuals, with errors from bags of trees.

    Of several levels a forest for each, of its rows and those of the baseline.

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

    def __post_init__(self) -> None:
        check.params(self, count="n_trees min_samples_leaf")
        if self.max_depth is not None:
            check.params(self, count="max_depth")

    def surfaces(self, data: EffectData, nuisance: Nuisance, model: Any) -> tuple[Surface, ...]:
        """Residuals, then trees."""
        surfaces = []
        for part in _alone(data):
            y, T = residuals(part, nuisance)
            surfaces.append(
                grown(
                    part.modifiers, y, T[:, 0], part.weight, self.n_trees, self.min_samples_leaf,
                    self.max_depth, self.seed,
                )
            )  # fmt: skip
        return tuple(surfaces)


def residuals(data: EffectData, nuisance: Nuisance) -> tuple[Floats, Floats]:
    """What covariates leave of outcome and treatments, every row by models that did not see it."""
    folds = nuisance.folds(data)
    expected = nuisance.mean_treatments(data, folds)
    if data.arms is not None and nuisance.clip is None:
        refuse_no_overlap(data, np.column_stack([1 - expected.sum(axis=1), expected]))
    T = data.t - expected
    refuse_no_variation(data, T)
    return data.y - nuisance.mean_outcome(data, folds), T


def _alone(data: EffectData) -> list[EffectData]:
    """Each level beside the baseline alone, or the one continuous treatment."""
    if data.arms is not None:
        k = len(data.levels)
        return [data] if k == 2 else [data.pair(level) for level in range(1, k)]
    if len(data.names) > 1:
        need = "of levels, or one number, for this method"
        raise check.fail(data.owner, "treatment", need, data.names)
    return [data]


def _need_levels(data: EffectData) -> None:
    if data.arms is None:
        raise check.fail(data.owner, "treatment", "of levels for this method", data.names)


def _regressed(data: EffectData, gains: Floats, model: Any, trusted: bool) -> tuple[Surface, ...]:
    """Gains of every level on the modifiers."""
    return tuple(
        surface(data.owner, data.modifiers, gain, data.weight, model, trusted) for gain in gains.T
    )


LEARNERS: Mapping[str, Learner] = {
    "s": SLearner(), "t": TLearner(), "x": XLearner(), "r": RLearner(), "dr": DRLearner(),
    "forest": CausalForest(),
}  # fmt: skip
