"""Differences in differences, also where units are treated at different times."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from margin.causal.effects._summary import EffectSummary
from margin.causal.methods._intervals import Errors, analytic, confidence, multiplied, replicates
from margin.causal.methods._scores import Scores
from margin.causal.tables._columns import levels, numbers
from margin.causal.tables._rows import cluster_codes, weighed_rows
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
    def fit(
        self, frame: Any, y: Any = None, sample_weight: Any = None, clusters: Any = None
    ) -> Self:
        """Estimate from a long frame, a row per unit and time.

        Parameters
        ----------
        frame : data frame or mapping of names to columns
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Of units: the same in all rows of one.
        clusters : name or array-like of shape (n,), optional
            Units whose errors are common, such as those of one state.

        Returns
        -------
        self
        """
        check.params(self, one_of={"control": ("never", "not_yet")})
        confidence(self, self.level)
        replicates(self, self.n_bootstrap)
        named = (self.outcome, self.unit, self.time, self.treatment)
        if None in named or len(set(named)) < 4:
            raise check.fail(self, "outcome, unit, time and treatment", "four columns", named)
        rows = weighed_rows(self, frame, named, sample_weight)
        groups = cluster_codes(self, frame, clusters, rows.used)
        Y, start, times, first = self._panel(rows.columns)
        weight = self._of_units(rows.shares, rows.columns, first, "sample_weight")
        weight = weight * (len(weight) / weight.sum())
        if groups is not None:
            groups = self._of_units(groups, rows.columns, first, "clusters")
        n, n_times = Y.shape
        cohorts = np.unique(start[(start < n_times) & (start > 0)])
        if not len(cohorts):
            raise check.fail(self, "treatment", "begun by some unit after the first time", "none")
        cells: dict[tuple[int, int], tuple[float, Floats]] = {}
        for g in cohorts:
            for t in range(n_times):
                if t != g - 1:
                    cells[int(g), t] = self._cell(Y, start, int(g), t, weight)
        post = {key: cell for key, cell in cells.items() if key[1] >= key[0]}
        overall = _pooled(post, start, weight)
        since = sorted({t - g for g, t in cells})
        by_event = [
            _pooled({k: c for k, c in cells.items() if k[1] - k[0] == s}, start, weight)
            for s in since
        ]
        scores = Scores(("effect on the treated",), np.array([overall[0]]), overall[1][:, None])
        errors = self._errors(scores, n, groups)
        events = Scores(
            tuple(f"{s:+d}" for s in since), np.array([e[0] for e in by_event]),
            np.column_stack([e[1] for e in by_event]),
        )  # fmt: skip
        shown = self._errors(events, n, groups)
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

    def _errors(self, scores: Scores, n: int, groups: Indices | None) -> Errors:
        if self.n_bootstrap:
            rng = generator(self.random_state)
            return multiplied(scores, np.ones(n), self.level, self.n_bootstrap, rng, groups)
        return analytic(scores, np.ones(n), self.level, groups)

    def _of_units(self, values: Any, frame: Any, first: Indices, name: str) -> Any:
        """What all rows of a unit have in common."""
        who = levels(self, frame, self.unit)[1]
        if not np.array_equal(values[first][who], values):
            raise check.fail(self, name, "the same in all rows of a unit", "several in one")
        return values[first]

    def _panel(self, frame: Any) -> tuple[Floats, Indices, tuple[Any, ...], Indices]:
        """Outcomes of units by times, first treated time of each, the times, a row of each."""
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
        first = np.unique(who, return_index=True)[1]
        return Y, start.astype(np.int64), times, first

    def _cell(
        self, Y: Floats, start: Indices, g: int, t: int, weight: Floats
    ) -> tuple[float, Floats]:
        """Effect of a cohort at a time, and the influence of every unit."""
        change = Y[:, t] - Y[:, g - 1]
        treated = start == g
        late = start > max(t, g) if self.control == "not_yet" else start == Y.shape[1]
        if not late.any():
            raise check.fail(self, "control", f"left at time number {t}", self.control)
        effect, influence = 0.0, np.zeros(len(Y))
        for sign, group in ((1.0, treated), (-1.0, late)):
            w = weight[group] / weight[group].sum()
            mean = float(w @ change[group])
            effect += sign * mean
            influence[group] = sign * len(Y) * w * (change[group] - mean)
        return effect, influence

    def summary(self) -> EffectSummary:
        """The effect with its error."""
        return EffectSummary(
            "difference in differences", self.scores_.names, self.scores_.values,
            np.array([self.std_error_]), self.interval_[None], self.level, self.n_units_,
        )  # fmt: skip


def _pooled(
    cells: dict[tuple[int, int], tuple[float, Floats]], start: Indices, weight: Floats
) -> tuple[float, Floats]:
    """Mean over cohorts and times, weighted by the units of the cohorts."""
    size = {g: float(weight[start == g].sum()) for g, _ in cells}
    total = sum(size[g] for g, _ in cells)
    effect = sum(size[g] * cell[0] for (g, _), cell in cells.items()) / total
    influence = sum((size[g] * cell[1] for (g, _), cell in cells.items()), np.zeros(len(start)))
    influence = influence / total
    # The sizes of the cohorts are estimates too.
    for g, t in cells:
        share = weight * (start == g) * len(start) / total
        influence = influence + share * (cells[g, t][0] - effect)
    return float(effect), influence
