"""Standardisation: what a regression says of everybody under every level."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._lines import fold_lines, solve_normal
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._scores import Method, Scores, compared, mean_of
from margin.core import check
from margin.core.types import Floats


@dataclass(frozen=True)
class Regression(Method):
    r"""Mean over the rows of a regression of the outcome on the covariates at each level.

    .. math:: \hat\mu_a = \frac1n \sum_i \hat m_a(x_i),\qquad \hat m_a(x) = \hat E[Y \mid A=a, X=x]

    A regression per level; a continuous treatment enters one regression as a column, and the
    effect is its slope.
    """

    title: ClassVar[str] = "regression adjustment"

    @property
    def reaches_out(self) -> bool:
        """A regression says something everywhere."""
        return True

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Influence functions of least squares; other models need a bootstrap that fits again."""
        if data.arms is None:
            return slopes(data)
        values = nuisance.outcomes(data)
        weight = data.weight * data.population
        means = mean_of(values, weight)
        if nuisance.outcome_model is not None:
            return compared(data, means, None)
        D, share = data.lines, weight.sum() / data.n
        influence: Floats = (values - means) * (data.population / share)[:, None]
        centre = mean_of(D, weight)
        for level in range(len(data.levels)):
            inside = data.weight * (data.codes == level)
            gram = (D * inside[:, None]).T @ D / data.n
            residual = (data.y - values[:, level]) * (data.codes == level)
            influence[:, level] += (D @ solve_normal(gram, centre)) * residual
        return compared(data, means, influence)


def slopes(data: EffectData) -> Scores:
    """Coefficients of continuous treatments in one regression, with robust errors."""
    T = data.t - data.lines @ fold_lines(data.lines, data.t, data.weight, None)[0]
    gram = (T * data.weight[:, None]).T @ T / data.n
    refuse_no_variation(data, T)
    y = data.y - data.lines @ fold_lines(data.lines, data.y[:, None], data.weight, None)[0][:, 0]
    theta = np.linalg.solve(gram, T.T @ (data.weight * y) / data.n)
    influence = np.linalg.solve(gram, (T * (y - T @ theta)[:, None]).T).T
    return Scores(data.names, theta, influence, residuals=np.column_stack([y, T]))


def refuse_no_variation(data: EffectData, T: Floats) -> None:
    """Refuse a treatment that the covariates, or other treatments, determine."""
    left = np.linalg.svd(T / data.t.std(axis=0), compute_uv=False)
    if left[-1] < 1e-7 * np.sqrt(data.n):
        raise check.fail(
            data.owner, "treatment", "not a function of the covariates or other treatments",
            data.names[0] if len(data.names) == 1 else data.names,
        )  # fmt: skip
