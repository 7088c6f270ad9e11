"""Which model suits this table, and how sure are we?"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from margin.core import check
from margin.evaluation.race import _fold
from margin.evaluation.race._entrants import Entrant, afford, entrants
from margin.evaluation.race._probe import Probe
from margin.evaluation.race._race import Progress, Race, race, workers
from margin.evaluation.table._prepared import Arena
from margin.evaluation.table._problem import Problem, state
from margin.evaluation.table._sample import affordable_rows, sample
from margin.evaluation.table._split import Split
from margin.evaluation.verdict._final import Final, refit
from margin.evaluation.verdict._judge import judge
from margin.evaluation.verdict._result import Comparison, ModelResult, Scale, TaskName
from margin.evaluation.verdict._standings import standings

# The rest of the budget is for refitting, testing, learning curve and importances.
_RACE_SHARE = 0.65
_PROBE_SHARE = 0.03


def compare(
    frame: Any,
    target: str | None = None,
    *,
    task: TaskName | None = None,
    scales: Mapping[str, Scale] | None = None,
    budget: float | None = 60.0,
    jobs: int | None = None,
    seed: int = 0,
    test_size: float = 0.25,
    source: str = "",
    models: Iterable[Any] | None = None,
    progress: Any = None,
) -> Comparison:
    """Compare the models of margin on a table, honestly.

    Test rows are held out first and used once, for the final score (evaluation.01). On the other
    rows every suitable model and the baselines run through repeated k-fold cross-validation, with
    preprocessing and tuning inside each fold. The winner is refitted on all training rows.

    Parameters
    ----------
    frame : DataFrame
        The table, target included; pandas, or anything with ``to_pandas``.
    target : str, optional
        Column to predict; a column named like a target, or the last one, when absent.
    task : {"classification", "regression"}, optional
        Inferred from the target when absent.
    scales : mapping of str to str, optional
        Scales of columns for which the guess of :func:`describe_columns` would be wrong.
    budget : float or None
        Seconds for everything, kept to within the fit that is running; ``None`` is no limit.
    jobs : int or None
        Worker processes; ``None`` uses them when there is enough work. Scores do not depend on it.
    seed : int
        Same seed, same splits and scores (a budget may cut the number of folds).
    test_size : float
        Share of the rows held out.
    source : str
        Where the table came from, for the report.
    models : iterable of str or (name, class), optional
        Models to compare; all that suit when absent.
    progress : object, optional
        May have methods ``start(models, n_folds)``, ``update(model, fold, score, seconds)``,
        ``phase(text)`` and ``finish()``.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If the table or the target cannot be used; the message names the column.
    KeyboardInterrupt
        If interrupted before anything was finished; later, the comparison reports on what is.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from sklearn.linear_model import LinearRegression
    >>> x = np.linspace(0, 1, 60)
    >>> frame = pd.DataFrame({"x": x, "y": 3 * x + 1})
    >>> found = compare(frame, "y", models=[("LinearRegression", LinearRegression)])
    >>> found.winner, found.task, round(found.test_score, 3)
    ('LinearRegression', 'regression', 1.0)
    """
    clock = _Clock(budget)
    _check_arguments(budget, jobs, seed)
    told = Progress(progress)
    told.phase("looking at the columns")
    problem = state(frame, target, task=task, scales=scales)
    problem, split = _held_out(problem, test_size, seed, clock.budget)
    arena = problem.arena(split.train, seed)
    lowest = float(np.min(problem.y)) if problem.task == "regression" else 0.0
    field, skipped = entrants(
        problem.task,
        models,
        len(split.train),
        lowest_target=lowest,
        n_classes=len(np.unique(arena.y)) if problem.stratify else 0,
    )
    try:
        if budget is not None:
            told.phase("timing the models")
            field, too_slow = _affordable(field, arena, clock.left_for_race, jobs)
            skipped += too_slow
        told.start([e.name for e in field], len(arena.folds))
        told.phase("cross-validation")
        run = race(arena, field, deadline=clock.race_ends, jobs=jobs, progress=told)
        results = standings(arena, field, run)
        done = {result.model for result in results}
        why = "interrupted" if run.interrupted else "no time left"
        skipped += [(e.name, why) for e in field if e.name not in done]
        # Two pools of spinning threads, BLAS and ours, on the same cores hold each other up.
        with threadpool_limits(1, user_api="blas"):
            hurry = run.interrupted or _slow(results, run) > clock.left_to_refit
            results, final = _refitted(results, arena, field, run, hurry, told)
            judged = judge(problem, split, arena, results, field, final, run, clock.ends, told)
    finally:
        told.finish()
    return replace(
        judged,
        source=source,
        n_rows=len(frame),
        seconds=clock.elapsed,
        skipped=tuple(skipped),
        interrupted=run.interrupted,
    )


class _Clock:
    """Seconds since the start, and when each part of the budget ends."""

    def __init__(self, budget: float | None) -> None:
        self.budget = math.inf if budget is None else float(budget)
        self.started = time.perf_counter()
        self.ends = self.started + self.budget
        self.race_ends = self.started + _RACE_SHARE * self.budget

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.started

    @property
    def left_for_race(self) -> float:
        return self.race_ends - time.perf_counter()

    @property
    def left_to_refit(self) -> float:
        return (self.ends - time.perf_counter()) / 3


def _check_arguments(budget: Any, jobs: Any, seed: Any) -> None:
    number = isinstance(budget, int | float) and not isinstance(budget, bool)
    if budget is not None and not (number and budget > 0):
        raise check.fail("compare", "budget", "a number of seconds above 0, or None", budget)
    if jobs is not None and not (isinstance(jobs, int) and jobs):
        raise check.fail("compare", "jobs", "None or a whole number other than 0", jobs)
    if not (isinstance(seed, int | np.integer) and 0 <= seed < 2**32):
        raise check.fail("compare", "seed", "a whole number from 0 to 2**32 - 1", seed)


def _held_out(
    problem: Problem, test_size: float, seed: int, seconds: float
) -> tuple[Problem, Split]:
    """Split off the test rows; of too many training rows keep a sample, and say so."""
    split = problem.split(test_size, seed)
    X, y = problem.X.iloc[split.train], problem.y[split.train]
    most = affordable_rows(problem.preprocessor, X, y, seconds=seconds)
    if most >= len(y):
        return problem, split
    kept = sample(split.train, problem.y, most, stratify=problem.stratify, seed=seed)
    note = f"learned on a sample of {most} of {len(y)} training rows, to keep to the budget"
    return replace(problem, warnings=(*problem.warnings, note)), split._replace(train=kept)


def _affordable(
    field: list[Entrant], arena: Arena, seconds: float, jobs: int | None
) -> tuple[list[Entrant], list[tuple[str, str]]]:
    """Models that fit into the time, quick ones first."""
    n_rows = len(arena.folds[0][0])
    with threadpool_limits(1):
        probe = Probe(arena, most_seconds=_PROBE_SHARE * seconds)
        cost = {e.name: 0.0 if e.is_baseline else probe(e, n_rows) for e in field}
    ordered = sorted(field, key=lambda e: (not e.is_baseline, cost[e.name]))
    return afford(ordered, cost, n_rows=n_rows, seconds=seconds, workers=workers(jobs))


def _slow(results: list[ModelResult], run: Race) -> float:
    """Seconds that tuning and fitting the winner took on a fold."""
    return run.longest(results[0].model) if results else 0.0


def _refitted(
    results: list[ModelResult],
    arena: Arena,
    field: list[Entrant],
    run: Race,
    hurry: bool,
    told: Progress,
) -> tuple[list[ModelResult], Final]:
    """Fit the best model on all training rows; one that fails there gives way to the next.

    In a hurry the setting that the folds chose most often is taken instead of a new search.
    """
    by_name = {e.name: e for e in field}
    for place, result in enumerate(results):
        if np.isnan(result.score):
            break
        told.phase(f"fitting {result.model} on all training rows")
        try:
            try:
                setting = result.params if hurry else None
                final = refit(arena, by_name[result.model], setting)
            except KeyboardInterrupt:
                run.interrupted = True
                final = refit(arena, by_name[result.model], result.params)
        except Exception as error:
            run.failed[result.model] = _fold.one_line(error)
            continue
        if place:
            results = standings(arena, field, run)
        return [replace(results[0], params=final.setting), *results[1:]], final
    if run.interrupted:
        raise KeyboardInterrupt
    name, message = next(iter(run.failed.items()), ("", "no model was run"))
    raise ValueError(f"every model failed; {name}: {message}" if name else message)
