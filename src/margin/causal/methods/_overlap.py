"""Whether every row had a chance of every level, and what is said where it had not."""

import warnings
from typing import Any

import numpy as np
from scipy.special import expit

from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._lines import fold_lines
from margin.core.types import Floats
from margin.linear import LogisticRegression

LEAST_PROPENSITY = 1e-6
_SHARED = 0.9


class NoOverlapError(ValueError):
    """Nothing in the rows says what some level of the treatment would have done to some of them."""


def refuse_no_overlap(data: EffectData, e: Floats) -> None:
    """Refuse rows that had no chance of some level: nothing in the data says what it would do."""
    chanceless = without_chance(data, e)
    if chanceless is not None:
        raise NoOverlapError(
            f"{data.owner}: overlap must hold: every row needs a chance of every level, got "
            f"{chanceless}; leave them out, drop the covariate that decides the treatment, or set "
            "clip"
        )


def warn_of_no_overlap(data: EffectData) -> None:
    """Say that a regression or a match reaches beyond the rows it was learned from."""
    e = suspicious_propensities(data)
    chanceless = None if e is None else without_chance(data, e)
    if chanceless is not None:
        warnings.warn(
            f"{data.owner}: overlap does not hold: got {chanceless}; for these the effect is what "
            "the regression or the nearest rows say beyond what was seen",
            UserWarning, stacklevel=3,
        )  # fmt: skip


def without_chance(data: EffectData, e: Floats) -> str | None:
    """The rows whose propensity of a needed level is nothing, in words."""
    levels: Any = range(len(data.levels))
    if data.target != "ate":
        levels = [i for i in levels if i != data.population_level]
    for level in levels:
        rows = np.flatnonzero((e[:, level] < LEAST_PROPENSITY) & (data.weight > 0))
        if len(rows):
            shown = ", ".join(map(str, rows[:5].tolist())) + (", …" if len(rows) > 5 else "")
            return f"propensity 0 of level {data.levels[level]!r} in {len(rows)} rows ({shown})"
    return None


def suspicious_propensities(data: EffectData) -> Floats | None:
    """Propensities of a logistic regression, where lines keep levels so far apart as to need them.

    None where nearly all rows lie where the fitted chances of other levels reach too: a pass over
    the rows instead of a fit.
    """
    if data.arms is None or not data.X.shape[1]:
        return None
    D, T = data.lines, data.indicators
    index = D @ fold_lines(D, T, data.weight, None)[0]
    apart = False
    for level in range(len(data.levels)):
        own, others = index[data.arms == level, level], index[data.arms != level, level]
        low, high = max(own.min(), others.min()), min(own.max(), others.max())
        inside = (index[:, level] >= low) & (index[:, level] <= high)
        apart = apart or float(inside.mean()) < _SHARED
    if not apart:
        return None
    model = LogisticRegression(C=1e8, tol=1e-9).fit(data.X, data.arms, data.weight)
    if len(data.levels) > 2:
        return np.asarray(model.predict_proba(data.X))
    up = expit(data.lines @ np.concatenate([model.intercept_, model.coef_[0]]))
    return np.column_stack([1 - up, up])
