"""What has to be learned on the way to an effect: propensities and regressions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import has_fit_parameter

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._lines import fold_chances, fold_lines, fold_values
from margin.causal.methods._overlap import refuse_no_overlap
from margin.core import check, unfitted
from margin.core.types import Floats, Indices
from margin.linear import LogisticRegression


@dataclass(frozen=True, eq=False)
class Nuisance:
    """Models of the treatment and of the outcome, and how rows are kept apart.

    Parameters
    ----------
    propensity_model : classifier, optional
        Logistic regression without a penalty worth the name by default.
    outcome_model : regressor or classifier, optional
        Least squares for each level by default.
    treatment_model : regressor, optional
        Of a continuous treatment; least squares by default.
    n_folds : int
        Folds of cross-fitting; 1 for none.
    clip : float or None
        Propensities are kept at least this far from 0 and 1.
    seed : int
        Of the folds.
    """

    propensity_model: Any = None
    outcome_model: Any = None
    treatment_model: Any = None
    n_folds: int = 5
    clip: float | None = None
    seed: int = 0

    def is_plain(self, data: EffectData) -> bool:
        """Whether sums over the rows serve in place of fits: default models, many rows.

        Of levels there must be two, and so many rows that a Newton step is as good as a fit.
        """
        given = (self.propensity_model, self.outcome_model, self.treatment_model, self.clip)
        if any(part is not None for part in given) or data.t.shape[1] > 1:
            return False
        return data.arms is None or _is_long(data)

    def is_logistic(self, data: EffectData) -> bool:
        """Whether the propensity of two levels is that of the default regression, as it came."""
        return self.propensity_model is None and self.clip is None and len(data.levels) == 2

    def folds(self, data: EffectData) -> Indices | None:
        """A fold for every row, even within the levels of the treatment."""
        if self.n_folds == 1:
            return None
        rng = np.random.default_rng(self.seed)
        order = rng.permutation(data.n)
        if data.arms is not None:
            order = order[np.argsort(data.arms[order], kind="stable")]
            fewest = data.smallest_arm
            if fewest < self.n_folds:
                need = f"at most {fewest}, the rows of the smallest level of the treatment"
                raise check.fail(data.owner, "n_folds", need, self.n_folds)
        elif data.n < self.n_folds:
            raise check.fail(data.owner, "n_folds", f"at most {data.n}, the rows", self.n_folds)
        folds = np.empty(data.n, dtype=np.int64)
        folds[order] = np.arange(data.n) % self.n_folds
        return folds

    def propensities(
        self, data: EffectData, folds: Indices | None = None, *, checked: bool = True
    ) -> Floats:
        """Probability of every level for every row (causal.19)."""
        given = self.propensity_model
        model = LogisticRegression(C=1e8, tol=1e-9) if given is None else given
        if not hasattr(model, "predict_proba"):
            raise check.fail(
                data.owner, "propensity_model", "a classifier with predict_proba", model
            )
        X = data.X if data.X.shape[1] else np.zeros((data.n, 1))
        e = np.empty((data.n, len(data.levels)))
        if given is None and not data.X.shape[1]:
            e[:] = data.weight @ data.indicators / data.weight.sum()
        elif given is None and folds is not None and _is_long(data):
            fitted = fit_model(data.owner, model, X, data.codes, data.weight)
            coef = np.concatenate([fitted.intercept_, fitted.coef_[0]])
            t = data.codes.astype(np.float64)
            e[:, 1] = fold_chances(data.lines, t, data.weight, folds, coef)
            e[:, 0] = 1 - e[:, 1]
        else:
            for train, test in _splits(data.n, folds):
                fitted = fit_model(
                    data.owner, model, X[train], data.codes[train], data.weight[train]
                )
                e[test] = fitted.predict_proba(X[test])
        if self.clip is not None:
            return np.clip(e, self.clip, 1 - self.clip)
        if checked:
            refuse_no_overlap(data, e)
        return e

    def outcomes(self, data: EffectData, folds: Indices | None = None) -> Floats:
        """Mean outcome of every row under every level, from a regression for each level."""
        values = np.empty((data.n, len(data.levels)))
        for level in range(len(data.levels)):
            inside = data.codes == level
            if self.outcome_model is None:
                weight = data.weight * inside
                coef = fold_lines(data.lines, data.y[:, None], weight, folds)
                values[:, level] = fold_values(data.lines, coef, folds)[:, 0]
                continue
            for train, test in _splits(data.n, folds):
                use = train[inside[train]]
                values[test, level] = self._regressed(data, data.X, data.y, use, test)
        return values

    def mean_outcome(self, data: EffectData, folds: Indices | None) -> Floats:
        """Mean outcome given the covariates alone."""
        return self._means(data, self.outcome_model, data.y[:, None], folds)[:, 0]

    def mean_treatments(self, data: EffectData, folds: Indices | None) -> Floats:
        """Mean of the treatments given the covariates."""
        if data.arms is not None:
            return self.propensities(data, folds, checked=False)[:, 1:]
        return self._means(data, self.treatment_model, data.t, folds)

    def _means(self, data: EffectData, model: Any, Y: Floats, folds: Indices | None) -> Floats:
        if model is None:
            return fold_values(data.lines, fold_lines(data.lines, Y, data.weight, folds), folds)
        values = np.empty_like(Y)
        for train, test in _splits(data.n, folds):
            for j in range(Y.shape[1]):
                values[test, j] = self._regressed(data, data.X, Y[:, j], train, test, model)
        return values

    def _regressed(
        self, data: EffectData, X: Floats, y: Floats, train: Any, test: Any, model: Any = None
    ) -> Floats:
        model = self.outcome_model if model is None else model
        X = X if X.shape[1] else np.zeros((len(X), 1))
        return fitted_values(data.owner, model, X[train], y[train], data.weight[train], X[test])


def fitted_values(
    owner: str, model: Any, X: Floats, y: Floats, weight: Floats, at: Floats
) -> Floats:
    """Mean of ``y`` at new rows by a regressor, or by the probabilities of a classifier."""
    if is_classifier(model):
        labels = np.unique(y)
        if len(labels) == 1:
            return np.full(len(at), labels[0])
        fitted = fit_model(owner, model, X, y.astype(np.int64), weight)
        return np.asarray(fitted.predict_proba(at) @ fitted.classes_)
    return np.asarray(fit_model(owner, model, X, y, weight).predict(at), dtype=np.float64).ravel()


def fit_model(owner: str, model: Any, X: Floats, y: Any, weight: Floats) -> Any:
    """A copy of a model, fitted; rows are repeated where it takes no weights."""
    fitted = unfitted(model)
    if (weight == weight[0]).all():
        return fitted.fit(X, y)
    if has_fit_parameter(fitted, "sample_weight") or hasattr(fitted, "steps"):
        key = f"{fitted.steps[-1][0]}__sample_weight" if hasattr(fitted, "steps") else ""
        return fitted.fit(X, y, **{key or "sample_weight": weight})
    counts = weight / weight[weight > 0].min()
    whole = np.round(counts)
    if np.abs(counts - whole).max() > 1e-6:
        raise check.fail(owner, "sample_weight", "whole numbers for a model without weights", model)
    rows = np.repeat(np.arange(len(X)), whole.astype(np.int64))
    return fitted.fit(X[rows], y[rows])


def _splits(n: int, folds: Indices | None) -> Any:
    if folds is None:
        every = np.arange(n)
        return [(every, every)]
    return [
        (np.flatnonzero(folds != f), np.flatnonzero(folds == f)) for f in range(folds.max() + 1)
    ]


def _is_long(data: EffectData) -> bool:
    """Whether there are so many rows that a step from the common fit serves every fold."""
    return len(data.levels) == 2 and data.n >= 1000 * data.lines.shape[1]
