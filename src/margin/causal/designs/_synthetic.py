"""Synthetic control: the unit that was treated, had it not been."""

from collections.abc import Hashable
from typing import Any, Self

import numpy as np
from scipy.optimize import nnls
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.causal.effects._summary import EffectSummary
from margin.causal.methods._intervals import confidence
from margin.causal.tables._columns import levels, numbers
from margin.core import atomic, check, extra
from margin.core.types import Floats


class SyntheticControl(BaseEstimator):
    r"""Effect on one unit by a weighted mean of others that moved like it before.

    .. math:: \min_w \sum_{t < t_0} \Bigl(Y_{1t} - \sum_j w_j Y_{jt}\Bigr)^2
        \quad\text{subject to}\quad w_j \ge 0,\ \sum_j w_j = 1

    The effect at later times is the gap between the unit and the weighted mean. Placebos say
    whether such a gap is rare: every other unit is treated in its turn as if it had been the one.

    Parameters
    ----------
    outcome, unit, time : names
        A balanced panel.
    treated : value
        The unit that was treated.
    start : value
        First time of treatment.
    level : float, default=0.95
        Of the interval.

    Attributes
    ----------
    weights_ : dict of unit to float
    gap_ : ndarray of shape (n_times,)
        Unit less synthetic control.
    effect_ : float
        Mean gap after the start.
    fit_error_ : float
        Root of the mean squared gap before.
    p_value_ : float
        Rank of the ratio of gaps after and before among all units.
    interval_ : ndarray of shape (2,)
        Effects that the placebos do not refute: those from which the mean gap, measured in
        ``fit_error_``, differs no more than the mean gaps of the placebos in theirs, except for a
        share of them. Infinite where there are too few for the level: with 19 others the highest
        is 0.95.
    placebo_gaps_ : ndarray of shape (n_donors, n_times)
    times_ : tuple

    References
    ----------
    A. Abadie, A. Diamond and J. Hainmueller, "Synthetic control methods for comparative case
    studies", JASA 105, 2010.

    Examples
    --------
    >>> frame = {"u": list("aaaabbbbcccc"), "t": [0, 1, 2, 3] * 3,
    ...          "y": [1, 2, 3, 9, 0, 1, 2, 3, 2, 3, 4, 5]}
    >>> model = SyntheticControl("y", "u", "t", treated="a", start=3).fit(frame)
    >>> round(model.effect_, 4), {k: round(v, 3) for k, v in model.weights_.items()}
    (5.0, {'b': 0.5, 'c': 0.5})
    """

    def __init__(
        self, outcome: Hashable = None, unit: Hashable = None, time: Hashable = None, *,
        treated: Any = None, start: Any = None, level: float = 0.95,
    ) -> None:  # fmt: skip
        self.outcome = outcome
        self.unit = unit
        self.time = time
        self.treated = treated
        self.start = start
        self.level = level

    @atomic
    def fit(self, frame: Any, y: Any = None) -> Self:
        """Find the weights and the gaps from a long frame."""
        level = confidence(self, self.level)
        units, who = levels(self, frame, self.unit)
        times, when = levels(self, frame, self.time)
        values = numbers(self, frame, self.outcome)
        shape = len(units), len(times)
        if (np.bincount(who * shape[1] + when, minlength=shape[0] * shape[1]) != 1).any():
            raise check.fail(self, "frame", "one row for every unit and time", len(values))
        if self.treated not in units:
            raise check.fail(self, "treated", f"one of the units {units[:5]}", self.treated)
        try:
            before = sum(bool(t < self.start) for t in times) if self.start is not None else 0
        except TypeError:
            before = 0
        if not 0 < before < len(times):
            raise check.fail(self, "start", "a time with times before it", self.start)
        if len(units) < 2:
            raise check.fail(self, "frame", "at least two units", len(units))
        Y = np.empty(shape)
        Y[who, when] = values
        at = units.index(self.treated)
        donors = [j for j in range(len(units)) if j != at]
        weights = simplex_weights(Y[donors, :before].T, Y[at, :before])
        gap = Y[at] - weights @ Y[donors]
        placebos = []
        for j in donors:
            others = [k for k in donors if k != j]
            w = simplex_weights(Y[others, :before].T, Y[j, :before]) if others else np.zeros(0)
            placebos.append(Y[j] - w @ Y[others])
        gaps = np.array(placebos)
        ratios = np.array([_ratio(g, before) for g in (gap, *gaps)])
        self.weights_ = {units[j]: float(w) for j, w in zip(donors, weights, strict=True)}
        self.gap_, self.placebo_gaps_, self.times_ = gap, gaps, times
        self.effect_ = float(gap[before:].mean())
        self.fit_error_ = float(np.sqrt(np.mean(gap[:before] ** 2)))
        self.p_value_ = float((ratios >= ratios[0]).mean())
        reach = _reach(gaps, before, level) * self.fit_error_
        self.interval_ = np.array([self.effect_ - reach, self.effect_ + reach])
        return self

    def summary(self) -> EffectSummary:
        """Effect, p-value and interval by the placebos, and the weights."""
        check_is_fitted(self, "effect_")
        heavy = sorted(self.weights_.items(), key=lambda pair: -pair[1])[:5]
        shown = ", ".join(f"{unit} {weight:.3f}" for unit, weight in heavy if weight > 5e-4)
        facts = {"weights": shown, "error of the fit before": f"{self.fit_error_:.4g}"}
        return EffectSummary(
            "synthetic control", (f"effect on {self.treated}",), np.array([self.effect_]),
            np.array([np.nan]), self.interval_[None], self.level, len(self.gap_), facts,
            (f"p-value and interval by {len(self.placebo_gaps_)} placebos",),
            np.array([self.p_value_]), "times",
        )  # fmt: skip

    def plot(self, ax: Any = None) -> Any:
        """Gap of the treated unit among those of the placebos."""
        plt = extra("matplotlib.pyplot", "a picture of gaps")
        ax = plt.subplots(layout="constrained")[1] if ax is None else ax
        ax.plot(self.times_, self.placebo_gaps_.T, color="0.8", linewidth=1)
        ax.plot(self.times_, self.gap_, color="C0", label=str(self.treated))
        ax.axvline(self.start, color="0.4", linestyle="--", linewidth=1)
        ax.set_ylabel("gap to the synthetic control")
        ax.legend()
        return ax


