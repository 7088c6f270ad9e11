"""Double machine learning in a partially linear model."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.causal.methods._batches import FoldedRows
from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._overlap import LEAST_PROPENSITY, NoOverlapError
from margin.causal.methods._regression import refuse_no_variation
from margin.causal.methods._scores import Method, Scores
from margin.core import check
from margin.core.types import Floats, Indices


@dataclass(frozen=True)
class PartiallingOut(Method):
    r"""Residuals of the outcome on residuals of the treatments, cross-fitted.

    In :math:`Y = \theta^\top T + g(X) + \varepsilon` the effect is

    .. math:: \hat\theta = \Bigl(\sum_i \tilde t_i \tilde t_i^\top\Bigr)^{-1} \sum_i \tilde t_i
        \tilde y_i,\qquad \tilde t = T - \hat E[T \mid X],\quad \tilde y = Y - \hat E[Y \mid X].

    Discrete, continuous and several treatments alike. Where effects differ between rows, those
    whose treatment was least certain count most.
    """

    title: ClassVar[str] = "double machine learning (partially linear)"

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """Slope of residuals on residuals."""
        if data.target != "ate":
            raise check.fail(data.owner, "target", "'ate' for method 'dml'", data.target)
        folds = nuisance.folds(data)
        expected = nuisance.mean_treatments(data, folds)
        T = data.t - expected
        refuse_no_variation(data, T)
        notes = _uncertain(data, expected)
        y = data.y - nuisance.mean_outcome(data, folds)
        gram = (T * data.weight[:, None]).T @ T / data.n
        theta = np.asarray(
            np.linalg.solve(gram, T.T @ (data.weight * y) / data.n), dtype=np.float64
        )
        rows = np.linalg.solve(gram, (T * (y - T @ theta)[:, None]).T).T
        return Scores(
            data.names, theta, np.asarray(rows, dtype=np.float64),
            residuals=np.column_stack([y, T]), notes=notes,
        )  # fmt: skip

    def placebos(
        self, data: EffectData, nuisance: Nuisance, scores: Scores, orders: Indices
    ) -> Floats:
        """Of default models from sums of products: nothing is fitted again."""
        if not nuisance.is_plain(data) or scores.residuals is None:
            return super().placebos(data, nuisance, scores, orders)
        rows = FoldedRows.of(data.lines, data.weight, nuisance.folds(data))
        t = np.ascontiguousarray(data.t[:, 0])
        T = np.stack([t[order[rows.order]] for order in orders], axis=1)
        return rows.placebo_slopes(T, scores.residuals[rows.order, 0])

    def with_columns(
        self, data: EffectData, nuisance: Nuisance, scores: Scores, columns: Floats
    ) -> Floats:
        """Of default models by one step along each column out of fold."""
        if not nuisance.is_plain(data) or scores.residuals is None:
            return super().with_columns(data, nuisance, scores, columns)
        rows = FoldedRows.of(data.lines, data.weight, nuisance.folds(data))
        w, U, y, t = rows.weight, columns[rows.order], data.y[rows.order], data.t[rows.order, 0]
        left, moved = scores.residuals[rows.order].T
        # Chances move by e (1 - e) with their log-odds, means by as much as the line.
        slope = np.ones(data.n) if data.arms is None else (t - moved) * (1 - t + moved)
        along = rows.changes(U, w * slope, w * (t if data.arms is None else moved))
        Y = left[:, None] - rows.changes(U, w, w * y)
        T = moved[:, None] - slope[:, None] * along
        return np.asarray((w @ (T * Y)) / (w @ T**2))


def _uncertain(data: EffectData, expected: Floats) -> tuple[str, ...]:
    """Which rows say nothing, because their treatment was certain; refused where nearly all do."""
    if data.arms is None:
        return ()
    spread = (expected * (1 - expected)).max(axis=1)
    certain = np.flatnonzero(spread < LEAST_PROPENSITY)
    if data.n - len(certain) < max(10, 0.05 * data.n):
        raise NoOverlapError(
            f"{data.owner}: overlap must hold: some rows need a chance of every level, got "
            f"{len(certain)} of {data.n} rows ({certain[:5].tolist()}) whose covariates decide the "
            "treatment; drop the covariate that decides it"
        )
    return (f"{len(certain)} rows count for nothing: no overlap",) if len(certain) else ()
