"""How long a fit will take, from fits on small parts of the table."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from margin.evaluation.race._entrants import POWER, Entrant, afford
from margin.evaluation.race._race import workers
from margin.evaluation.race._run import Run
from margin.evaluation.table._training import Training

_ROWS = (400, 2000)
_COLUMNS = 200
_STEP = 2.5
_WORST = 3.0
# Of the time for cross-validation, what one trial may take.
_SHARE = 0.03


def affordable(run: Run) -> Run:
    """The run with the models that fit into its time, quick ones first, tuned as far as it goes."""
    n_rows = len(run.training.folds[0][0])
    seconds = run.clock.left_for_race
    with threadpool_limits(1):
        probe = Probe(run.training, most_seconds=_SHARE * seconds)
        cost = {e.name: 0.0 if e.is_baseline else probe(e, n_rows) for e in run.entrants}
    ordered = sorted(run.entrants, key=lambda e: (not e.is_baseline, cost[e.name]))
    kept, too_slow = afford(
        ordered, cost, n_rows=n_rows, seconds=seconds, workers=workers(run.jobs)
    )
    return replace(run, entrants=tuple(kept), skipped=(*run.skipped, *too_slow))


class _Trial(NamedTuple):
    n_rows: int
    n_columns: int
    seconds: float


class Probe:
    """Estimates the seconds of one fit by growing the rows and columns it is tried on.

    A larger part is tried only if the cube of its columns and the promised growth in rows stay
    within the allowance; from the last one the time is extrapolated. A fit that fails counts as
    instant: it fails again where it is reported.

    Parameters
    ----------
    training : Training
        Rows to try on.
    most_seconds : float
        Longest trial.
    """

    def __init__(self, training: Training, *, most_seconds: float) -> None:
        order = np.random.default_rng(training.seed).permutation(len(training.y))[: _ROWS[-1]]
        columns = clone(training.preprocessor)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._Z = columns.fit_transform(training.X.iloc[order], training.y[order])
        self._y = training.y[order]
        self._seed = training.seed
        self._most = most_seconds

    def __call__(self, entrant: Entrant, n_rows: int) -> float:
        """Estimated seconds of a fit on ``n_rows`` rows and all columns."""
        rows_power = POWER[entrant.card.cost] if entrant.card else 1
        trials: list[_Trial] = []
        for rows, columns in self._parts():
            if trials and _extrapolate(trials[-1], rows, columns, rows_power, _WORST) > self._most:
                break
            trials.append(_Trial(rows, columns, self._fit(entrant, rows, columns)))
        last = trials[-1]
        power = _observed_power(trials)
        return _extrapolate(last, max(n_rows, last.n_rows), self._Z.shape[1], rows_power, power)

    def _parts(self) -> Iterator[tuple[int, int]]:
        n, p = self._Z.shape
        few = min(_ROWS[0], n)
        columns = min(_COLUMNS, p)
        yield few, columns
        while columns < p:
            columns = min(int(columns * _STEP), p)
            yield few, columns
        # Once more even on as many rows: the first fit may have paid for imports and threads.
        yield n, p

    def _fit(self, entrant: Entrant, rows: int, columns: int) -> float:
        Z = np.ascontiguousarray(self._Z[:rows, :columns])
        started = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                entrant.seeded(self._seed).fit(Z, self._y[:rows])
            except Exception:
                return 0.0
        return time.perf_counter() - started


def _extrapolate(trial: _Trial, rows: int, columns: int, a: float, b: float) -> float:
    return float(trial.seconds * (rows / trial.n_rows) ** a * (columns / trial.n_columns) ** b)


def _observed_power(trials: list[_Trial]) -> float:
    """Growth with the columns between the last two trials, from linear to cubic.

    Examples
    --------
    >>> _observed_power([_Trial(400, 200, 0.1), _Trial(400, 400, 0.4)])
    2.0
    """
    if len(trials) < 2 or trials[-1].n_columns == trials[-2].n_columns:
        return 2.0
    before, last = trials[-2:]
    if not before.seconds or not last.seconds:
        return 2.0
    growth = math.log(last.seconds / before.seconds)
    return float(np.clip(growth / math.log(last.n_columns / before.n_columns), 1.0, _WORST))