def simplex_weights(X: Floats, y: Floats) -> Floats:
    """Non-negative weights of sum one that come nearest.

    Examples
    --------
    >>> import numpy as np
    >>> simplex_weights(np.eye(2), np.array([0.3, 0.7])).round(6)
    array([0.3, 0.7])
    """
    # With weights of sum one the residual is A w: the shortest vector of a hull, which is one
    # problem of non-negative least squares.
    A = X - y[:, None]
    A = A / max(float(np.abs(A).max()), 1e-300)
    weights, _ = nnls(np.vstack([A, np.ones(X.shape[1])]), np.append(np.zeros(len(y)), 1.0))
    return np.asarray(weights / weights.sum())


def _reach(gaps: Floats, before: int, level: float) -> float:
    """How far a mean gap may lie from the effect, in errors of the fit before, by the placebos."""
    spread = np.sqrt(np.mean(gaps[:, :before] ** 2, axis=1))
    means = np.abs(gaps[:, before:].mean(axis=1))
    sizes = np.sort(means / np.maximum(spread, 1e-12 * np.maximum(means, 1e-300)))
    above = int(np.floor((1 - level) * (len(gaps) + 1) + 1e-9))
    return float(sizes[-above]) if above > 0 else np.inf


def _ratio(gap: Floats, before: int) -> float:
    early, late = np.sqrt(np.mean(gap[:before] ** 2)), np.sqrt(np.mean(gap[before:] ** 2))
    return float(late / max(early, 1e-12 * max(late, 1e-300)))
