"""Differences in differences, also where units are treated at different times."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from margin.causal.effects._summary import EffectSummary
from margin.causal.methods._intervals import Errors, analytic, multiplied
from margin.causal.methods._scores import Scores
from margin.causal.tables._columns import levels, numbers
from margin.core import atomic, check
from margin.core.random import generator
from margin.core.types import Floats, Indices


class DifferenceInDifferences(BaseEstimator):
    r"""Effect on the treated by the change of those who were not.

    For units first treated at time :math:`g`,

    .. math:: \mathrm{ATT}(g, t) = E[Y_t - Y_{g-1} \mid G = g] - E[Y_t - Y_{g-1} \mid C]

    with controls :math:`C` that are never treated, or not yet. The effect is the mean over all
    treated units and times; with one time of treatment and two periods it is the classical
    difference of differences. Errors are those of units, so that rows of a unit may depend on
    each other.

    Parameters
    ----------
    outcome, unit, time : names
        A balanced panel: every unit at every time.
    treatment : name
        0 before and 1 from the first treated time on.
    control : {"never", "not_yet"}, default="never"
    level : float, default=0.95
    n_bootstrap : int, default=0
    random_state : int, Generator or RandomState, optional

    Attributes
    ----------
    effect_ : float
        Mean effect on the treated.
    std_error_ : float
    interval_ : ndarray of shape (2,)
    group_time_ : dict of (cohort, time) to float
    event_study_ : EffectSummary
        Effects by time since treatment began; those before it should be zero, for then trends
        were parallel.

    References
    ----------
    B. Callaway and P. Sant'Anna, "Difference-in-differences with multiple time periods", Journal of
    Econometrics 225, 2021.

    Examples
    --------
    >>> frame = {"who": [1, 1, 2, 2], "when": [0, 1, 0, 1], "on": [0, 1, 0, 0],
    ...          "y": [1.0, 5.0, 2.0, 3.0]}
    >>> DifferenceInDifferences("y", "who", "when", "on").fit(frame).effect_
    3.0
    """

    def __init__(
        self, outcome: Any = None, unit: Any = None, time: Any = None, treatment: Any = None, *,
        control: str = "never", level: float = 0.95, n_bootstrap: int = 0, random_state: Any = None,
    ) -> None:  # fmt: skip
        self.outcome = outcome
        self.unit = unit
        self.time = time
        self.treatment = treatment
        self.control = control
        self.level = level
        self.n_bootstrap = n_bootstrap
        self.random_state = random_state

    @atomic
    def fit(self, frame: Any, y: Any = None) -> Self:
        """Estimate from a long frame, a row per unit and time."""
        check.params(self, one_of={"control": ("never", "not_yet")})
        Y, start, times = self._panel(frame)
        n, n_times = Y.shape
        cohorts = np.unique(start[(start < n_times) & (start > 0)])
        if not len(cohorts):
            raise check.fail(self, "treatment", "begun by some unit after the first time", "none")
        cells: dict[tuple[int, int], tuple[float, Floats]] = {}
        for g in cohorts:
            for t in range(n_times):
                if t != g - 1:
                    cells[int(g), t] = self._cell(Y, start, int(g), t, n_times)
        post = {key: cell for key, cell in cells.items() if key[1] >= key[0]}
        overall = _pooled(post, start)
        since = sorted({t - g for g, t in cells})
        by_event = [
            _pooled({k: c for k, c in cells.items() if k[1] - k[0] == s}, start) for s in since
        ]
        scores = Scores(("effect on the treated",), np.array([overall[0]]), overall[1][:, None])
        errors = self._errors(scores, n)
        events = Scores(
            tuple(f"{s:+d}" for s in since), np.array([e[0] for e in by_event]),
            np.column_stack([e[1] for e in by_event]),
        )  # fmt: skip
        shown = self._errors(events, n)
        self.scores_ = scores
        self.effect_, self.std_error_ = overall[0], float(errors.std_error[0])
        self.interval_ = errors.interval[0]
        self.group_time_ = {(times[g], times[t]): cell[0] for (g, t), cell in cells.items()}
        self.event_study_ = EffectSummary(
            "event study", events.names, events.values, shown.std_error, shown.interval, self.level,
            n,
        )  # fmt: skip
        self.n_units_ = n
        return self

    def _errors(self, scores: Scores, n: int) -> Errors:
        if self.n_bootstrap:
            rng = generator(self.random_state)
            return multiplied(scores, np.ones(n), self.level, self.n_bootstrap, rng)
        return analytic(scores, np.ones(n), self.level)

    def _panel(self, frame: Any) -> tuple[Floats, Indices, tuple[Any, ...]]:
        """Outcomes of units by times, the place of the first treated time of each, the times."""
        units, who = levels(self, frame, self.unit)
        times, when = levels(self, frame, self.time)
        values = numbers(self, frame, self.outcome)
        on = numbers(self, frame, self.treatment)
        shape = len(units), len(times)
        count = np.bincount(who * shape[1] + when, minlength=shape[0] * shape[1])
        if (count != 1).any():
            at = int(np.argmax(count != 1))
            raise check.fail(
                self, "frame", "one row for every unit and time",
                f"{count[at]} of unit {units[at // shape[1]]!r} at {times[at % shape[1]]!r}",
            )  # fmt: skip
        Y, D = np.empty(shape), np.empty(shape)
        Y[who, when], D[who, when] = values, on
        if not np.isin(D, (0, 1)).all() or (np.diff(D, axis=1) < 0).any():
            raise check.fail(self, "treatment", "0, and 1 from some time on", "something else")
        start = np.where(D.any(axis=1), np.argmax(D, axis=1), shape[1])
        return Y, start.astype(np.int64), times

    def _cell(
        self, Y: Floats, start: Indices, g: int, t: int, n_times: int
    ) -> tuple[float, Floats]:
        """Effect of a cohort at a time, and the influence of every unit."""
        change = Y[:, t] - Y[:, g - 1]
        treated = start == g
        late = start > max(t, g) if self.control == "not_yet" else start == n_times
        if not late.any():
            raise check.fail(self, "control", f"left at time number {t}", self.control)
        n, effect = len(Y), float(change[treated].mean() - change[late].mean())
        influence = np.zeros(n)
        influence[treated] = (change[treated] - change[treated].mean()) * n / treated.sum()
        influence[late] -= (change[late] - change[late].mean()) * n / late.sum()
        return effect, influence

    def summary(self) -> EffectSummary:
        """The effect with its error."""
        return EffectSummary(
            "difference in differences", self.scores_.names, self.scores_.values,
            np.array([self.std_error_]), self.interval_[None], self.level, self.n_units_,
        )  # fmt: skip


def _pooled(
    cells: dict[tuple[int, int], tuple[float, Floats]], start: Indices
) -> tuple[float, Floats]:
    """Mean over cohorts and times, weighted by the units of the cohorts."""
    size = {g: float((start == g).sum()) for g, _ in cells}
    total = sum(size[g] for g, _ in cells)
    effect = sum(size[g] * cell[0] for (g, _), cell in cells.items()) / total
    influence = sum((size[g] * cell[1] for (g, _), cell in cells.items()), np.zeros(len(start)))
    influence = influence / total
    # The sizes of the cohorts are estimates too.
    for g, t in cells:
        share = ((start == g) * 1.0) * len(start) / total
        influence = influence + share * (cells[g, t][0] - effect)
    return float(effect), influence
